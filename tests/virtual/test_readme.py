"""What devices/virtual/README.md says: its app works, and every word of the grammar stands in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.clock import ManualClock
from controller.resources import resource_dir
from controller.virtual.actions import ACTIONS
from controller.virtual.check import check_phone
from controller.virtual.elements import KINDS
from controller.virtual.grammar import ACTIVITY_KEYS, APP_KEYS, ELEMENT_KEYS, PHONE_KEYS
from controller.virtual.intents import ACTION_VIEW, Intent
from controller.virtual.phone import VirtualPhone
from tests.virtual.hand import Hand

VIRTUAL = resource_dir("devices") / "virtual"
TEXT = (VIRTUAL / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


def app_after(steps: int) -> str:
    """The file after so many steps; a key that is there already is replaced, one level down."""
    app: dict[str, Any] = {}
    for block in BLOCKS[:steps]:
        for key, value in yaml.safe_load(block).items():
            app[key] = {**app.get(key, {}), **value} if isinstance(value, dict) else value
    return yaml.safe_dump(app, allow_unicode=True, sort_keys=False)


def documents(app: str) -> dict[str, str]:
    folder = VIRTUAL / "default"
    kept = [folder / "phone.yaml", *(folder / "apps" / f"{name}.yaml" for name in ("launcher", "systemui", "ime"))]
    return {str(path): path.read_text(encoding="utf-8") for path in kept} | {"apps/tea.yaml": app}


def hand_on(app: str) -> Hand:
    from controller.virtual.apps import read_phone

    hand = Hand.__new__(Hand)
    hand.clock, hand.events = ManualClock(), []
    hand.phone = VirtualPhone(read_phone(documents(app), name="tea"), now=hand.clock.now)
    return hand


@pytest.mark.parametrize("steps", range(1, len(BLOCKS) + 1))
def test_the_app_can_be_used_after_each_step(steps: int) -> None:
    app = app_after(steps)

    assert check_phone(documents(app), name="tea") == []
    hand = hand_on(app)
    hand.tap("Tea")
    assert hand.see(id="headline").text == "Tea of the day"


def test_the_finished_app_takes_an_order() -> None:
    hand = hand_on(app_after(len(BLOCKS)))
    hand.tap("Tea")
    hand.tap("Black")
    assert hand.see(id="price").text == "15 yuan, from Qimen"
    hand.tap(id="order")
    assert hand.see(id="send").enabled is False
    hand.tap(id="who")
    hand.phone.commit_text("Ann")
    hand.tap(id="send")

    assert hand.phone.toast is not None
    assert hand.phone.toast.text == "Black tea for Ann"
    assert hand.phone.packages["com.example.tea"].state["orders"] == "1"
    hand.phone.key(3)
    hand.phone.expand_shade()
    hand.tap("Your Black tea is ready")
    assert hand.see(id="title").text == "Black tea"


def test_its_link_opens_a_page() -> None:
    hand = hand_on(app_after(len(BLOCKS)))
    hand.phone.start(Intent(ACTION_VIEW, "tea://tea/White"))

    assert hand.see(id="price").text == "20 yuan, from Fuding"


def test_every_word_of_the_grammar_is_explained() -> None:
    said = set(re.findall(r"`([a-z_]+)(?:[:` ,]|$)", TEXT)) | set(re.findall(r"`([a-z_]+)`", TEXT))
    words = {*KINDS, *ACTIONS, *ELEMENT_KEYS, *ACTIVITY_KEYS, *APP_KEYS, *PHONE_KEYS} - {"item"}

    assert sorted(words - said) == []


def test_the_phone_that_comes_along_has_no_mistakes() -> None:
    from controller.virtual.store import check_folder, phone_folders

    assert [problem for folder in phone_folders(Path(VIRTUAL)) for problem in check_folder(folder)] == []
