"""The switches of faults: conditions, delays and counts, from Python and from YAML."""

from __future__ import annotations

import pytest

from controller.clock import ManualClock
from controller.errors import DocumentError
from controller.resources import resource_dir
from controller.virtual import boot
from controller.virtual.apps import read_phone
from controller.virtual.faults import FAULTS, Fault, Faults, When, check_arguments
from controller.virtual.latency import Latency, SlowStream, read_latencies
from controller.virtual.store import latency_names, load_latency
from tests.virtual.hand import Hand

BILI = "tv.danmaku.bili"


class Board:
    """A switchboard, its clock and the app in front."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.front = "com.android.launcher3/.Home"
        self.effect = Recorded()
        self.faults = Faults(self.clock.now, front=lambda: self.front, effects={"keyguard": self.effect})


class Recorded:
    """An effect that is over when it is told."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.done = False

    def begin(self, fault: Fault) -> bool:
        self.events.append("begin")
        return True

    def over(self, fault: Fault) -> bool:
        return self.done

    def end(self, fault: Fault) -> None:
        self.events.append("end")


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def board() -> Board:
    return Board()


def test_a_counted_fault_strikes_so_often(board: Board) -> None:
    board.faults.set("cut", count=2)

    assert [board.faults.take("cut") is not None for _ in range(3)] == [True, True, False]
    assert board.faults.names() == ()


def test_a_delayed_fault_waits_from_when_it_was_set(board: Board) -> None:
    board.faults.set("offline", after_s=5)
    before = board.faults.active("offline")
    board.clock.advance(5)

    assert (before, board.faults.active("offline")) == (None, Fault("offline", {}, 5))


def test_with_an_app_the_delay_counts_from_when_it_came_to_the_front(board: Board) -> None:
    board.faults.set("secure_window", after_s=3, when=When(app=BILI))
    board.clock.advance(10)
    assert board.faults.active("secure_window") is None
    board.front = f"{BILI}/.MainActivityV2"
    assert board.faults.active("secure_window") is None
    board.clock.advance(3)
    assert board.faults.active("secure_window") is not None
    board.front = "com.android.settings/.Settings"

    assert board.faults.active("secure_window") is None


def test_an_activity_is_named_behind_the_slash(board: Board) -> None:
    board.faults.set("secure_window", when=When(app=f"{BILI}/*Search*"))
    found = []
    for activity in (".MainActivityV2", ".SearchActivity"):
        board.front = f"{BILI}/{activity}"
        found.append(board.faults.active("secure_window") is not None)

    assert found == [False, True]


def test_what_is_done_is_looked_for_in_the_command(board: Board) -> None:
    board.faults.set("cut", count=1, when=When(doing="input tap"))

    assert board.faults.take("cut", "getprop") is None
    assert board.faults.take("cut", "input tap 1 2") is not None


def test_an_effect_begins_once_and_ends_by_itself_or_when_it_is_cleared(board: Board) -> None:
    board.faults.set("keyguard")
    for _ in range(3):
        board.faults.tick()
    assert (board.effect.events, board.faults.begun("keyguard") is not None) == (["begin"], True)
    board.effect.done = True
    board.faults.tick()
    assert (board.effect.events, board.faults.names()) == (["begin", "end"], ())
    board.effect.done = False
    board.faults.set("keyguard")
    board.faults.tick()
    board.faults.clear()

    assert board.effect.events == ["begin", "end", "begin", "end"]


def test_an_effect_with_a_count_comes_up_again_after_its_delay(board: Board) -> None:
    board.faults.set("keyguard", after_s=10, count=2)
    board.effect.done = True
    for _ in range(50):
        board.clock.advance(1)
        board.faults.tick()

    assert board.effect.events == ["begin", "end"] * 2


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("poppup", {}, "there is no fault `poppup`; did you mean popup?"),
        ("popup", {"titel": "x"}, "the fault `popup` takes no `titel`; it takes title, message"),
        ("unplug", {"seconds": "soon"}, "which is no number of seconds"),
    ],
)
def test_what_no_fault_takes_is_refused(name: str, args: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_arguments(name, args)


def test_every_fault_says_in_one_sentence_what_a_client_sees() -> None:
    assert [kind.says for kind in FAULTS.values() if len(kind.says) > 120 or kind.says.endswith(".")] == []


def test_the_readme_of_virtual_phones_has_the_table() -> None:
    text = (resource_dir("devices") / "virtual" / "README.md").read_text(encoding="utf-8")

    assert [name for name, kind in FAULTS.items() if f"| `{name}` | {kind.says} |" not in text] == []


# YAML

PHONE = """
serial: X1
model: Small
screen: {width: 720, height: 1280, density: 320}
faults:
"""


def test_a_phone_may_have_faults_from_the_start() -> None:
    text = PHONE + "  - {name: popup, title: 青少年模式, when: tv.danmaku.bili, after: 3, count: 1}\n"
    text += "  - {name: cut, count: 2, when: {doing: input tap}}\n  - name: unplug\n    seconds: 2\n"

    assert read_phone({"phone.yaml": text}, name="x").faults == (
        Fault("popup", {"title": "青少年模式"}, 3.0, 1, When(app=BILI)),
        Fault("cut", {}, 0.0, 2, When(doing="input tap")),
        Fault("unplug", {"seconds": "2"}),
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("  - {name: toaster}\n", r"phone.yaml:6:5: there is no fault `toaster`"),
        ("  - {name: cut, seconds: 3}\n", r"phone.yaml:6:5: the fault `cut` takes no `seconds`"),
        ("  - {name: cut, count: 0}\n", "expected at least 1"),
        ("  - {name: cut, when: {weather: rain}}\n", "unknown key `weather`"),
    ],
)
def test_a_mistake_in_a_fault_is_told_with_its_place(row: str, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        read_phone({"phone.yaml": PHONE + row}, name="x")


# On the phone


def test_a_popup_comes_three_seconds_after_its_app_and_again_after_it_was_answered(hand: Hand) -> None:
    hand.phone.faults.set("popup", after_s=3, count=2, when=When(app="com.android.settings"), title="更新")
    hand.phone.launch("com.android.settings")
    hand.wait(1)
    assert hand.all("更新") == []
    hand.wait(3)
    hand.tap("知道了")
    assert hand.all("更新") == []
    hand.wait(4)
    hand.tap("知道了")
    hand.wait(10)

    assert (hand.all("更新"), hand.phone.faults.names()) == ([], ())


def test_a_restart_ends_everything_and_keeps_settings_files_and_the_clock(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.put_setting("global", "airplane_mode_on", "1")
    before = hand.phone.wall()
    hand.phone.faults.set("reboot", seconds="5", starting="5")
    phases, booted = [], []
    for seconds in (0, 6, 6):
        hand.wait(seconds)
        hand.phone.tick()
        phases.append(hand.phone.restarting)
        booted.append(hand.phone.props["sys.boot_completed"])

    assert (phases, booted) == (["gone", "starting", ""], ["", "", "1"])
    assert hand.phone.setting("global", "airplane_mode_on") == "1"
    assert hand.phone.wall() - before == pytest.approx(12)
    assert hand.phone.packages["com.android.settings"].pid is None


def test_a_crash_waits_for_an_app_to_come_to_the_front(hand: Hand) -> None:
    hand.phone.faults.set("crash")
    hand.phone.tick()
    before = hand.phone.faults.standing()
    hand.phone.launch(BILI)
    hand.phone.tick()

    assert before == ((Fault("crash"), False),)
    assert hand.phone.faults.standing() == ((Fault("crash"), True),)
    assert (hand.phone.packages[BILI].pid, hand.all("关闭应用") != []) == (None, True)


def test_an_app_that_hangs_shows_no_nodes_until_it_may_go_on(hand: Hand) -> None:
    hand.phone.launch(BILI)
    hand.wait(3)
    hand.phone.faults.set("anr")
    hand.wait(0.1)
    packages = {window.package for window in hand.phone.windows()}
    hand.tap("等待")

    assert BILI not in packages
    assert BILI in {window.package for window in hand.phone.windows()}


# Latency


def test_every_profile_says_where_its_figures_are_from() -> None:
    profiles = [load_latency(name) for name in latency_names()]

    assert [profile.name for profile in profiles] == ["usb2", "usb3", "wifi", "slow-emulator"]
    assert all(profile.sources and profile.says for profile in profiles)
    assert load_latency("usb3").bytes_per_s > load_latency("usb2").bytes_per_s > load_latency("wifi").bytes_per_s


class Pipe:
    """A stream that has bytes and takes them."""

    def read(self, timeout_s: float | None = None) -> bytes:
        return bytes(1000)

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


def test_a_second_packet_the_same_way_waits_for_its_acknowledgement() -> None:
    clock = ManualClock()
    stream = SlowStream(Pipe(), Latency("x", "", round_trip_s=0.01, bytes_per_s=1e6), clock.sleep)
    stream.read()
    stream.read()
    stream.write(bytes(2000))

    assert clock.sleeps == pytest.approx([0.006, 0.016, 0.007])


def test_a_latency_file_with_a_mistake_is_told_with_its_place() -> None:
    with pytest.raises(DocumentError, match=r"latency.yaml:1:52: expected more than 0"):
        read_latencies("x: {says: y, round_trip_ms: 1, megabytes_per_s:    0}\n", "latency.yaml")


def test_a_phone_without_a_profile_takes_no_time_and_one_with_a_profile_takes_its_time() -> None:
    clock = ManualClock()
    with boot(now=clock.now, sleep=clock.sleep) as server:
        assert server.phone.latency is None
    with boot(now=clock.now, sleep=clock.sleep, latency="wifi", count=2) as server:
        assert [phone.latency for phone in server.phones.values()] == [load_latency("wifi")] * 2
        assert list(server.phones) == ["VP14000001", "VP14000002"]
