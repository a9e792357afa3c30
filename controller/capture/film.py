"""Looks and actions on their way into a capture: hidden texts out, pictures in, the folder kept up to date.

Owns when a picture is taken and that it shows what its tree says. What becomes of the stream is the `recorder`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from controller.capture.folder import CaptureFolder
from controller.capture.hiding import Hiding
from controller.capture.recorder import Arrow, Deed, Recorder, Seen, Shot
from controller.device.phone import Observation, Picture
from controller.errors import AdbFailure, TimedOut
from controller.screen.hierarchy import Bounds
from controller.screen.picture import mask

__all__ = ["Film"]

# A screen that goes on moving is photographed this often before its picture is left out.
_TRIES = 3


class Film:
    """Records one phone.

    Args:
        folder: Where the capture is written.
        hidden: The texts to hide.
        eager: Take the picture at the first look at a new screen: a person does not wait until we have seen it twice.
        sees_actions: Whether all actions are told.
        told: Called with each new arrow.
    """

    def __init__(
        self,
        folder: CaptureFolder,
        *,
        hidden: Iterable[str] = (),
        eager: bool = False,
        sees_actions: bool = True,
        told: Callable[[Arrow], None] | None = None,
    ) -> None:
        self.folder = folder
        self.recorder = Recorder(sees_actions=sees_actions)
        self._hidden = tuple(hidden)
        self._also: Callable[[], Iterable[str]] = tuple
        self._told = told
        self._eager = eager
        self._look: Callable[[], Observation] | None = None
        self._camera: Callable[[], Picture] | None = None
        self._kept = (0, 0)

    def load(self, *, look: Callable[[], Observation], camera: Callable[[], Picture]) -> None:
        """Take what looks at the phone and what photographs it, both unrecorded."""
        self._look, self._camera = look, camera

    def hide_also(self, texts: Callable[[], Iterable[str]]) -> None:
        """Hide these as well, asked for anew at each look: a flow's secrets are known only when it begins."""
        self._also = texts

    def saw(self, observation: Observation) -> None:
        """One look at the phone."""
        seen = self._seen(observation)
        wanted = self.recorder.lacks_picture(seen) and (self._eager or self.recorder.again(seen))
        self.recorder.saw(seen, self._shot(seen) if wanted else None)
        self._save()

    def did(self, deed: Deed) -> None:
        """An action that is about to be sent, or that a person has done."""
        if (seen := self.recorder.waits_for_picture) is not None:
            self.recorder.photographed(self._shot(seen))
        hidden = self._hiding.uri(deed.uri) if deed.uri else deed.uri
        self.recorder.did(replace(deed, uri=hidden))
        self._save()

    def finish(self) -> None:
        """Nothing more comes."""
        if (seen := self.recorder.waits_for_picture) is not None:
            self.recorder.photographed(self._shot(seen))
        self.recorder.finish()
        self._save()

    @property
    def _hiding(self) -> Hiding:
        return Hiding.of((*self._hidden, *self._also()))

    def _seen(self, observation: Observation) -> Seen:
        hierarchy, painted = self._hiding.tree(observation.hierarchy, keyboard=observation.keyboard)
        front = observation.foreground
        return Seen(
            # The title of a window over the app may be anything.
            front=replace(front, overlay=self._hiding.text(front.overlay)) if front.overlay else front,
            hierarchy=hierarchy,
            size=observation.size,
            rotation=observation.rotation or 0,
            keyboard=observation.keyboard,
            input_method=observation.input_method,
            at=observation.at,
            painted=painted,
        )

    def _shot(self, seen: Seen) -> Shot:
        """The picture with everything hidden painted over; none where the screen moves and it cannot be said where."""
        areas = seen.painted
        for _ in range(_TRIES):
            try:
                picture = self._camera() if self._camera is not None else Picture(b"")
            except (AdbFailure, TimedOut) as err:
                return Shot(note=f"no picture: {err.message}")
            if picture.secure or not picture.png:
                return Shot(secure=picture.secure, note="the app forbids pictures" if picture.secure else "no picture")
            now = self._painted_now()
            if now == areas:
                return Shot(mask(picture.png, areas))
            areas = now
        return Shot(note="no picture: what is to be hidden moved while it was taken")

    def _painted_now(self) -> tuple[Bounds, ...]:
        """Where the hidden texts are after the picture."""
        if self._look is None:
            return ()
        observation = self._look()
        return self._hiding.tree(observation.hierarchy, keyboard=observation.keyboard)[1]

    def _save(self) -> None:
        state = (len(self.recorder.screens), len(self.recorder.arrows))
        if state != self._kept and state[0]:
            new, self._kept = self.recorder.arrows[self._kept[1] :], state
            self.folder.write(self.recorder)
            if self._told is not None:
                for arrow in new:
                    self._told(arrow)
