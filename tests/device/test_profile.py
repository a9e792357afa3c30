from __future__ import annotations

from pathlib import Path

import pytest

from controller.device.profile import FindBy, Profile, load_known_errors, load_profile, parse_profile, profile_names
from controller.errors import DocumentError, InputDenied, UsageError
from controller.pace import Speed


def test_the_built_in_profiles_can_all_be_read() -> None:
    found = {name: load_profile(name).find for name in profile_names()}

    assert found == {"emulator": FindBy.EMULATOR, "usb": FindBy.USB, "virtual": FindBy.VIRTUAL}


def test_a_profile_file_says_everything_about_a_phone_and_its_person(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "profile: mine\nfind: serial\nserial: 123456\nserver: '[::1]:5038'\nreading_chars_per_s: 25\n"
        "unknown_apps: careful\nspeed: fast\n",
        encoding="utf-8",
    )

    assert load_profile(path) == Profile(
        name="mine",
        find=FindBy.SERIAL,
        serial="123456",
        host="::1",
        port=5038,
        reading_chars_per_s=25.0,
        unknown_apps="careful",
        speed=Speed.FAST,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("profile: a\nfind: usb\nsped: fast\n", "mine.yaml:3:1: `sped` is not known here"),
        ("profile: a\nfind: bluetooth\n", "mine.yaml:2:1: `find` is one of"),
        ("profile: a\nfind: serial\n", "mine.yaml:1:1: `find: serial` needs a `serial`"),
        ("profile: a\nreading_chars_per_s: fast\n", "mine.yaml:2:1: `reading_chars_per_s` is a number"),
        ("profile: a\nreading_chars_per_s: 0.1\n", "mine.yaml:1:1: `reading_chars_per_s` is between"),
        ("profile: a\nserver: 127.0.0.1:99999\n", "mine.yaml:2:1: `server` is HOST:PORT"),
        ("profile: [a\n", "mine.yaml:2:1: "),
        ("- a\n", "mine.yaml:1:1: expected `key: value` lines"),
    ],
)
def test_a_fault_in_a_profile_is_told_with_its_line_and_column(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_profile(text, "mine.yaml")

    assert caught.value.message.startswith(message)


def test_an_unknown_profile_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="emulator, usb, virtual"):
        load_profile("nosuch")


XIAOMI = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"
NEWER = (
    "Exception\njava.lang.SecurityException: Injecting input events requires the caller (or the source of the "
    "instrumentation, if any) to have the INJECT_EVENTS permission.\n\tat android.os.Parcel"
)


@pytest.mark.parametrize("text", [XIAOMI, NEWER])
def test_a_forbidden_touch_is_explained_with_the_makers_own_cure(text: str) -> None:
    errors = load_known_errors()

    xiaomi, unknown = errors.explain(text, maker="Xiaomi"), errors.explain(text, maker="Acme")

    assert isinstance(xiaomi, InputDenied)
    assert xiaomi.code == "inject_denied"
    assert "USB debugging (Security settings)" in xiaomi.hint
    assert "restart" in xiaomi.hint
    assert "Mi account" in xiaomi.hint
    assert unknown is not None
    assert "Mi account" not in unknown.hint
    assert "permission monitoring" in errors.cure("inject_denied", "OPPO")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "java.lang.SecurityException: uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS.",
            "settings_denied",
        ),
        ("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", "install_denied"),
        ("cmd: Can't find service: package", "booting"),
        ("java.lang.SecurityException: Shell does not have permission to access user 10", "user_denied"),
        (
            "java.lang.IllegalStateException: UiAutomationService a.b.C$Proxy@1a2b already registered!",
            "automation_busy",
        ),
    ],
)
def test_what_phones_say_has_a_name_and_a_cure(text: str, code: str) -> None:
    error = load_known_errors().explain(text)

    assert error is not None
    assert error.code == code
    assert error.hint


def test_a_text_that_nobody_knows_is_not_explained() -> None:
    assert load_known_errors().explain("all is well") is None


def test_a_broken_table_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "errors.yaml").write_text(
        "errors:\n  - code: a\n    match: '('\n    says: b\n    cure: c\n", encoding="utf-8"
    )

    with pytest.raises(DocumentError, match=r"errors\.yaml:1:1: `match` of a is no pattern"):
        load_known_errors(tmp_path)
