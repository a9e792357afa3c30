"""The composition root: the real clock, the random source, a transport and the library become a `Session`.

The only module that chooses defaults, and the only one of the library that may start the embedded virtual phone.
The environment is not read here: `cli` reads it into a `Config`.
"""

from __future__ import annotations

import json
import os
import random
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.adb.client import AdbDevice, AdbServer, ensure_server
from controller.adb.states import Kind
from controller.clock import Clock, SystemClock
from controller.device import doctor
from controller.device.doctor import Check, Health
from controller.device.keyboards import restore_keyboard
from controller.device.phone import Phone
from controller.device.profile import FindBy, Profile, load_profile, profile_names
from controller.errors import UsageError
from controller.library.catalog import Library, load_library
from controller.library.roots import Root, Trust, find_roots
from controller.pace import Speed
from controller.session import Session
from controller.step import Progress
from controller.task import FileTasks, MemoryTasks, TaskJournal, Tasks, phone_folder
from controller.trace import Trace

if TYPE_CHECKING:
    from controller.capture import Film
    from controller.library.shelf import Shelf
    from controller.screen.dumpsys import Foreground
    from controller.virtual.server import VirtualServer
    from controller.wire.adb.host import DeviceLine

__all__ = [
    "Config",
    "connect",
    "data_folder",
    "draw_map",
    "examine",
    "fault_table",
    "latency_profiles",
    "library_roots",
    "list_devices",
    "open_library",
    "open_shelf",
    "open_tasks",
    "serve_virtual",
    "steer_virtual",
]

_KINDS = {FindBy.USB: Kind.USB, FindBy.EMULATOR: Kind.EMULATOR}


@dataclass(frozen=True, slots=True)
class Config:
    """What a person chose.

    Args:
        device: A serial, a profile's name, the path of a profile file or of a virtual phone's folder; None for the only
            phone there is.
        serial: The phone where `device` names none (`ANDROID_SERIAL`).
        adb_host: The adb server's host.
        adb_port: Its port.
        library: Folders of own knowledge, before all others; the first wins.
        project: The folder that the person works in, whose `.agents` is read once it is trusted; None for none.
        home: Where tasks, own knowledge and skills, and choices are kept; None for the person's own folders.
        speed: The person's choice; None for the task's, else the profile's.
        path: Where an adb program may be found (`PATH`); None for the one that comes along.
    """

    device: str | None = None
    serial: str | None = None
    adb_host: str = "127.0.0.1"
    adb_port: int = 5037
    library: tuple[Path, ...] = ()
    project: Path | None = None
    home: Path | None = None
    speed: Speed | None = None
    path: str | None = None


def connect(
    config: Config,
    *,
    trace: Trace | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
    rng: random.Random | None = None,
    film: Film | None = None,
) -> Session:
    """A session on the phone that `config` means; with a film all that is seen and done is recorded.

    Raises:
        DeviceError: No usable phone; the subclass says why, the hint what to do.
        UsageError: The device names no profile.
    """
    clock = clock or SystemClock()
    profile = _profile(config)
    booted: VirtualServer | None = None
    if profile.find is FindBy.VIRTUAL:
        device, booted = _virtual_device(config, profile, clock)
    else:
        device = _adb_device(config, profile, clock)
    tasks: Tasks = MemoryTasks() if booted else FileTasks(phone_folder(_home(config), device.serial))
    if film is not None:
        from controller.capture import FilmedPhone

        phone: Phone = FilmedPhone(device, profile, clock, film=film)
    else:
        phone = Phone(device, profile=profile, clock=clock)
    session = Session(
        phone,
        library=open_library(config),
        tasks=tasks,
        clock=clock,
        rng=rng or random.Random(),
        speed=config.speed,
        trace=trace,
        progress=progress,
    )
    if booted:
        session.on_close(booted.close)
    if tasks.read().journal:
        # An earlier command was killed before it could put the person's keyboard back.
        restore_keyboard(phone, TaskJournal(tasks))
    return session


def open_library(config: Config) -> Library:
    """The knowledge of `config`: what was named, what the project and the person have, what is built in."""
    return load_library(library_roots(config))


def library_roots(config: Config) -> tuple[Root, ...]:
    """The folders that documents come from, the one that serves first at the front."""
    own = data_folder(config)
    person = (own, Path.home() / ".agents")
    return find_roots(explicit=config.library, project=config.project, person=person, trust=Trust(own))


def open_shelf(config: Config, *, account: str | None = None, task: str | None = None) -> Shelf:
    """What the tools of knowledge and skills ask, for one account and task."""
    from controller.library.choices import DEFAULT_ACCOUNT, SkillChoices
    from controller.library.shelf import Shelf

    return Shelf(
        lambda: library_roots(config),
        cache=_cache_folder(config),
        choices=SkillChoices(data_folder(config)),
        account=account or DEFAULT_ACCOUNT,
        task=task,
    )


def data_folder(config: Config) -> Path:
    """Where the person's own knowledge and skills and their choices lie."""
    if config.home is not None:
        return config.home
    import platformdirs

    return platformdirs.user_data_path("phonectl")


def _cache_folder(config: Config) -> Path:
    if config.home is not None:
        return config.home / "cache"
    import platformdirs

    return platformdirs.user_cache_path("phonectl")


def open_tasks(config: Config) -> Tasks:
    """The tasks of the phone that `config` means.

    Raises:
        DeviceError: It cannot be told which phone is meant.
    """
    profile = _profile(config)
    if profile.find is FindBy.VIRTUAL:
        running = _running_virtual(config)
        if running is None:
            raise UsageError(
                "no virtual phone is running, so there is no task to speak of",
                hint="start one with `phonectl virtual start`; without it every command has a phone of its own",
            )
        serial = str(running["serial"])
    else:
        serial = _adb_device(config, profile, SystemClock()).serial
    return FileTasks(phone_folder(_home(config), serial))


def list_devices(config: Config) -> tuple[DeviceLine, ...]:
    """Every phone that the adb server knows; one is started where none runs."""
    profile = _profile(config)
    if profile.find is FindBy.VIRTUAL:
        running = _running_virtual(config)
        server = _server_at(str(running["server"]), SystemClock()) if running else None
        return server.devices() if server else ()
    server = _adb_server(config, profile, SystemClock())
    return server.devices()


def examine(config: Config) -> Iterator[Check]:
    """What `phonectl doctor` tries, one by one as it is tried."""
    clock = SystemClock()
    profile = _profile(config)
    library = open_library(config)
    booted: VirtualServer | None = None
    serial = profile.serial or (config.serial if profile.find is FindBy.ANY else None)
    if profile.find is FindBy.VIRTUAL:
        device, booted = _virtual_device(config, profile, clock)
        server, serial = device.server, device.serial
    else:
        server = AdbServer(profile.host or config.adb_host, profile.port or config.adb_port, clock=clock)

    def name_of(front: Foreground) -> str | None:
        app = library.app_by_package(front.package) if front.package else None
        return app.display if app else None

    try:
        yield from doctor.examine(
            server,
            lambda device: Phone(device, profile, clock),
            search_path=config.path,
            serial=serial,
            kind=_KINDS.get(profile.find, Kind.ANY),
            recognise=name_of,
            extras=(lambda: _check_library(library), _check_font),
        )
    finally:
        if booted is not None:
            booted.close()


def _check_library(library: Library) -> Check:
    found = f"{len(library.apps)} apps, {len(library.sites)} sites"
    if library.unreadable:
        paths = ", ".join(document.path for document in library.unreadable)
        return Check("library", Health.WARN, f"{found}; cannot be read: {paths}", "run `phonectl lint` on them")
    return Check("library", Health.OK, found)


def _check_font() -> Check:
    from controller.virtual.fonts import font_note
    from controller.virtual.glyphs import emoji_note

    missing = font_note() or emoji_note()
    if missing:
        return Check("font", Health.WARN, missing, "install the extra `fonts`: pip install 'phonectl[fonts]'")
    return Check("font", Health.OK, "Chinese text and emoji are legible in pictures of the virtual phone")


# ------------------------------------------------------------------------------------------------------------ phones


def _profile(config: Config) -> Profile:
    named = config.device
    if named is None:
        return Profile()
    if named in profile_names() or named.endswith((".yaml", ".yml")):
        return load_profile(named)
    if _is_phone_folder(Path(named)):
        return Profile(name=Path(named).resolve().name, find=FindBy.VIRTUAL, phone=named)
    return Profile(name=named, find=FindBy.SERIAL, serial=named)


def _is_phone_folder(path: Path) -> bool:
    """Whether it is the folder of a virtual phone, written or captured, and not the serial of a real one."""
    return path.is_dir() and any((path / name).is_file() for name in ("capture.yaml", "phone.yaml"))


def _adb_server(config: Config, profile: Profile, clock: Clock) -> AdbServer:
    server = AdbServer(profile.host or config.adb_host, profile.port or config.adb_port, clock=clock)
    ensure_server(server, search_path=config.path)
    return server


def _adb_device(config: Config, profile: Profile, clock: Clock) -> AdbDevice:
    server = _adb_server(config, profile, clock)
    serial = profile.serial if profile.find is FindBy.SERIAL else None
    if profile.find is FindBy.ANY:
        serial = config.serial
    return server.choose(serial=serial, kind=_KINDS.get(profile.find, Kind.ANY))


# ------------------------------------------------------------------------------------------------------ virtual phone


def _virtual_device(config: Config, profile: Profile, clock: Clock) -> tuple[AdbDevice, VirtualServer | None]:
    """The running virtual phone, or one that is booted for this session alone."""
    running = None if _is_phone_folder(Path(profile.phone)) else _running_virtual(config)
    if running is not None:
        server = _server_at(str(running["server"]), clock)
        return server.choose(serial=str(running["serial"])), None
    from controller.virtual import boot

    booted = boot(profile.phone, now=clock.now, sleep=clock.sleep, android=profile.android)
    try:
        return _server_at(booted.server, clock).choose(serial=booted.serial), booted
    except BaseException:
        booted.close()
        raise


@contextmanager
def serve_virtual(
    config: Config,
    *,
    name: str = "default",
    port: int = 0,
    android: int = 14,
    trace: Path | None = None,
    count: int = 1,
    latency: str | None = None,
) -> Iterator[VirtualServer]:
    """Virtual phones that serve for the time of the block; `--device virtual` finds the first of them meanwhile."""
    from controller.virtual import boot
    from controller.virtual.control import Control
    from controller.virtual.tracing import JsonLines

    lines = JsonLines(trace) if trace else None
    try:
        with boot(name, android=android, port=port, trace=lines, count=count, latency=latency) as server:
            token = secrets.token_urlsafe(24)
            control = Control(server, token=token)
            control.start()
            note = _running_file(config)
            _write_private(
                note,
                {
                    "pid": os.getpid(),
                    "serial": server.serial,
                    "server": server.server,
                    "control": control.address,
                    "token": token,
                },
            )
            for serial in server.phones:
                # Its budgets begin with it: another phone of the same name was another phone.
                (phone_folder(_home(config), serial) / "tasks.json").unlink(missing_ok=True)
            try:
                yield server
            finally:
                control.close()
                _forget_running(note)
    finally:
        if lines is not None:
            lines.close()


def steer_virtual(config: Config, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The faults that are switched on after a request to the running virtual phone (see `virtual.control`).

    Raises:
        UsageError: None is running, or it refuses the request.
    """
    running = _running_virtual(config)
    if running is None:
        raise UsageError(
            "no virtual phone is running, so there is nothing to disturb",
            hint="start one with `phonectl virtual start`",
        )
    answer = _ask_control(running, request)
    if not answer.get("ok"):
        raise UsageError(str(answer.get("error")), hint="`phonectl virtual faults` lists them")
    return list(answer["faults"])


def fault_table() -> list[dict[str, Any]]:
    """Every fault that a virtual phone can show: its name, what a client sees, and what it takes."""
    from controller.virtual.control import fault_table as table

    return table()


def latency_profiles() -> tuple[str, ...]:
    """The connections whose slowness a virtual phone can have."""
    from controller.virtual.store import latency_names

    return latency_names()


def draw_map(folder: Path) -> str:
    """The map of a captured phone, as an HTML page.

    Raises:
        DocumentError: The folder holds no capture, or something in it is wrong.
    """
    from controller.virtual.captured.map import map_page
    from controller.virtual.captured.reading import read_capture

    return map_page(read_capture(folder))


def _running_virtual(config: Config) -> dict[str, Any] | None:
    """Where the virtual phone of `phonectl virtual start` serves; None when none does."""
    try:
        running: dict[str, Any] = json.loads(_running_file(config).read_text(encoding="utf-8"))
        # The control socket, and not the list of phones: an unplugged phone is not listed and runs all the same.
        answer = _ask_control(running, {"do": "faults"})
        return running if answer.get("ok") else None
    except (OSError, ValueError, KeyError):
        return None


def _ask_control(running: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    from controller.virtual.control import ask

    return ask(str(running["control"]), str(running["token"]), request)


def _write_private(path: Path, content: Mapping[str, Any]) -> None:
    """The token inside is for this person alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(content, file)


def _forget_running(note: Path) -> None:
    try:
        if json.loads(note.read_text(encoding="utf-8"))["pid"] == os.getpid():
            note.unlink()
    except (OSError, ValueError, KeyError):
        # Another phone that was started later has taken the note over, or it is gone already.
        return


def _server_at(address: str, clock: Clock) -> AdbServer:
    host, _, port = address.rpartition(":")
    return AdbServer(host, int(port), clock=clock)


def _running_file(config: Config) -> Path:
    return _home(config) / "virtual.json"


def _home(config: Config) -> Path:
    if config.home is not None:
        return config.home
    import platformdirs

    return platformdirs.user_state_path("phonectl")
