"""The answer of a captured phone to what was never done on it. Shell and uiautomator print it in their own ways."""

from __future__ import annotations

__all__ = ["NotCaptured"]


class NotCaptured(Exception):
    """Nobody knows what would happen: it was not done when the phone was captured. The text says what was."""

    java_class = "com.github.phonectl.NotCapturedException"
