"""The rules of APP.md. The numbers in the ids are those of the table of rules that the formats were built from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.library.app import App, AppLink, Pace, check_app, parse_app
from controller.library.checks import check_functions
from controller.library.fields import Fields
from controller.library.findings import Edit, Severity
from controller.library.reader import read_document
from controller.library.sections import APP_SECTIONS, sections_of
from tests.library.documents import APP, app_of, changed, said


def test_a_right_document_is_an_app_without_findings() -> None:
    app, findings = app_of(APP)

    assert findings == []
    assert app is not None
    assert replace(app, body="") == App(
        id="example",
        display="样例",
        description="看样例的 App",
        packages=("com.example.app", "com.example.lite"),
        package_aliases=(("极速版", "com.example.lite"),),
        aliases=("例子", "Example"),
        sites=("example.com",),
        open="样例",
        pace=Pace.CAREFUL,
        links=(
            AppLink("首页", "example://home", "com.example.app", line=13),
            AppLink("搜索", "example://search?q={keyword}", "com.example.app", line=14),
        ),
        path="APP.md",
    )
    assert app.body.startswith("## 是什么\n")
    assert app.reference == "app:example"
    assert app.links[1].parameters == ("keyword",)


HEADER_RULES = [
    ("row16-other-folder", [("name: example", "name: other")], "error name_folder 2:7"),
    ("row16-upper-case", [("name: example", "name: Example")], "error name_folder 2:7"),
    ("row16-missing", [("name: example\n", "")], "error missing_field 1:1"),
    ("row17-missing", [("display: 样例\n", "")], "error missing_field 1:1"),
    ("row17-empty", [("display: 样例", "display:")], "error empty_field 3:9"),
    ("row18-61", [("看样例的 App", "字" * 61)], "error description_length 4:14"),
    ("row18-missing", [("description: 看样例的 App\n", "")], "error missing_field 1:1"),
    ("row19-form", [('"com.example.app", ', '"com.example.app", "no package", ')], "error package_form 5:31"),
    ("row19-one-part", [('"com.example.app", ', '"com.example.app", "example", ')], "error package_form 5:31"),
    ("row19-mapping", [('["com.example.app", "com.example.lite"]', "{a: b}")], "error not_list 5:11"),
    (
        "row20-unknown-package",
        [("极速版 | com.example.lite", "极速版 | com.example.pro")],
        "error package_alias_package 7:5",
    ),
    ("row20-form", [("极速版 | com.example.lite", "极速版")], "error package_alias_form 7:5"),
    ("row21-twice", [('["例子", "Example"]', '["例子", "例子"]')], "warning duplicate_item 8:17"),
    ("row24-two-fields", [(" | example://home | com.example.app", " | example://home")], "error link_fields 13:5"),
    ("row24-no-title", [("首页 | example://home", " | example://home")], "error link_fields 13:6"),
    (
        "row24-other-package",
        [("example://home | com.example.app", "example://home | com.other")],
        "error link_package 13:27",
    ),
    ("row24-twice", [("搜索 | example://search", "首页 | example://search")], "error duplicate_link 14:5"),
    ("row24-no-scheme", [("example://home", "home")], "error uri_scheme 13:10"),
    ("row24-space", [("example://home", "example://ho me")], "error uri_white_space 13:10"),
    ("row24-intent-broken", [("example://home", "intent:#Intent;scheme=x")], "error intent_malformed 13:10"),
    ("row24-intent-package", [("example://home", "intent:x#Intent;package=com.b;end")], "error intent_package 13:10"),
    ("row25-fast", [("pace: careful", "pace: fast")], "error pace_value 11:7"),
    ("row25-true", [("pace: careful", "pace: true")], "error pace_value 11:7"),
    ("row25-empty", [("pace: careful", 'pace: ""')], "error pace_value 11:7"),
    ("row25-case", [("pace: careful", "pace: Careful")], "error pace_value 11:7"),
    ("row68-terms", [("pace: careful", "pace: careful\nterms: [a]")], "error removed_field 12:1"),
    ("row71-risk", [("pace: careful", "pace: careful\nrisk: high")], "error removed_field 12:1"),
    ("row71-verified-on", [("pace: careful", "pace: careful\nverified_on: 2024-01-01")], "error removed_field 12:1"),
    ("unknown-key", [("\naliases:", "\nalias:")], "warning unknown_key 8:1"),
]


@pytest.mark.parametrize(
    ("changes", "finding"), [row[1:] for row in HEADER_RULES], ids=[row[0] for row in HEADER_RULES]
)
def test_header_rules(changes: list[tuple[str, str]], finding: str) -> None:
    assert finding in said(app_of(changed(APP, *changes))[1])


BODY_RULES = [
    ("row07-invent", "不要编造价格。", "error conduct 20:11"),
    ("row07-hand-over", "付款交给用户。", "error conduct 20:13"),
    ("row07-confirm", "付款前需确认。", "error conduct 20:14"),
    ("row07-consent", "付款要征得用户同意。", "error conduct 20:14"),
    ("row07-stop", "遇到登录停止操作。", "error conduct 20:15"),
    ("row07-must", "You must log in first.", "error conduct 20:11"),
    ("row08-batch", "本批内容。", "error banned_word 20:11"),
    ("row08-evidence", "页面有证据。", "error banned_word 20:14"),
    ("row08-general", "总则如下。", "error banned_word 20:11"),
    ("row08-channel", "另一条通道。", "error banned_word 20:14"),
    ("row08-scope", "The scope is wide.", "error banned_word 20:15"),
    ("row08-stops", "It stops here.", "error banned_word 20:14"),
    ("row08-features", "Features are many.", "error banned_word 20:11"),
    ("row09-reference", "见 skill:pdf-text。", "error skill_mention 20:13"),
    ("row09-words", "按取文字技能做。", "error skill_mention 20:11"),
    ("row12-screen", "看屏幕上方。", "warning screen_word 20:11"),
]


@pytest.mark.parametrize(("sentence", "finding"), [row[1:] for row in BODY_RULES], ids=[row[0] for row in BODY_RULES])
def test_words_that_knowledge_does_not_use(sentence: str, finding: str) -> None:
    text = changed(APP, ("首页下面有三个标签。", f"首页下面有三个标签。{sentence}"))
    # The sentence begins in column 11 of line 20.

    assert said(app_of(text)[1]) == [finding]


@pytest.mark.parametrize(
    "sentence",
    [
        "参数 `scope` 与 https://a.b/features?stops=1 照写。",
        "微信授权登录后返回；分别有两个入口；类别在左。",
        "点「停止播放」回到列表。",
        "登录前要勾选用户协议。",
    ],
)
def test_row15_identifiers_and_plain_facts_are_left_alone(sentence: str) -> None:
    assert app_of(changed(APP, ("首页下面有三个标签。", sentence)))[1] == []


@pytest.mark.parametrize("order", ["勿点底部标签", "请勿连点", "不要点广告", "别点第二个", "Do not tap the banner"])
def test_row11_known_behaviour_is_described_and_not_ordered(order: str) -> None:
    text = changed(APP, ("- 首页网格里的「外卖」和底部标签的「外卖」是两个入口。", f"- {order}。"))

    assert said(app_of(text)[1]) == ["warning order 26:3"]


def test_row13_a_body_has_2500_characters_without_white_space() -> None:
    head = "## 是什么\n`com.example.app` 极速版\n## 界面\n一\n## 功能\n"
    room = 2500 - sum(not character.isspace() for character in head)
    header = APP.split("## 是什么")[0]

    assert app_of(header + head + "字" * room + " \n" * 900)[1] == []
    assert said(app_of(header + head + "字" * (room + 1))[1]) == ["error body_length 16:1"]


def test_row14_attachments_and_their_mentions_belong_together() -> None:
    text = changed(APP, ("首页下面有三个标签。", "代码见 references/codes.md，站名见 `references/站名.md`。"))
    document = read_document(text.encode(), path="APP.md")
    app, _ = parse_app(document, folder="example")
    assert app is not None

    findings = check_app(document, app, attachments=("站名.md", "lost.md"))

    assert said(list(findings)) == ["error missing_attachment 20:5", "warning unmentioned_attachment 16:1"]
    assert check_app(document, app, attachments=("站名.md", "codes.md")) == ()


def test_row15_addresses_keep_their_letters() -> None:
    text = changed(APP, ("example://home", "EXAMPLE://Home/%E7%8C%AB?A=b#C"), ("com.example.app", "com.Example.App"))
    app, findings = app_of(text)

    assert findings == []
    assert app is not None
    assert app.links[0].uri == "EXAMPLE://Home/%E7%8C%AB?A=b#C"
    assert app.packages[0] == "com.Example.App"


def test_row18_a_description_has_60_characters_without_white_space() -> None:
    assert app_of(changed(APP, ("看样例的 App", "字 " * 60)))[1] == []


def test_row19_an_app_without_a_package_is_none() -> None:
    app, findings = app_of(changed(APP, ('["com.example.app", "com.example.lite"]', "[]")))

    assert app is None
    assert "error no_packages 5:11" in said(findings)


def test_row21_lists_may_be_block_lists() -> None:
    app, findings = app_of(changed(APP, ('["例子", "Example"]', "\n  - 例子\n  - Example")))

    assert findings == []
    assert app is not None
    assert app.aliases == ("例子", "Example")


def test_row21_duplicates_are_removed() -> None:
    app, _ = app_of(changed(APP, ('["例子", "Example"]', "例子, 例子, Example")))

    assert app is not None
    assert app.aliases == ("例子", "Example")


def test_row23_open_falls_back_to_the_display_name() -> None:
    app, _ = app_of(changed(APP, ("open: 样例\n", "")))

    assert app is not None
    assert app.open == "样例"


def test_row25_no_pace_is_none() -> None:
    app, findings = app_of(changed(APP, ("pace: careful\n", "")))

    assert findings == []
    assert app is not None
    assert app.pace is None


def test_row25_another_case_can_be_repaired() -> None:
    _, findings = app_of(changed(APP, ("pace: careful", "pace: Careful")))

    assert findings[0].edit == Edit(11, 7, 14, "careful")


@pytest.mark.parametrize("heading", ["是什么", "界面", "功能"])
def test_row26_three_sections_must_be_there(heading: str) -> None:
    _, findings = app_of(changed(APP, (f"## {heading}\n", f"### {heading}\n")))

    assert "error missing_section 16:1" in said(findings)


def test_row26_known_behaviour_may_be_left_out_but_not_empty() -> None:
    known = "## 已知现象\n- 首页网格里的「外卖」和底部标签的「外卖」是两个入口。\n"

    assert app_of(changed(APP, (known, "")))[1] == []
    assert said(app_of(changed(APP, (known, "## 已知现象\n")))[1]) == ["warning empty_section 25:1"]


def test_row26_headings_may_be_english() -> None:
    pairs = [("是什么", "What it is"), ("界面", "Screens"), ("功能", "Functions"), ("已知现象", "Known behaviour")]

    assert app_of(changed(APP, *((f"## {zh}", f"## {en}") for zh, en in pairs)))[1] == []


def test_row26_headings_in_code_are_no_headings() -> None:
    _, findings = app_of(changed(APP, ("## 界面\n首页下面有三个标签。", "```\n## 界面\n```")))

    assert said(findings) == ["error missing_section 16:1"]


def test_row27_functions_have_names_in_bold() -> None:
    text = changed(APP, ("- **搜索**：首页上方", "- 收藏在我的页\n- **看：** 点卡片\n- **搜索**：首页上方"))
    document = read_document(text.encode(), path="APP.md")
    sections = sections_of(document.body, first_line=document.body_line, expected=APP_SECTIONS)
    fields = Fields(document)

    bullets = check_functions(fields, sections)

    assert bullets == (("看", "点卡片"), ("搜索", "首页上方的搜索框；不登录可用。"))
    assert said(fields.findings) == ["warning function_name 23:1"]


def test_row28_each_package_is_explained() -> None:
    text = changed(APP, ("极速版少一些功能", "没有别的"))

    assert said(app_of(text)[1]) == ["warning packages_unexplained 16:1"]


def test_unknown_keys_are_kept_and_the_nearest_known_key_is_named() -> None:
    app, findings = app_of(changed(APP, ("\naliases:", "\nalias:")))

    assert app is not None
    assert app.extra == (("alias", '["例子", "Example"]'),)
    assert findings[0].fix == "write `aliases`"


@pytest.mark.parametrize(
    ("title", "paying"),
    [
        *((title, True) for title in ("付款码", "转账", "生活缴费", "Send money", "Pay", "Checkout")),
        *((title, False) for title in ("收款码", "支付宝首页", "PayPal", "Transferred files", "首页")),
    ],
)
def test_a_link_whose_title_pays_is_marked(title: str, paying: bool) -> None:
    app, _ = app_of(changed(APP, ("首页 | ", f"{title} | ")))

    assert app is not None
    assert app.links[0].pays is paying


def test_an_intent_with_a_component_belongs_to_the_built_in_library() -> None:
    uri = "intent:#Intent;component=com.example.app/.Main;end"
    text = changed(APP, ("example://home", uri))

    assert said(app_of(text)[1]) == ["warning intent_refused 13:10"]
    app, findings = app_of(text, trusted=True)
    assert findings == []
    assert app is not None
    assert app.links[0].trusted


def test_an_unreadable_header_is_no_app() -> None:
    app, findings = app_of("no header")

    assert app is None
    assert [finding.severity for finding in findings] == [Severity.ERROR]
