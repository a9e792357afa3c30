"""The documents of a virtual phone → `PhoneSpec`: `phone.yaml` and one file an app.

Pure: texts in, values out; `store` reads the files. What stands inside a screen is read by `screens`. Everything wrong
is a `DocumentError` with file, line and column.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from controller.errors import DocumentError
from controller.virtual.displays import ExtraDisplay
from controller.virtual.document import Place, parse, require
from controller.virtual.faults import Fault, When, check_arguments
from controller.virtual.grammar import ACTIVITY_KEYS, APP_KEYS, PACKAGE_KEYS, PHONE_KEYS
from controller.virtual.intents import LinkPattern, full_class
from controller.virtual.screens import ScreenReader
from controller.virtual.spec import (
    Action,
    ActivitySpec,
    Condition,
    DialogSpec,
    ImeSpec,
    PackageSpec,
    PhoneSpec,
    StrictSpec,
)
from controller.virtual.ui import Rect

__all__ = ["read_app", "read_phone"]

_FIRST_UID = 10100
_MODES = ("standard", "singleTop", "singleTask", "singleInstance")


def read_phone(documents: Mapping[str, str], *, name: str, problems: list[DocumentError] | None = None) -> PhoneSpec:
    """The phone that the documents describe: `phone.yaml` and `apps/*.yaml`, by their paths.

    With `problems` everything that is wrong inside the documents is gathered in them, as far as it can be read.

    Raises:
        DocumentError: Something in them is wrong.
    """
    main = next((path for path in documents if path.endswith("phone.yaml")), None)
    if main is None:
        raise parse("", f"{name}/phone.yaml").fail("")  # parse itself says that the file is empty
    packages: dict[str, PackageSpec] = {}
    uid = _FIRST_UID
    for path in sorted(path for path in documents if path != main):
        for package in _read_app(documents[path], path, uid, problems):
            packages[package.name] = package
            uid += 1
    return _phone(parse(documents[main], main, problems), name, packages)


def read_app(
    text: str, path: str, *, first_uid: int = _FIRST_UID, problems: list[DocumentError] | None = None
) -> tuple[PackageSpec, ...]:
    """The package or packages of one app file; `problems` as in `read_phone`.

    Raises:
        DocumentError: Something in it is wrong.
    """
    root = parse(text, path, problems)
    fields = root.fields(APP_KEYS)
    if "packages" in fields:
        return tuple(
            _package(fields | entry.fields(PACKAGE_KEYS), entry, first_uid + number)
            for number, entry in enumerate(fields["packages"].entries())
        )
    return (_package(fields, root, first_uid),)


def _read_app(text: str, path: str, first_uid: int, problems: list[DocumentError] | None) -> tuple[PackageSpec, ...]:
    try:
        return read_app(text, path, first_uid=first_uid, problems=problems)
    except DocumentError as problem:
        if problems is None:
            raise
        problems.append(problem)
        return ()


def _package(fields: Mapping[str, Place], owner: Place, uid: int) -> PackageSpec:
    name = require(fields, "package", owner).text()
    parts = dict(fields["parts"].fields()) if "parts" in fields else {}
    reader = ScreenReader(parts)
    data = {key: place.attempt(partial(_rows, place)) or () for key, place in _named(fields, "data")}
    dialogs = {
        key: place.attempt(partial(reader.dialog, place)) or DialogSpec() for key, place in _named(fields, "dialogs")
    }
    surfaces = {key: reader.elements(place) for key, place in _named(fields, "surfaces")}
    activities = _activities(fields, name, reader)
    strict = _strict(fields["strict"], reader) if "strict" in fields else None
    _check_references(reader, name, activities, dialogs, data)
    version = fields["version"].fields(["name", "code"]) if "version" in fields else {}
    return PackageSpec(
        name=name,
        label=require(fields, "label", owner).text(),
        uid=fields["uid"].integer(least=1000) if "uid" in fields else uid,
        version_name=_text(version, "name") or "1.0",
        version_code=version["code"].integer(least=1) if "code" in version else 1,
        target_sdk=fields["target_sdk"].integer(least=1) if "target_sdk" in fields else 34,
        system=_flag(fields, "system"),
        hidden=_flag(fields, "hidden"),
        color=_text(fields, "color") or "#607d8b",
        icon=_text(fields, "icon"),
        permissions=tuple(place.text() for place in fields["permissions"].entries()) if "permissions" in fields else (),
        activities=MappingProxyType(activities),
        dialogs=MappingProxyType(dialogs),
        surfaces=MappingProxyType(surfaces),
        data=MappingProxyType(data),
        state=MappingProxyType(fields["state"].texts() if "state" in fields else {}),
        strict=strict,
        splash_s=fields["splash"].number(least=0) if "splash" in fields else 0,
        browser=_flag(fields, "browser"),
    )


def _activities(fields: Mapping[str, Place], package: str, reader: ScreenReader) -> dict[str, ActivitySpec]:
    found: dict[str, ActivitySpec] = {}
    for short, place in _named(fields, "activities"):
        name = full_class(package, short)
        activity = place.attempt(partial(_activity_of, name, package, place, reader))
        if activity is not None:
            found[name] = activity
        elif place.problems is not None:
            found[name] = ActivitySpec(name)  # what leads to it is not wrong, too
    return found


def _activity_of(name: str, package: str, place: Place, reader: ScreenReader) -> ActivitySpec | None:
    """The activity, where the package has it."""
    options = place.fields(ACTIVITY_KEYS)
    if "only" in options and package not in [entry.text() for entry in options["only"].many()]:
        return None
    return _activity(name, package, options, reader)


def _activity(name: str, package: str, fields: Mapping[str, Place], reader: ScreenReader) -> ActivitySpec:
    launcher = _flag(fields, "launcher")
    links = tuple(_links(fields["links"], package, reader)) if "links" in fields else ()
    actions = tuple(place.text() for place in fields["actions"].entries()) if "actions" in fields else ()
    home = _flag(fields, "home")
    implied = launcher or home or bool(links) or bool(actions)
    if "otherwise" in fields:
        reader.references.append((fields["otherwise"], "activity", fields["otherwise"].text()))
    return ActivitySpec(
        name=name,
        label=_text(fields, "label"),
        mode=fields["mode"].choice(_MODES) if "mode" in fields else "standard",
        exported=fields["exported"].boolean() if "exported" in fields else implied,
        launcher=launcher,
        home=home,
        actions=actions,
        links=links,
        body=reader.elements(fields["body"]) if "body" in fields else (),
        params=tuple(fields["params"].texts().items()) if "params" in fields else (),
        lookup=_lookup(fields["lookup"], reader) if "lookup" in fields else None,
        pages=tuple(place.text() for place in fields["pages"].entries()) if "pages" in fields else (),
        focus=_text(fields, "focus"),
        loading_s=fields["loading"].number(least=0) if "loading" in fields else 0,
        timers=reader.timers(fields["after"]) if "after" in fields else (),
        on_start=_do(fields, "on_start", reader),
        on_back=_do(fields, "on_back", reader),
        needs=_condition(fields, "needs", reader),
        otherwise=_text(fields, "otherwise"),
        secure=_flag(fields, "secure"),
        translucent=_flag(fields, "translucent"),
        soft_input=fields["soft_input"].choice(["pan", "resize", "hidden"]) if "soft_input" in fields else "pan",
        background=_text(fields, "background") or "#ffffff",
        orientation=fields["orientation"].choice(["portrait", "landscape"]) if "orientation" in fields else "",
        no_history=_flag(fields, "no_history"),
    )


def _links(place: Place, package: str, reader: ScreenReader) -> list[LinkPattern]:
    # links: ["bilibili://home", {uri: "bilibili://video/{bvid}", open: .Detail, set: {…}, verified: true, only: […]}]
    links = []
    for entry in place.entries():
        if entry.is_text:
            links.append(LinkPattern(_uri(entry)))
            continue
        fields = entry.fields(["uri", "open", "set", "verified", "only"])
        if "only" in fields and package not in [name.text() for name in fields["only"].many()]:
            continue
        if "open" in fields:
            reader.references.append((fields["open"], "activity", fields["open"].text()))
        links.append(
            LinkPattern(
                _uri(require(fields, "uri", entry)),
                _text(fields, "open"),
                _flag(fields, "verified"),
                tuple(fields["set"].texts().items()) if "set" in fields else (),
            )
        )
    return links


def _uri(place: Place) -> str:
    uri = place.text()
    if ":" not in uri:
        place.fail(f"`{uri}` is no URI: it has no scheme")
    return uri


def _lookup(place: Place, reader: ScreenReader) -> tuple[str, str, str]:
    # lookup: {data: videos, key: bvid, value: "{bvid}"}
    fields = place.fields(["data", "key", "value"])
    data = require(fields, "data", place)
    reader.references.append((data, "data", data.text()))
    return data.text(), require(fields, "key", place).text(), require(fields, "value", place).text()


def _rows(place: Place) -> tuple[Mapping[str, str], ...]:
    """A list of rows, or `{repeat: 40, row: {title: "第{n}集"}, cycle: {name: [a, b]}}`."""
    if place.is_list:
        return tuple(MappingProxyType(entry.texts()) for entry in place.entries())
    fields = place.fields(["repeat", "row", "cycle"])
    count = require(fields, "repeat", place).integer(least=0)
    row = require(fields, "row", place).texts()
    cycles = (
        {k: [entry.text() for entry in v.entries()] for k, v in fields["cycle"].fields().items()}
        if "cycle" in fields
        else {}
    )
    return tuple(MappingProxyType(_repeated(row, cycles, number)) for number in range(1, count + 1))


def _repeated(row: Mapping[str, str], cycles: Mapping[str, list[str]], number: int) -> dict[str, str]:
    values = {name: options[(number - 1) % len(options)] for name, options in cycles.items()}
    return values | {name: text.replace("{n}", str(number)) for name, text in row.items()} | {"n": str(number)}


def _strict(place: Place, reader: ScreenReader) -> StrictSpec:
    fields = place.fields(
        ["min_new_screen_s", "min_same_screen_s", "min_grapheme_s", "max_screens", "rest_s", "free_scroll", "then"]
    )
    spec = StrictSpec()
    numbers = {name: value.number(least=0) for name, value in fields.items() if name != "then"}
    return StrictSpec(
        numbers.get("min_new_screen_s", spec.min_new_screen_s),
        numbers.get("min_same_screen_s", spec.min_same_screen_s),
        numbers.get("min_grapheme_s", spec.min_grapheme_s),
        numbers.get("max_screens", spec.max_screens),
        numbers.get("rest_s", spec.rest_s),
        numbers.get("free_scroll", spec.free_scroll),
        _do(fields, "then", reader),
    )


def _check_references(
    reader: ScreenReader,
    package: str,
    activities: Mapping[str, ActivitySpec],
    dialogs: Mapping[str, object],
    data: Mapping[str, object],
) -> None:
    known = {"activity": activities, "dialog": dialogs, "data": data}
    for place, what, name in reader.references:
        wanted = full_class(package, name) if what == "activity" else name
        if wanted not in known[what]:
            names = ", ".join(key.removeprefix(package) for key in known[what]) or "none"
            message, hint = f"there is no {what} `{name}` in {package}", f"there are: {names}"
            place.attempt(partial(place.fail, message, hint=hint))


def _phone(root: Place, name: str, packages: Mapping[str, PackageSpec]) -> PhoneSpec:
    fields = root.fields(PHONE_KEYS)
    screen = require(fields, "screen", root)
    sizes = screen.fields(["width", "height", "density", "cutout"])
    model = require(fields, "model", root).text()
    settings = fields["settings"].fields(["system", "secure", "global"]) if "settings" in fields else {}
    return PhoneSpec(
        name=name,
        serial=require(fields, "serial", root).text(),
        model=model,
        manufacturer=_text(fields, "manufacturer") or "unknown",
        brand=_text(fields, "brand") or "generic",
        product=_text(fields, "product") or model.replace(" ", "_").lower(),
        device=_text(fields, "device") or model.replace(" ", "_").lower(),
        width=require(sizes, "width", screen).integer(least=100),
        height=require(sizes, "height", screen).integer(least=100),
        density=require(sizes, "density", screen).integer(least=60),
        packages=MappingProxyType(dict(packages)),
        imes=tuple(_ime(entry) for entry in fields["imes"].entries()) if "imes" in fields else (),
        props=MappingProxyType(fields["props"].texts() if "props" in fields else {}),
        settings=MappingProxyType(
            {(space, key): value for space, place in settings.items() for key, value in place.texts().items()}
        ),
        files=MappingProxyType(fields["files"].texts() if "files" in fields else {}),
        wall=fields["wall"].number(least=0) if "wall" in fields else 1_760_000_000.0,
        locale=_text(fields, "locale") or "zh-CN",
        time_zone=_text(fields, "time_zone") or "Asia/Shanghai",
        utc_offset_h=fields["utc_offset"].number() if "utc_offset" in fields else 8,
        displays=tuple(_display(entry) for entry in fields["displays"].entries()) if "displays" in fields else (),
        cutout=_cutout(sizes["cutout"]) if "cutout" in sizes else None,
        faults=tuple(_fault(entry) for entry in fields["faults"].entries()) if "faults" in fields else (),
    )


def _fault(place: Place) -> Fault:
    # - {name: popup, title: 青少年模式, when: tv.danmaku.bili, after: 3, count: 1}
    fields = place.fields()
    name = require(fields, "name", place).text()
    args = {key: value.text() for key, value in fields.items() if key not in ("name", "when", "after", "count")}
    place.convert(lambda: check_arguments(name, args))
    return Fault(
        name,
        args,
        fields["after"].number(least=0) if "after" in fields else 0.0,
        fields["count"].integer(least=1) if "count" in fields else None,
        _when(fields["when"]) if "when" in fields else When(),
    )


def _when(place: Place) -> When:
    if place.is_text:
        return When(app=place.text())
    fields = place.fields(["app", "doing"])
    return When(app=_text(fields, "app"), doing=_text(fields, "doing"))


def _display(place: Place) -> ExtraDisplay:
    # - {id: 1, width: 748, height: 720, density: 340, name: Cover Screen, physical: "4619827677550801153"}
    fields = place.fields(["id", "width", "height", "density", "name", "physical"])
    width, height, density = (require(fields, name, place).integer(least=60) for name in ("width", "height", "density"))
    number = require(fields, "id", place).integer(least=1)
    return ExtraDisplay(
        number, width, height, density, _text(fields, "name") or "Cover Screen", _text(fields, "physical")
    )


def _cutout(place: Place) -> Rect:
    # cutout: [left, top, right, bottom]
    numbers = [entry.integer(least=0) for entry in place.entries()]
    if len(numbers) != 4 or Rect(*numbers).empty:
        place.fail("expected left, top, right and bottom of the hole in pixels")
    return Rect(*numbers)


def _ime(place: Place) -> ImeSpec:
    fields = place.fields(["id", "label", "enabled", "height"])
    return ImeSpec(
        require(fields, "id", place).text(),
        require(fields, "label", place).text(),
        fields["enabled"].boolean() if "enabled" in fields else True,
        fields["height"].number(least=0) if "height" in fields else 270,
    )


def _named(fields: Mapping[str, Place], name: str) -> list[tuple[str, Place]]:
    """The pairs of a mapping that need not be there."""
    return list(fields[name].fields().items()) if name in fields else []


def _text(fields: Mapping[str, Place], name: str) -> str:
    return fields[name].text() if name in fields else ""


def _flag(fields: Mapping[str, Place], name: str) -> bool:
    return fields[name].boolean() if name in fields else False


def _do(fields: Mapping[str, Place], name: str, reader: ScreenReader) -> tuple[Action, ...]:
    return reader.actions(fields[name]) if name in fields else ()


def _condition(fields: Mapping[str, Place], name: str, reader: ScreenReader) -> Condition | None:
    return reader.condition(fields[name]) if name in fields else None
