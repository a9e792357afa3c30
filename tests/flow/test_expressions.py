from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.flow.expressions import ExpressionError, UnsetVariable, parse_template, truthy

VARIABLES = {"NAME": "ada", "EMPTY": "", "THREE": "3", "FLAG": "true", "TRICK": "${NAME}"}


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("plain $5 text", "plain $5 text"),
        ("${NAME}", "ada"),
        ("Hi ${ NAME }, ${NAME}!", "Hi ada, ada!"),
        (r"costs \${NAME}", "costs ${NAME}"),
        (r"\${NAME} is ${NAME}", "${NAME} is ada"),
        ('${OTHER || "you"}', "you"),
        ("${OTHER || 'you'}", "you"),
        ('${NAME || "you"}', "ada"),
        ('${EMPTY || "you"}', "you"),
        ('${A || B || "c"}', "c"),
        ('${"a } b"}', "a } b"),
        (r'${"say \"hi\""}', 'say "hi"'),
        ('${NAME == "ada"}', "true"),
        ('${NAME === "ada"}', "true"),
        ('${NAME != "ada"}', "false"),
        ("${!EMPTY}", "true"),
        ("${!(NAME == 'bob')}", "true"),
        ("${THREE == 3}", "true"),
        ("${THREE == 3.0 && THREE < 4}", "true"),
        ("${THREE >= 10}", "false"),
        ("${FLAG == true}", "true"),
        ("${FLAG && NAME}", "ada"),
        ("${1.5}", "1.5"),
        ("${3}", "3"),
        ("${true}", "true"),
        ("${null}", "null"),
        ("猫${NAME}咖", "猫ada咖"),
    ],
)
def test_a_template_renders(text: str, rendered: str) -> None:
    assert parse_template(text).render(VARIABLES) == rendered


def test_what_is_put_in_is_never_read_again() -> None:
    assert parse_template("${TRICK}").render(VARIABLES) == "${NAME}"
    assert parse_template("${A}${B}").render({"A": "${", "B": "NAME}"}) == "${NAME}"


@pytest.mark.parametrize("text", ["${MISSING}", "${MISSING == 'x'}", "${!MISSING}", "${MISSING || OTHER}"])
def test_an_unset_variable_without_a_default_is_an_error(text: str) -> None:
    with pytest.raises(UnsetVariable):
        parse_template(text).render(VARIABLES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("${NAME", "`${` without `}`"),
        ("${}", "`${}` is empty"),
        ("${1 + 1}", "`+` is not part of an expression"),
        ("${faker.name}", "`faker.name` needs JavaScript, which flows do not run here"),
        ("${output.result}", "`output.result` needs JavaScript, which flows do not run here"),
        ("${parseInt('3')}", "`parseInt` needs JavaScript, which flows do not run here"),
        ("${NAME NAME}", "`NAME` cannot follow here"),
        ("${NAME ==}", "the expression ends where a value is missing"),
        ("${== 3}", "`==` cannot stand here"),
        ("${(NAME}", "`(` without `)`"),
        ("${" + "!" * 1000 + "NAME}", "the expression is nested too deeply"),
        ("${" + "(" * 1000 + "NAME}", "the expression is nested too deeply"),
    ],
)
def test_what_is_no_expression_is_said(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_template(text)

    assert caught.value.message == message


def test_an_error_says_which_expression_it_is() -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_template(r"${NAME} \${x} ${1 + 1}")

    assert caught.value.index == 2


@given(st.text())
def test_any_text_either_renders_or_is_refused(text: str) -> None:
    try:
        template = parse_template(text)
    except ExpressionError:
        assert "${" in text
        return
    if "${" not in text:
        assert template.render({}) == text


@given(st.text().filter(lambda text: "${" not in text))
def test_a_value_comes_out_as_it_went_in(value: str) -> None:
    assert parse_template("<${NAME}>").render({"NAME": value}) == f"<{value}>"


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("true", True),
        ("x", True),
        ("1", True),
        ("", False),
        ("false", False),
        ("0", False),
        ("0.0", False),
        ("null", False),
    ],
)
def test_a_condition_is_judged_as_maestro_does(text: str, yes: bool) -> None:
    assert truthy(text) is yes
