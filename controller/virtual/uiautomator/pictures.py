"""Pictures of the screen as the server gives them: JPEG in Base64, PNG. Drawing is `draw`'s."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

from controller.virtual.phone import VirtualPhone

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["jpeg_base64", "png", "rgba"]


def png(phone: VirtualPhone, scale: float = 1.0) -> bytes:
    """The screen as PNG."""
    out = io.BytesIO()
    _scaled(phone, scale).save(out, "PNG", compress_level=1)
    return out.getvalue()


def jpeg_base64(phone: VirtualPhone, scale: float, quality: int) -> str:
    """The screen as JPEG, in Base64 on one line."""
    out = io.BytesIO()
    _scaled(phone, scale).convert("RGB").save(out, "JPEG", quality=max(1, min(quality, 100)))
    return base64.b64encode(out.getvalue()).decode("ascii")


def rgba(phone: VirtualPhone) -> tuple[int, int, bytes]:
    """Width, height and the pixels of the screen, four bytes each."""
    image = _scaled(phone, 1.0).convert("RGBA")
    return image.width, image.height, image.tobytes()


def _scaled(phone: VirtualPhone, scale: float) -> Image:
    from controller.virtual.draw import draw  # Pillow is loaded when the first picture is wanted

    image = draw(phone)
    if not 0 < scale < 1:
        return image
    return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
