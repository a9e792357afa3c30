"""What happens where a client cannot be had."""

from __future__ import annotations

import pytest

from tests.clients import environments


def test_a_missing_tool_skips_with_the_reason_on_a_developers_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no-such-tool is not installed"):
        environments.tool("no-such-tool")


def test_a_missing_tool_fails_in_continuous_integration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")

    with pytest.raises(pytest.fail.Exception, match="no-such-tool is not installed"):
        environments.tool("no-such-tool")


@pytest.mark.slow
def test_an_environment_that_cannot_be_made_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setattr(environments, "CACHE", tmp_path_factory.mktemp("clients"))
    monkeypatch.delenv("CI", raising=False)

    with pytest.raises(pytest.skip.Exception, match=r"cannot install into nothing-\w+: .*no-such-folder"):
        environments.python_environment("nothing", "./no-such-folder")
