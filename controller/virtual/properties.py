"""The system properties that follow from what a phone is."""

from __future__ import annotations

from controller.virtual.spec import PhoneSpec

__all__ = ["properties"]


def properties(spec: PhoneSpec, *, serial: str, release: str, sdk: int) -> dict[str, str]:
    """What `getprop` lists when the phone has booted; properties that the data names win."""
    fingerprint = f"{spec.brand}/{spec.product}/{spec.device}:{release}/VP1A.250101.001/1:user/release-keys"
    return {
        "ro.product.model": spec.model,
        "ro.product.manufacturer": spec.manufacturer,
        "ro.product.brand": spec.brand,
        "ro.product.name": spec.product,
        "ro.product.device": spec.device,
        "ro.build.product": spec.device,
        "ro.build.version.release": release,
        "ro.build.version.sdk": str(sdk),
        "ro.build.fingerprint": fingerprint,
        "ro.serialno": serial,
        "ro.boot.serialno": serial,
        "ro.sf.lcd_density": str(spec.density),
        "persist.sys.locale": spec.locale,
        "ro.product.locale": spec.locale,
        "persist.sys.timezone": spec.time_zone,
        "sys.boot_completed": "1",
        "dev.bootcomplete": "1",
        **spec.props,
    }
