"""A right APP.md, SITE.md and SKILL.md as text, to be changed in one place by each test."""

from __future__ import annotations

from controller.library.app import App, check_app, parse_app
from controller.library.findings import Finding
from controller.library.reader import read_document
from controller.library.site import Site, check_site, parse_site
from controller.library.skill import Skill, check_skill, parse_skill

APP = """---
name: example
display: 样例
description: 看样例的 App
packages: ["com.example.app", "com.example.lite"]
package_aliases:
  - 极速版 | com.example.lite
aliases: ["例子", "Example"]
sites: ["example.com"]
open: 样例
pace: careful
links:
  - 首页 | example://home | com.example.app
  - 搜索 | example://search?q={keyword} | com.example.app
---
## 是什么
一个样例。`com.example.app` 是常用的，极速版少一些功能。

## 界面
首页下面有三个标签。

## 功能
- **搜索**：首页上方的搜索框；不登录可用。

## 已知现象
- 首页网格里的「外卖」和底部标签的「外卖」是两个入口。
"""

SITE = """---
name: example.com
display: 样例
description: 看样例的网站
domains: ["example.com", "ex.am"]
aliases: ["例子"]
apps: ["example"]
open: example.com
mode: desktop
pace: careful
links:
  - 搜索 | https://example.com/search?q={keyword}
---
## 是什么
一个样例。

## 页面与网址
搜索页是 `https://example.com/search?q=词`。

## 功能
- **搜索**：搜索页；不登录可用。
"""

SKILL = """---
name: pdf-text
display: 取 PDF 文字
description: 要从 PDF 里取出文字时用
aliases: ["读 PDF"]
terms: ["OCR"]
apps: []
---
## 入口
打开文件。

## 步骤
1. 在 app:example 里打开它。

## 容易出错的地方
扫描件没有文字。

## 怎样算办成（核实证据）
文字与页面一致。

## 什么时候停下交给用户
文件要密码。
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made; a change that finds nothing is a mistake of the test."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def app_of(text: str, *, folder: str = "example", trusted: bool = False) -> tuple[App | None, list[Finding]]:
    """The app and everything that is wrong with its document."""
    document = read_document(text.encode(), path="APP.md")
    app, findings = parse_app(document, folder=folder, trusted=trusted)
    more = check_app(document, app) if app is not None else ()
    return app, [*findings, *more]


def site_of(text: str, *, folder: str = "example.com") -> tuple[Site | None, list[Finding]]:
    """The site and everything that is wrong with its document."""
    document = read_document(text.encode(), path="SITE.md")
    site, findings = parse_site(document, folder=folder)
    more = check_site(document, site) if site is not None else ()
    return site, [*findings, *more]


def skill_of(text: str, *, folder: str = "pdf-text") -> tuple[Skill | None, list[Finding]]:
    """The skill and everything that is wrong with its document."""
    document = read_document(text.encode(), path="SKILL.md")
    skill, findings = parse_skill(document, folder=folder)
    more = check_skill(document, skill) if skill is not None else ()
    return skill, [*findings, *more]


def said(findings: list[Finding]) -> list[str]:
    """Findings in short: `error package_form 5:14`."""
    return [f"{each.severity.value} {each.code} {each.line}:{each.column}" for each in findings]
