"""Records of windows and activities as Android prints them, and what their names mean.

Owns the spelling of `Window{…}` and `ActivityRecord{…}` from Android 4.1 to 16 and the tables of system windows. Which
record decides is `facts` and `foreground`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = [
    "Activity",
    "Window",
    "overlay_of_activity",
    "overlay_of_title",
    "parse_activity",
    "parse_component",
    "parse_package",
    "parse_window",
    "split_process",
]


@dataclass(frozen=True, slots=True)
class Activity:
    """One `ActivityRecord`: package, full class name, user and task where they are printed.

    `record` is the hash that tells two instances of one class apart; it stays the same for an instance's whole life.
    """

    package: str
    name: str | None
    user: int | None = None
    task: int | None = None
    record: str | None = field(default=None, compare=False)

    @property
    def short(self) -> str:
        """`package/.Class` as Android shortens it."""
        if self.name is None:
            return self.package
        inside = self.name.startswith(self.package + ".")
        return f"{self.package}/{self.name[len(self.package) :] if inside else self.name}"

    def same_as(self, other: Activity | None) -> bool:
        """True when both name the same class of the same package (users and tasks are often not printed)."""
        return other is not None and self.package == other.package and self.name == other.name


@dataclass(frozen=True, slots=True)
class Window:
    """One `Window{…}`: `activity` where its title is a component, else only the title."""

    title: str
    hash: str = ""
    user: int | None = None
    activity: Activity | None = None
    whole: bool = True  # false: the text ends inside the record, or the window is on its way out


# pkg/.Cls   pkg/other.pkg.Cls$Inner   android/com.android.internal.app.ResolverActivity
_COMPONENT = re.compile(r"(?<![\w./])([A-Za-z][\w.]*+)/([\w$.\-]+)")
# com.foo/...Main   com.foo/….Main: the writer of the report left the class out
_ELIDED = re.compile(r"(?<![\w./])([A-Za-z][\w.]*+)/(?:\.\.|…)")
_PACKAGE = re.compile(r"[A-Za-z]\w*(?:\.\w+)+")
_USER = re.compile(r"\bu(\d{1,9})\b")
_TASK = re.compile(r"[\s}]t(\d{1,9})\b")
# `2785a60`, `153529581` (Android 15), `…` and `...` in reports whose writer left the hash out
_HASH = re.compile(r"[0-9a-fA-F]+|[.…*xX]{1,8}|<\w+>")
# behind the user Samsung prints the display and the process: `Window{1df6dd3d0 u0 d0 p3541 pkg/cls}`
_OWNER = re.compile(r"u\d{1,9}|[dp]\d+")


def parse_component(text: str) -> tuple[str, str] | None:
    """The first `package/class` in the text, the class written out in full; None when there is none."""
    match = _COMPONENT.search(text)
    if match is None:
        return None
    package, name = match[1], match[2].rstrip(".-")
    if not name or name.startswith("..") or package.endswith("."):
        return None
    return package, package + name if name.startswith(".") else name


def parse_package(text: str) -> str | None:
    """The text when it is a package name with at least one dot, else None."""
    return text if _PACKAGE.fullmatch(text) else None


def _without_class(text: str) -> tuple[str, None] | None:
    match = _ELIDED.search(text)
    return (match[1], None) if match else None


_RECORD = re.compile(r"ActivityRecord\{([0-9a-f]{4,})\b")


# ActivityRecord{14d88c3 u0 com.android.systemui/.subscreen.SubHomeActivity t9}
# ActivityRecord{d9b8281 u0 tv.danmaku.bili/.MainActivityV2} t57}             Android 13
# ActivityRecord{153529581 u0 com.android.settings/.Settings t5}              Android 15, decimal hash
# ActivityRecord{16425300 u0 com.example.app/.MainActivity, isShadow:false t10}
# AppWindowToken{c791eb8 token=Token{a6bad1b ActivityRecord{35dbb2a u0 pkg/.Main t2719}}}
# ActivityRecord{413cf978 com.android.launcher/com.android.launcher2.Launcher}   Android 4.1
def parse_activity(text: str) -> Activity | None:
    """The activity that an `ActivityRecord{…}` in the text names; None for `null` and for what cannot be read."""
    start = text.find("ActivityRecord{")
    if start > 0:
        text = text[start:]
    found = parse_component(text) or _without_class(text)
    if found is None:
        return None
    user, task, record = _USER.search(text), _TASK.search(text), _RECORD.match(text)
    return Activity(found[0], found[1], _number(user), _number(task), record[1] if record else None)


# Window{2785a60 u0 com.foo/com.foo.Main}      Window{41b37570 com.foo/com.foo.Main paused=false}    Android 4.1
# Window{e8d1f0a u0 com.foo/com.foo.Main EXITING}      Window{c52eaa8 u0 com.sony.dtv.sonysystemservice}
# Window{3efed45d u0 dream}    Window{… Application Error: com.foo}
# c458b8d NotificationShade      `dumpsys input` of 12 and later, without the braces
def parse_window(text: str) -> Window | None:
    """The window that the text begins with; None for `null` and for what cannot be read."""
    text = text.strip()
    wrapped = text.startswith("Window{")
    body = text[7:] if wrapped else text
    end = body.find("}")
    closed = end >= 0 or not wrapped
    if end >= 0:
        body = body[:end]
    digest, user, title = _split_window(body.split())
    if not title or title in {"null", "<null>", "<none>"}:
        return None
    return _window(title, digest, user, closed=closed)


def _split_window(words: list[str]) -> tuple[str, int | None, str]:
    """Hash, user and title of the words inside the braces."""
    digest, user = "", None
    if len(words) > 1 and _HASH.fullmatch(words[0]):
        digest = words.pop(0)
    while len(words) > 1 and _OWNER.fullmatch(words[0]):
        word = words.pop(0)
        user = int(word[1:]) if word[0] == "u" else user
    return digest, user, " ".join(words)


def _window(title: str, digest: str, user: int | None, *, closed: bool) -> Window:
    leaving = "EXITING" in title
    title = re.sub(r"(?: EXITING| paused=\w+)+$", "", title)
    first = title.split(" ", 1)[0].rstrip(",;")
    found = (parse_component(first) or _without_class(first)) if "/" in first and ":" not in first else None
    if found is None:
        return Window(title, digest, user, None, whole=closed and not leaving)
    # A record cut off in the middle of the class still names the package.
    activity = Activity(found[0], found[1] if closed else None, user=user)
    return Window(title, digest, user, activity, whole=closed and not leaving)


def _number(match: re.Match[str] | None) -> int | None:
    return int(match[1]) if match else None


# Titles of windows that are not activities, in the order in which they are tried.
_TITLES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        # Android 11+; `StatusBarExpanded` up to 4.0; the makers' own half of the shade
        (r"\w*NotificationShade\w*|StatusBarExpanded|\w*control_?center\w*|NotificationPanel\w*", "notification_shade"),
        (r"StatusBar\d*", "status_bar"),
        (r"\w*Keyguard\w*|LockScreen\w*|Bouncer", "keyguard"),
        (r"AOD\w*|AlwaysOn\w*|.*\.doze\.DozeService", "screen_off"),
        (r"(?:Sys\d+:)?dream", "dream"),
        (r"Application Error: .*|AppErrorDialog.*", "crash_dialog"),
        (r"Application Not Responding: .*|AppNotRespondingDialog.*", "anr_dialog"),
        # windows inside an activity's own carry its component behind their kind: `AtchDlg:pkg/cls`
        (r"Pop-?Up ?Window\b.*|DropDown:.*|(?:Media\w*|\w*Panel|AtchDlg):.*", "popup"),
        (r"InputMethod\w*", "ime"),
        (r"(?:Splash ?Screen|Starting)\b.*|(?:Snapshot|Task)\w*Starting\w*.*|TaskSnapshot\w*.*", "splash"),
    )
)


def overlay_of_title(title: str) -> str:
    """The word for a focused window that is no activity; `window:<title>` for one without a word of its own."""
    for pattern, word in _TITLES:
        if pattern.fullmatch(title):
            return word
    return f"window:{title}"


# The system's own choosers; apps have classes named FileChooserActivity as well, so the package counts.
_CHOOSER_PACKAGE = re.compile(
    r"android|com\.(?:google\.)?android\.intentresolver|com\.(?:huawei|hihonor)\.android\.internal\.app"
    r"|com\.miui\.securitycore|com\.(?:coloros|oplus|oppo|vivo|samsung|sec|lge|meizu|htc|sonymobile)\..+"
)
_CHOOSER_CLASS = re.compile(
    r"(?:.*\.)?\w*(?:Resolver|Chooser|XSpaceResolve)Activity\w*|com\.android\.internal\.app\.\w*(?:Resolver|Chooser)\w*"
)
# Android 6–9: com.android.packageinstaller; 10+: com(.google).android.permissioncontroller; MIUI: com.lbe.security.miui
# and its security centre; the classes keep their AOSP names. USB and screen capture are asked for by the System UI.
_PERMISSION_CLASS = re.compile(
    r"(?:.*\.)?(?:GrantPermissions\w*|ReviewPermissions\w*|\w*PermissionDialog\w*|UsbPermissionActivity"
    r"|MediaProjectionPermissionActivity|MediaProjectionAppSelectorActivity)"
)
_PERMISSION_PACKAGE = re.compile(
    r"android|com\.android\.systemui|.*\.(?:packageinstaller|permissioncontroller|securitypermission|permission\w*)"
    r"|com\.lbe\.security\..*|com\.miui\.securitycenter|com\.(?:huawei|hihonor)\.systemmanager"
)
_DREAM_CLASS = "android.service.dreams.DreamActivity"  # Android 11+ gives a screensaver an activity of its own


def overlay_of_activity(activity: Activity) -> str | None:
    """The word for an activity of the system that stands in front of an app; None for an ordinary one."""
    name = activity.name or ""
    if name == _DREAM_CLASS:
        return "dream"
    if _PERMISSION_CLASS.fullmatch(name) and _PERMISSION_PACKAGE.fullmatch(activity.package):
        return "permission_dialog"
    if _CHOOSER_CLASS.fullmatch(name) and _CHOOSER_PACKAGE.fullmatch(activity.package):
        return "chooser"
    return None


# Suffixes of process names that are a surface of their own inside an app, as WeChat names them.
_SURFACES: tuple[tuple[str, str], ...] = (
    ("appbrand", "mini_program"),  # com.tencent.mm:appbrand0, one process for each mini program
    ("toolsmp", "article"),  # com.tencent.mm:toolsmp, articles of official accounts
)


def split_process(process: str) -> tuple[str, str | None]:
    """Package and surface of a process name: `com.tencent.mm:appbrand0` is (`com.tencent.mm`, `mini_program`).

    The surface of a process without a word in the table is its suffix as it stands; without a suffix it is None.
    """
    package, colon, suffix = process.strip().partition(":")
    if not colon or not suffix:
        return package, None
    for prefix, surface in _SURFACES:
        if suffix.startswith(prefix):
            return package, surface
    return package, suffix
