"""Making a virtual phone out of what is seen and done on a real one.

`hiding` takes passwords and marked texts out of trees and pictures, `recorder` makes screens and arrows of a stream of
looks and actions, `film` joins both with the camera, `filmed` is a phone whose own actions are recorded, `touches` and
`watching` record a person's, `folder` writes the result. Playing it is `controller.virtual.captured`.
"""

from controller.capture.film import Film
from controller.capture.filmed import FilmedPhone
from controller.capture.folder import CaptureFolder
from controller.capture.hiding import HIDDEN, Hiding
from controller.capture.recorder import Arrow, Deed, Doing, Recorder, Screen, Seen

__all__ = [
    "HIDDEN",
    "Arrow",
    "CaptureFolder",
    "Deed",
    "Doing",
    "Film",
    "FilmedPhone",
    "Hiding",
    "Recorder",
    "Screen",
    "Seen",
]
