"""`dumpsys package [PACKAGE]`: the record of an installed package."""

from __future__ import annotations

from collections.abc import Sequence

from controller.virtual.intents import short_component
from controller.virtual.packages import Package
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell import clock
from controller.virtual.shell.core import Call
from controller.virtual.shell.dumpsys import dump

__all__: list[str] = []

_NORMAL = frozenset(
    f"android.permission.{name}"
    for name in (
        "ACCESS_NETWORK_STATE",
        "ACCESS_WIFI_STATE",
        "FOREGROUND_SERVICE",
        "INTERNET",
        "NFC",
        "QUERY_ALL_PACKAGES",
        "RECEIVE_BOOT_COMPLETED",
        "VIBRATE",
        "WAKE_LOCK",
    )
)
"""Permissions that an app has from its installation on; nobody is asked for them."""


@dump("package")
def package(call: Call, args: list[str]) -> None:
    """The record of one package, or the names of all."""
    wanted = next((argument for argument in args if not argument.startswith("-") and argument != "package"), "")
    phone = call.phone
    if not wanted:
        call.line("Packages:")
        for name in sorted(phone.packages):
            call.lines(_record(phone, phone.packages[name]))
        return
    found = phone.packages.get(wanted)
    if found is None:
        call.line(f"Unable to find package: {wanted}")
        return
    call.lines(_resolver_table(found))
    call.line("Key Set Manager:")
    call.line("Packages:")
    call.lines(_record(phone, found))
    call.line("Queries:")
    call.line("Dexopt state:")


def _resolver_table(found: Package) -> list[str]:
    lines = ["Activity Resolver Table:", "  Non-Data Actions:"]
    for activity in found.spec.activities.values():
        component = short_component((found.spec.name, activity.name))
        actions = [*activity.actions, *(["android.intent.action.MAIN"] if activity.launcher or activity.home else [])]
        for action in actions:
            lines += [
                f"      {action}:",
                f"        {found.spec.uid * 31:x} {component} filter {found.spec.uid * 17:x}",
                f'          Action: "{action}"',
            ]
            lines += ['          Category: "android.intent.category.LAUNCHER"'] if activity.launcher else []
    links = [(link.scheme, activity) for activity in found.spec.activities.values() for link in activity.links]
    if links:
        lines.append("  Schemes:")
        for scheme, activity in links:
            component = short_component((found.spec.name, activity.name))
            lines += [f"      {scheme}:", f"        {found.spec.uid * 31:x} {component}"]
    return [*lines, ""]


def _record(phone: VirtualPhone, found: Package) -> list[str]:
    spec = found.spec
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if spec.system else "HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP"
    installed = clock.formatted(phone, "%Y-%m-%d %H:%M:%S", found.installed)
    folder = found.path.rpartition("/")[0]
    signature = f"{{{spec.uid * 3:x} version:2, signatures:[{spec.uid * 13:x}], past signatures:[]}}"
    lines = [
        f"  Package [{spec.name}] ({spec.uid * 31 & 0xFFFFFFF:x}):",
        f"    {'appId' if phone.sdk >= 33 else 'userId'}={spec.uid}",
        f"    pkg=Package{{{spec.uid * 7 & 0xFFFFFFF:x} {spec.name}}}",
        f"    codePath={folder}",
        f"    resourcePath={folder}",
        "    primaryCpuAbi=arm64-v8a",
        f"    versionCode={spec.version_code} minSdk=21 targetSdk={spec.target_sdk}",
        f"    versionName={spec.version_name}",
        f"    pkgFlags=[ {flags} ]",
        "    dataDir=/data/user/0/" + spec.name,
        f"    timeStamp={installed}",
        f"    {'lastUpdateTime' if phone.sdk >= 33 else 'firstInstallTime'}={installed}",
        *([f"    lastUpdateTime={installed}"] if phone.sdk < 33 else []),
        f"    signatures=PackageSignatures{signature}",
        "    installPermissionsFixed=true",
        f"    pkgFlags=[ {flags} ]",
        "    requested permissions:",
        *(f"      {permission}" for permission in spec.permissions),
        "    install permissions:",
        *(f"      {permission}: granted=true" for permission in _granted_at_install(spec.permissions)),
        f"    User 0: ceDataInode=1234 installed=true hidden={'true' if spec.hidden else 'false'} suspended=false "
        f"stopped={'false' if found.pid is not None else 'true'} notLaunched=false "
        f"enabled={'0' if found.enabled else '3'} instant=false virtual=false",
        *([f"      firstInstallTime={installed}"] if phone.sdk >= 33 else []),
        "      gids=[3003]",
        "      runtime permissions:",
    ]
    for permission in (one for one in spec.permissions if one not in _NORMAL):
        granted = "true" if permission in found.granted else "false"
        flags = "|".join(phone.permissions.flags(spec.name, permission))
        lines.append(f"        {permission}: granted={granted}, flags=[ {flags}]")
    return [*lines, ""]


def _granted_at_install(permissions: Sequence[str]) -> list[str]:
    return [permission for permission in permissions if permission in _NORMAL]
