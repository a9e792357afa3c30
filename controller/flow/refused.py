"""Commands that are refused: those that will never be run here, with what to use instead, and those not written yet.

Pure data. Nothing of a flow is ever skipped in silence.
"""

from __future__ import annotations

__all__ = ["INSTEAD", "NEVER", "NOT_YET", "NOT_YET_OURS"]

NEVER = {
    "evalScript": 'no JavaScript is run: give values with -e or `env:`, and write ${NAME}, ${NAME || "default"}, ==',
    "runScript": "no JavaScript is run: compute outside and give values with -e, or wait for `runSkill`",
    "assertWithAI": "no AI judges a run: use `assertVisible` with a text, or `assertScreenshot` when it is there",
    "assertNoDefectsWithAI": "no AI judges a run: use `assertVisible` and `assertNotVisible`",
    "extractTextWithAI": "no AI reads the screen: use `copyTextFrom` when it is there",
    "travel": "a phone over adb cannot be moved about: use an emulator's own location controls",
    "clearKeychain": "Android has no keychain: use `launchApp: {clearState: true}`",
    "action": "write the command itself: `back`, `hideKeyboard`, `scroll`",
}
"""Maestro's commands that stay refused, and what to use instead."""

NOT_YET = frozenset(
    {
        "addMedia",
        "assertDarkMode",
        "assertLightMode",
        "assertScreenshot",
        "assertTrue",
        "clearState",
        "copyTextFrom",
        "inputRandomCityName",
        "inputRandomColorName",
        "inputRandomCountryName",
        "inputRandomEmail",
        "inputRandomNumber",
        "inputRandomPersonName",
        "inputRandomText",
        "killApp",
        "openBrowser",
        "pasteText",
        "retry",
        "setAirplaneMode",
        "setClipboard",
        "setDarkMode",
        "setLocation",
        "setOrientation",
        "setPermissions",
        "startRecording",
        "stopRecording",
        "toggleAirplaneMode",
        "toggleDarkMode",
        "waitForAnimationToEnd",
    }
)
"""Maestro's commands that are not written yet."""

NOT_YET_OURS = frozenset({"adbShell", "alert", "confirm", "readKnowledge", "readPage", "runSkill", "task"})
"""Commands of the run format that Maestro does not know and that are not written yet."""

INSTEAD = {
    "assertTrue": 'until then: `runFlow: {when: {true: ${A == "b"}}, commands: […]}`',
    "clearState": "until then: `launchApp: {clearState: true}`",
    "killApp": "until then: `stopApp`",
    "retry": "until then: `repeat: {times: N, while: {notVisible: …}, commands: […]}`",
    "setClipboard": "until then: `inputText` types any text, Chinese too",
    "pasteText": "until then: `inputText` types any text, Chinese too",
    "openBrowser": "until then: `openLink: https://…`",
    "waitForAnimationToEnd": "not needed: after each action the screen is waited for until it is settled; "
    "or use `extendedWaitUntil`",
    "assertScreenshot": "until then: `assertVisible`, and `takeScreenshot` for the report",
    "copyTextFrom": "until then: `assertVisible` with the text",
    "confirm": "until then: run the flow in two parts",
    "adbShell": "until then: run `adb shell` outside of the flow",
}
"""What helps until then."""
