"""Pictures of the screen as the server gives them: JPEG in Base64, PNG, pixels.

Owns smaller pictures, which a client may ask for. Drawing, encoding and the cache of both are `draw`'s, and Pillow is
loaded with it when the first picture is wanted.
"""

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
    from controller.virtual import draw

    return draw.encode_png(_scaled(phone, scale)) if 0 < scale < 1 else draw.png(phone)


def jpeg_base64(phone: VirtualPhone, scale: float, quality: int) -> str:
    """The screen as JPEG, in Base64 on one line."""
    from controller.virtual import draw

    if not 0 < scale < 1:
        return base64.b64encode(draw.jpeg(phone, quality=quality)).decode("ascii")
    out = io.BytesIO()
    _scaled(phone, scale).save(out, "JPEG", quality=max(1, min(quality, 100)))
    return base64.b64encode(out.getvalue()).decode("ascii")


def rgba(phone: VirtualPhone) -> tuple[int, int, bytes]:
    """Width, height and the pixels of the screen, four bytes each."""
    from controller.virtual import draw

    image = draw.draw(phone).convert("RGBA")
    return image.width, image.height, image.tobytes()


def _scaled(phone: VirtualPhone, scale: float) -> Image:
    from controller.virtual import draw

    image = draw.draw(phone)
    return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
