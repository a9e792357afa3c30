"""Unmodified uiautomator2, over a real adb server and over the virtual phone's own."""

from __future__ import annotations
