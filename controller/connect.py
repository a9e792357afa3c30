"""The composition root: the real clock, the random source, a transport and the library become a `Session`.

The only module that chooses defaults. A virtual phone is started here for one session alone; one that runs for itself
is `embedded`'s. The environment is not read here: `cli` reads it into a `Config`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from controller.adb.client import AdbDevice, AdbServer, ensure_server
from controller.adb.states import Kind
from controller.clock import Clock, SystemClock
from controller.config import Config, cache_folder, data_folder, state_folder
from controller.device import doctor
from controller.device.doctor import Check, Health
from controller.device.keyboards import restore_keyboard
from controller.device.phone import Phone
from controller.device.profile import FindBy, Profile, load_profile, profile_names
from controller.embedded import find_running
from controller.errors import UsageError
from controller.library.catalog import Library, load_library
from controller.library.roots import Root, Trust, find_roots
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
    "connect",
    "examine",
    "library_roots",
    "list_devices",
    "open_library",
    "open_shelf",
    "open_tasks",
]

_KINDS = {FindBy.USB: Kind.USB, FindBy.EMULATOR: Kind.EMULATOR}


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
    tasks: Tasks = MemoryTasks() if booted else FileTasks(phone_folder(state_folder(config), device.serial))
    phone = _phone(device, profile, clock, film)
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


def _phone(device: AdbDevice, profile: Profile, clock: Clock, film: Film | None) -> Phone:
    if film is None:
        return Phone(device, profile, clock)
    from controller.capture import FilmedPhone

    return FilmedPhone(device, profile, clock, film=film)


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
        cache=cache_folder(config),
        choices=SkillChoices(data_folder(config)),
        account=account or DEFAULT_ACCOUNT,
        task=task,
    )


def open_tasks(config: Config) -> Tasks:
    """The tasks of the phone that `config` means.

    Raises:
        DeviceError: It cannot be told which phone is meant.
    """
    profile = _profile(config)
    if profile.find is FindBy.VIRTUAL:
        running = find_running(config)
        if running is None:
            raise UsageError(
                "no virtual phone is running, so there is no task to speak of",
                hint="start one with `phonectl virtual start`; without it every command has a phone of its own",
            )
        serial = running.serial
    else:
        serial = _adb_device(config, profile, SystemClock()).serial
    return FileTasks(phone_folder(state_folder(config), serial))


def list_devices(config: Config) -> tuple[DeviceLine, ...]:
    """Every phone that the adb server knows; one is started where none runs."""
    profile = _profile(config)
    if profile.find is FindBy.VIRTUAL:
        running = find_running(config)
        server = _server_at(running.server, SystemClock()) if running else None
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
    if "/" in named or "\\" in named:
        raise UsageError(
            f"{named} holds no virtual phone",
            hint="name a folder with a capture.yaml (`phonectl capture`) or a phone.yaml, a profile, or a serial",
            code="no_profile",
        )
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
    running = None if _is_phone_folder(Path(profile.phone)) else find_running(config)
    if running is not None:
        server = _server_at(running.server, clock)
        return server.choose(serial=running.serial), None
    from controller.virtual import boot

    booted = boot(profile.phone, now=clock.now, sleep=clock.sleep, android=profile.android)
    with ExitStack() as undo:
        undo.callback(booted.close)
        device = _server_at(booted.server, clock).choose(serial=booted.serial)
        undo.pop_all()
    return device, booted


def _server_at(address: str, clock: Clock) -> AdbServer:
    host, _, port = address.rpartition(":")
    return AdbServer(host, int(port), clock=clock)
