"""A phone for the tests of its shell and its uiautomator server: notes with a field and a long list, a browser."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.virtual.apps import read_phone
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell import ShellOutput, run
from controller.virtual.spec import PhoneSpec

__all__ = ["Handset", "handset", "sample_spec"]

_PHONE = """
serial: TEST0001
model: Test One
manufacturer: Tester
brand: test
product: test_one
device: one
screen: {width: 1080, height: 2400, density: 420}
imes:
  - {id: com.example.keys/.LatinIME, label: Keys}
  - {id: com.github.uiautomator/.AdbKeyboard, label: AdbKeyboard, enabled: false}
settings:
  system: {screen_brightness: "102"}
  secure: {default_input_method: com.example.keys/.LatinIME, lockscreen.disabled: "1"}
"""
_ANDROID = """
package: android
label: Android System
uid: 1000
system: true
activities:
  com.android.internal.app.ResolverActivity:
    body: [{text: Open with}]
"""
_HOME = """
package: com.example.home
label: Home
system: true
activities:
  .Launcher: {home: true, exported: true, body: [{text: Home screen}]}
"""
_KEYS = """
package: com.example.keys
label: Keys
system: true
"""
_NOTES = """
package: com.example.notes
label: Notes
uid: 10178
permissions: [android.permission.CAMERA]
version: {name: "2.1", code: 21}
state: {draft: ""}
data:
  lines:
    - {title: first}
    - {title: second}
LINES
activities:
  .Main:
    launcher: true
    mode: singleTop
    links: ["notes://open/{id}", "https://notes.example/*"]
    body:
      - column:
          - text: "Notes & more"
            id: title
          - field: draft
            id: draft
            hint: Write here
          - button: Save
            id: save
            tap: {toast: "saved {draft}"}
          - row:
              - button: One
              - button: Two
          - list:
              - each: lines
                item: [{text: "{title}", id: line}]
  .Secret: {body: [{text: secret}]}
"""
_BROWSER = """
package: com.example.web
label: Web
browser: true
activities:
  .Page:
    launcher: true
    links: ["https://*", "http://*"]
    body: [{text: a page}]
"""


def sample_spec() -> PhoneSpec:
    """The phone, as its data describes it."""
    lines = "\n".join(f"    - {{title: line {number}}}" for number in range(3, 201))
    documents = {
        "phone.yaml": _PHONE,
        "apps/android.yaml": _ANDROID,
        "apps/home.yaml": _HOME,
        "apps/keys.yaml": _KEYS,
        "apps/notes.yaml": _NOTES.replace("LINES", lines),
        "apps/web.yaml": _BROWSER,
    }
    return read_phone(documents, name="test")


@dataclass
class Handset:
    """A phone with a clock of its own."""

    phone: VirtualPhone
    time: list[float] = field(default_factory=lambda: [0.0])

    def run(self, line: str, stdin: bytes = b"") -> ShellOutput:
        """Run a command line."""
        return run(self.phone, line, stdin)

    def out(self, line: str, stdin: bytes = b"") -> str:
        """What a command line prints, both streams in order."""
        return self.run(line, stdin).merged.decode("utf-8", "surrogateescape")


def handset(android: int = 14) -> Handset:
    """A phone that has just started."""
    time = [0.0]
    return Handset(VirtualPhone(sample_spec(), now=lambda: time[0], android=android), time)
