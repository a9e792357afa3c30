"""A virtual phone made from a real one: the screens that were seen, and the ways between them that were gone.

`spec` holds the values, `reading` the folder's format, `ways` finds what was done before, `stage` puts a screen's tree
into windows, `phone` is the phone itself. Shell, uiautomator and server are those of every virtual phone.
"""

from controller.virtual.captured.phone import CapturedPhone
from controller.virtual.captured.reading import CAPTURE_FILE, read_capture
from controller.virtual.captured.spec import Capture, Screen, Way

__all__ = ["CAPTURE_FILE", "Capture", "CapturedPhone", "Screen", "Way", "read_capture"]
