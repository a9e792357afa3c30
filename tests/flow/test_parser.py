from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import FlowError
from controller.flow.commands import COMMANDS
from controller.flow.model import Flow, StepSpec, fill
from controller.flow.parser import read_flow
from controller.flow.refused import INSTEAD, NEVER, NOT_YET, NOT_YET_OURS
from controller.flow.shapes import Condition, ScreenPoint
from controller.screen.selectors import Selector
from tests.flow.reading import parse_flow

HEADER = "appId: com.example\n---\n"


def commands(body: str, **variables: str) -> list[tuple[str, dict[str, Any]]]:
    steps = parse_flow(HEADER + body).steps
    return [(step.command, fill(step.args, variables)) for step in steps]


def places(text: str) -> list[tuple[int, int, str]]:
    _, findings = read_flow(text, path="flow.yaml")
    return [(finding.place.line, finding.place.column, finding.code) for finding in findings]


def test_a_header_and_its_commands_are_read() -> None:
    flow = parse_flow(
        "appId: com.example.app\nname: Sign in\ntags: [smoke, 登录]\nenv:\n  USER: ada\nsecret: [PASSWORD]\n"
        "pace: fast\nonFlowStart:\n  - back\nonFlowComplete:\n  - takeScreenshot: end\n"
        "onFlowFailure:\n  - back\n---\n- launchApp\n",
        path="a/sign-in.yaml",
    )

    assert (flow.path, flow.name, flow.tags, flow.secrets, flow.pace) == (
        "a/sign-in.yaml",
        "Sign in",
        ("smoke", "登录"),
        ("PASSWORD",),
        "fast",
    )
    assert [step.command for step in flow.all_steps] == ["back", "launchApp", "back", "takeScreenshot"]
    assert fill(flow.app_id, {}) == "com.example.app"
    assert fill(flow.env, {}) == {"USER": "ada"}


def test_a_flow_without_a_name_has_that_of_its_file() -> None:
    assert parse_flow(HEADER + "- back", path="flows/log-in.flow.yaml").name == "log-in"


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("- launchApp", ("launchApp", {})),
        ("- launchApp: com.x", ("launchApp", {"app_id": "com.x"})),
        (
            "- launchApp: {appId: com.x, clearState: true, stopApp: false, clearKeychain: false}",
            ("launchApp", {"app_id": "com.x", "clear_state": True, "stop_app": False}),
        ),
        ("- stopApp:", ("stopApp", {})),
        ("- openLink: https://a.example/?x=1", ("openLink", {"link": "https://a.example/?x=1"})),
        ("- openLink: {link: 'a://b', package: com.x}", ("openLink", {"link": "a://b", "package": "com.x"})),
        (
            "- openLink: {app: bilibili, title: 搜索, args: {keyword: 猫}}",
            ("openLink", {"app": "bilibili", "title": "搜索", "args": {"keyword": "猫"}}),
        ),
        ("- tapOn: Log in", ("tapOn", {"text": "Log in"})),
        ("- tapOn: {id: '.*button', index: 0}", ("tapOn", {"id": ".*button", "index": 0})),
        ("- tapOn: {point: '50%, 30%'}", ("tapOn", {"point": ScreenPoint(50, 30, percent=True)})),
        ("- tapOn: {point: '100,200'}", ("tapOn", {"point": ScreenPoint(100, 200, percent=False)})),
        ("- tapOn: {text: Send, outward: send}", ("tapOn", {"text": "Send", "outward": "send"})),
        ("- tapOn: {text: a, repeat: 2, delay: 500}", ("tapOn", {"text": "a", "repeat": 2, "delay": 0.5})),
        (
            "- tapOn: {below: Password, leftOf: {id: x}, enabled: true, "
            "containsDescendants: [a, {text: b, checked: false}]}",
            (
                "tapOn",
                {
                    "below": Selector(text="Password"),
                    "left_of": Selector(id="x"),
                    "enabled": True,
                    "contains_descendants": (Selector(text="a"), Selector(text="b", checked=False)),
                },
            ),
        ),
        ("- longPressOn: {text: Item}", ("longPressOn", {"text": "Item"})),
        ("- doubleTapOn: Item", ("doubleTapOn", {"text": "Item"})),
        ("- inputText: 猫咖 🐈", ("inputText", {"text": "猫咖 🐈"})),
        ("- inputText: {text: a, into: {id: q}}", ("inputText", {"text": "a", "into": Selector(id="q")})),
        ("- eraseText", ("eraseText", {})),
        ("- eraseText: 6", ("eraseText", {"characters_to_erase": 6})),
        ("- eraseText: {charactersToErase: 6}", ("eraseText", {"characters_to_erase": 6})),
        ("- pressKey: Volume Up", ("pressKey", {"key": "volume_up"})),
        ("- back", ("back", {})),
        ("- back: {label: x}", ("back", {})),
        ("- hide keyboard", ("hideKeyboard", {})),
        ("- scroll", ("scroll", {})),
        (
            "- scrollUntilVisible: {element: Test, direction: up, timeout: 20_000, visibilityPercentage: 100}",
            ("scrollUntilVisible", {"element": Selector(text="Test"), "direction": "UP", "timeout": 20.0}),
        ),
        ("- swipe: {direction: left, duration: 250}", ("swipe", {"direction": "LEFT", "duration": 0.25})),
        (
            "- swipe: {start: '50%,30%', end: '50%,60%'}",
            ("swipe", {"start": ScreenPoint(50, 30, percent=True), "end": ScreenPoint(50, 60, percent=True)}),
        ),
        (
            "- swipe: {from: {text: row, point: '50%, 85%'}, direction: RIGHT}",
            ("swipe", {"source": {"text": "row", "point": ScreenPoint(50, 85, percent=True)}, "direction": "RIGHT"}),
        ),
        ("- assertVisible: 'Welcome.*'", ("assertVisible", {"text": "Welcome.*"})),
        ("- assertNotVisible: {id: spinner}", ("assertNotVisible", {"id": "spinner"})),
        (
            "- extendedWaitUntil: {visible: Item, timeout: 10000}",
            ("extendedWaitUntil", {"visible": Selector(text="Item"), "timeout": 10.0}),
        ),
        ("- takeScreenshot: shots/one", ("takeScreenshot", {"path": "shots/one"})),
        ("- runFlow: other.yaml", ("runFlow", {"file": "other.yaml"})),
        (
            "- runFlow: {file: x.yaml, env: {A: b}, when: {visible: Not now, platform: android, true: 'yes'}}",
            (
                "runFlow",
                {
                    "file": "x.yaml",
                    "env": {"A": "b"},
                    "when": Condition(visible=Selector(text="Not now"), platform="Android", true="yes"),
                },
            ),
        ),
        ("- pause: 1.5 s", ("pause", {"duration": 1.5})),
        ("- pause: 500ms", ("pause", {"duration": 0.5})),
        ("- pace: careful", ("pace", {"speed": "careful"})),
    ],
)
def test_a_command_is_read(body: str, read: tuple[str, dict[str, Any]]) -> None:
    assert commands(body) == [read]


def test_commands_inside_of_commands_are_read() -> None:
    ((name, args),) = commands(
        "- repeat:\n    times: ${N}\n    while: {notVisible: Done}\n    commands:\n      - back\n", N="3"
    )

    assert (name, args["times"], args["while_"]) == ("repeat", 3, Condition(not_visible=Selector(text="Done")))
    assert [step.command for step in args["commands"]] == ["back"]


def test_label_and_optional_belong_to_every_command() -> None:
    (step,) = parse_flow(HEADER + "- tapOn: {text: a, label: 'Say ${X}', optional: true}").steps

    assert fill(step.args, {}) == {"text": "a"}
    assert (fill(step.label, {"X": "hi"}), fill(step.optional, {})) == ("Say hi", True)


@pytest.mark.parametrize("written", ["0123", "no", "on", "1e3", "1:30", "~", "null", "2024-01-01", "0x10", ".5"])
def test_a_text_stays_the_text_that_is_written(written: str) -> None:
    assert commands(f"- inputText: {written}") == [("inputText", {"text": written})]


def test_an_empty_text_in_quotes_is_a_text() -> None:
    assert commands('- inputText: ""') == [("inputText", {"text": ""})]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_and_a_byte_order_mark_change_nothing(ending: str) -> None:
    text = "\ufeff" + (HEADER + "- tapOn: a\n- nothing\n").replace("\n", ending)

    assert places(text) == [(4, 3, "unknown_command")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", (1, 1, "empty")),
        ("# only a comment\n", (1, 1, "empty")),
        ("---\n---\n", (1, 1, "empty")),
        ("- launchApp\n", (1, 1, "no_header")),
        ("appId: x\n", (1, 1, "no_commands")),
        ("appId: x\n---\n", (1, 1, "no_commands")),
        ("appId: x\n---\n[]\n", (3, 1, "no_commands")),
        ("appId: x\n---\nback\n", (3, 1, "wrong_type")),
        ("appId: x\n---\n- back\n---\n- back\n", (5, 1, "documents")),
        ("- back\n---\nappId: x\n", (1, 1, "order")),
        ("appId: x\nonFlowStrat:\n  - back\n---\n- back\n", (2, 1, "unknown_key")),
        ("appId: [x]\n---\n- back\n", (1, 8, "wrong_type")),
        ("env: {1a: x}\n---\n- back\n", (1, 7, "wrong_value")),
        ("appId: x\n---\n- tapOn: {text: a\n- back\n", (3, 10, "invalid_yaml")),
        ("appId: x\n---\n- tapOn: a\n\t- back\n", (4, 1, "invalid_yaml")),
        ("appId: x\n---\n- tapOn: a: b\n", (3, 11, "invalid_yaml")),
        ("appId: x\n---\n- tapOn: \x07\n", (3, 10, "invalid_yaml")),
        ("appId: x\n---\n- " + "[" * 500, (3, 62, "invalid_yaml")),
    ],
)
def test_a_file_that_is_no_flow_says_where(text: str, found: tuple[int, int, str]) -> None:
    assert places(text)[0] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("- tapOn", (3, 3, "missing_value")),
        ("- tapOn:", (3, 9, "missing_value")),
        ("- tapOn:\n  id: x", (4, 3, "wrong_indent")),
        ("- tapOn: {id: x, belw: y}", (3, 18, "unknown_key")),
        ("- tapOn: {below: {id: x, foo: y}}", (3, 26, "unknown_key")),
        ("- tapOn: {index: 1}", (3, 10, "wrong_keys")),
        ("- tapOn: {text: a, index: b}", (3, 27, "wrong_value")),
        ("- tapOn: {text: a, enabled: yes}", (3, 29, "wrong_value")),
        ("- tapOn: {text: a, retryTapIfNoChange: true}", (3, 40, "not_supported")),
        ("- tapOn: [a]", (3, 10, "wrong_type")),
        ("- tapOn: {text: {a: b}}", (3, 17, "wrong_type")),
        ("- tapOn: {point: '120%,3%'}", (3, 18, "wrong_value")),
        ("- tapOn: {point: 3}", (3, 18, "wrong_value")),
        ("- tapOn: {text: a, text: b}", (3, 20, "duplicate_key")),
        ("- tapOn: {text: a, outward: maybe}", (3, 29, "wrong_value")),
        ("- tapOn: ${1 + 1}", (3, 10, "invalid_expression")),
        ('- tapOn: "${A} and ${B"', (3, 20, "invalid_expression")),
        ("- inputText: >-\n    one\n    ${B", (5, 5, "invalid_expression")),
        ("- &a back\n", (3, 3, "anchor")),
        ("- back\n- *a\n", (4, 3, "alias")),
        ("- !!str back\n", (3, 3, "tag")),
        ("- !!python/object:os.system back\n", (3, 3, "tag")),
        ("- openLink: {app: bilibili}", (3, 13, "wrong_keys")),
        ("- openLink: {link: a, app: b}", (3, 13, "wrong_keys")),
        ("- openLink: {link: a, browser: true}", (3, 32, "not_supported")),
        ("- swipe: {direction: UP, start: '1,1'}", (3, 10, "wrong_keys")),
        ("- swipe: {start: '1,1'}", (3, 10, "wrong_keys")),
        ("- swipe: {duration: 3}", (3, 10, "wrong_keys")),
        ("- scrollUntilVisible: {direction: UP}", (3, 23, "missing_key")),
        ("- runFlow: {file: a, commands: []}", (3, 12, "wrong_keys")),
        ("- runFlow: {file: a, else: b}", (3, 28, "not_supported")),
        ("- runFlow: {commands: [tapn: x]}", (3, 24, "unknown_command")),
        ("- repeat: {commands: [back]}", (3, 11, "wrong_keys")),
        ("- repeat: {times: 3}", (3, 11, "missing_key")),
        ("- pause: 2", (3, 10, "wrong_value")),
        ("- pace: quick", (3, 9, "wrong_value")),
        ("- launchApp: {permissions: {all: deny}}", (3, 28, "not_supported")),
        ("- [back]", (3, 3, "wrong_type")),
        ("- {}", (3, 3, "wrong_type")),
        ("- ? [a]\n  : b", (3, 5, "unknown_command")),
    ],
)
def test_a_wrong_command_says_where(body: str, found: tuple[int, int, str]) -> None:
    assert places(HEADER + body)[0] == found


def test_everything_is_found_at_once_and_in_order() -> None:
    with pytest.raises(FlowError) as caught:
        parse_flow("appId: x\nfoo: 1\n---\n- tapOn:\n- evalScript: x\n- tapon: a\n", path="a.yaml")

    findings = caught.value.details["findings"]
    assert [(item["line"], item["column"], item["code"]) for item in findings] == [
        (2, 1, "unknown_key"),
        (4, 9, "missing_value"),
        (5, 3, "refused"),
        (6, 3, "unknown_command"),
    ]
    assert findings[3] == {
        "file": "a.yaml",
        "line": 6,
        "column": 3,
        "code": "unknown_command",
        "severity": "error",
        "message": "`tapon` is not a command",
        "fix": "did you mean `tapOn`?",
    }
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", sorted({*NEVER, *NOT_YET, *NOT_YET_OURS}))
def test_a_command_that_is_not_run_is_refused_where_it_stands(name: str) -> None:
    _, findings = read_flow(f"{HEADER}- back\n- {name}: x\n", path="f")

    (finding,) = findings
    assert (finding.place.line, finding.place.column) == (4, 3)
    assert finding.code == ("refused" if name in NEVER else "not_supported")
    assert name not in COMMANDS
    if name in NEVER:
        assert finding.fix


def test_help_until_then_is_given_for_commands_that_are_not_there_yet() -> None:
    assert set(INSTEAD) <= NOT_YET | NOT_YET_OURS


def test_keys_of_a_header_that_mean_nothing_here_are_a_warning() -> None:
    flow = parse_flow("appId: x\njsEngine: graaljs\n---\n- back\n")

    assert [(warning.code, warning.severity, warning.place.line) for warning in flow.warnings] == [
        ("ignored_key", "warning", 2)
    ]


@given(st.text(alphabet=st.sampled_from("ab:-{}[]\"'#&*!|>%@`, \n\t\\$?~0"), max_size=80))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    flow, findings = read_flow(text, path="f")

    assert isinstance(flow, Flow)
    assert all(finding.place.line >= 1 and finding.place.column >= 1 and finding.message for finding in findings)


@given(
    st.recursive(st.sampled_from(sorted(COMMANDS)), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_any_tree_is_read_or_refused(tree: Any) -> None:
    import yaml

    flow, _ = read_flow(HEADER + yaml.safe_dump([tree]), path="f")

    assert all(isinstance(step, StepSpec) for step in flow.steps)
