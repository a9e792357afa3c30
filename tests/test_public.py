"""What `import controller` promises to a program, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys

import controller

HEAVY = ("PIL", "adbutils", "click", "lxml", "rich", "uiautomator2", "yaml")


def test_the_public_names_are_these_and_each_resolves() -> None:
    assert controller.__all__ == ["Outcome", "PhoneSession", "PhonectlError", "Status", "open_session"]
    assert {name: getattr(controller, name).__module__ for name in controller.__all__} == {
        "Outcome": "controller.step",
        "PhoneSession": "controller.handle",
        "PhonectlError": "controller.errors",
        "Status": "controller.step",
        "open_session": "controller.handle",
    }


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    assert not hasattr(controller, "connect_to_everything")


def test_importing_the_package_loads_no_heavy_library() -> None:
    script = f"import controller, json, sys; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert json.loads(ran.stdout) == []


def test_help_and_version_load_no_library_that_only_a_phone_needs() -> None:
    script = (
        "import sys; from controller.cli.main import main; main(['--help']); main(['--version'])\n"
        "print([name for name in ('PIL', 'adbutils', 'lxml', 'uiautomator2', 'yaml') if name in sys.modules])"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines()[-1] == "[]"
