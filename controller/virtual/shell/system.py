"""Commands about the machine: properties, processes, date, users, network, logs, services, power."""

from __future__ import annotations

import re
from itertools import pairwise

from controller.virtual.shell import clock
from controller.virtual.shell.core import Call, Lasting, command
from controller.virtual.shell.proc import kernel_version
from controller.virtual.shell.processes import Process, processes
from controller.virtual.uiautomator.connection import held_by

__all__: list[str] = []

_GROUPS = (
    "2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),"
    "3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs)"
)
_SERVICES = (
    "accessibility", "activity", "activity_task", "alarm", "audio", "battery", "clipboard", "connectivity", "display",
    "input", "input_method", "notification", "package", "power", "settings", "SurfaceFlinger", "statusbar",
    "telephony.registry", "uimode", "user", "wifi", "window",
)  # fmt: skip
_ADDRESS = "192.168.1.104"


@command("getprop")
def getprop(call: Call) -> int:
    """`getprop [name [default]]`."""
    names = [name for name in call.args if not name.startswith("-")]
    if names:
        call.line(call.phone.props.get(names[0], "") or (names[1] if len(names) > 1 else ""))
    else:
        call.lines([f"[{name}]: [{value}]" for name, value in sorted(call.phone.props.items())])
    return 0


@command("setprop")
def setprop(call: Call) -> int:
    """`setprop name value`; what begins with `ro.` cannot be set."""
    if len(call.args) != 2:
        return call.fail("Need 2 arguments" if call.phone.sdk >= 30 else "usage: setprop NAME VALUE")
    name, value = call.args
    if name.startswith("ro."):
        reason = "failed to set property" if call.phone.sdk < 30 else "Failed to set property"
        return call.fail(f"{reason} '{name}' to '{value}'")
    call.phone.props[name] = value
    return 0


@command("date")
def date(call: Call) -> int:
    """`date [-u] [-d @SECONDS] [+FORMAT]`; the clock cannot be set."""
    args, at, utc = list(call.args), None, False
    form = "%a %b %e %H:%M:%S %Z %Y"
    while args:
        argument = args.pop(0)
        if argument == "-u":
            utc = True
        elif argument == "-d" and args:
            match = re.fullmatch(r"@?(\d{1,10})(\.\d*)?", args.pop(0))
            if match is None:
                return call.fail("bad date")
            at = float(match[1])
        elif argument.startswith("+"):
            form = argument[1:]
        elif not argument.startswith("-"):
            return call.fail(f"cannot set date: Operation not permitted (bad date '{argument}')")
    call.line(clock.formatted(call.phone, form, at, utc=utc))
    return 0


@command("id", "whoami", "groups", "logname")
def id_(call: Call) -> int:
    """The shell user."""
    if call.name == "whoami" or call.name == "logname" or call.args[:1] == ["-un"]:
        call.line("shell")
    elif call.args[:1] in (["-u"], ["-g"]):
        call.line("2000")
    elif call.name == "groups":
        call.line(re.sub(r"\d+\((\w+)\),?", r"\1 ", _GROUPS).strip())
    else:
        call.line(f"uid=2000(shell) gid=2000(shell) groups={_GROUPS} context=u:r:shell:s0")
    return 0


@command("su", "busybox", "sqlite3", "strace", "python", "python3", "wget", "curl", "bash", "nano", "vim")
def missing(call: Call) -> int:
    """Programs that people try and a production build has not."""
    call.shell.complain(call.shell.not_found(call.name))
    return 127


@command("uname")
def uname(call: Call) -> int:
    """`uname [-amnrsv]`."""
    parts = {
        "s": "Linux",
        "n": "localhost",
        "r": kernel_version(call.phone),
        "v": "#1 SMP PREEMPT Thu Jan 1 00:00:00 UTC 2023",
        "m": "aarch64",
        "o": "Toybox" if call.phone.sdk >= 34 else "Android",
    }
    flags, _ = call.flags("asnrvmo")
    call.line(" ".join(value for name, value in parts.items() if "a" in flags or name in (flags or {"s"})))
    return 0


@command("uptime")
def uptime(call: Call) -> int:
    """How long the phone runs."""
    minutes = int(call.phone.now() - call.phone.boot_time) // 60 + 1
    load = "load average: 0.42, 0.51, 0.48"
    hours = f"{minutes // 60}:{minutes % 60:02d}" if minutes >= 60 else f"{minutes} min"
    call.line(f" {clock.formatted(call.phone, '%H:%M:%S')} up {hours},  0 users,  {load}")
    return 0


@command("hostname", "nproc", "arch", "getenforce", "tty")
def one_word(call: Call) -> int:
    """Commands that print one word."""
    words = {"hostname": "localhost", "nproc": "4", "arch": "aarch64", "getenforce": "Enforcing", "tty": "not a tty"}
    call.line(words[call.name])
    return 0


# ---- processes


_USERS = {"0": "root", "1000": "system", "2000": "shell"}


_PS_HELP = """\
usage: ps [-AadefLlnwZ] [-gG GROUP,] [-k FIELD,] [-o FIELD,] [-p PID,] [-t TTY,] [-u USER,]

List processes.

Which processes to show (-gGuUpPt selections may be comma separated lists):

-A\tAll
-a\tHas terminal not session leader
-d\tAll but session leaders
-e\tSynonym for -A
-p\tPID (--pid)
-u\tOwned by effective user
"""


@command("ps")
def ps(call: Call) -> int:
    """`ps [-A] [-e] [-f] [-p PID] [-u USER] [-o FIELDS] [NAME]`: without `-A` only the shell's own."""
    if call.args == ["--help"]:
        call.out(_PS_HELP)
        return 0
    args, fields, everyone, pids, users, names = list(call.args), "", False, set(), {"shell"}, set()
    while args:
        argument = args.pop(0)
        if argument == "-o" and args:
            fields = args.pop(0)
        elif argument == "-p" and args:
            pids.update(args.pop(0).split(","))
        elif argument in {"-u", "-U"} and args:
            users = {_USERS.get(user, user) for user in args.pop(0).split(",")}
        elif argument.startswith("-"):
            everyone = everyone or bool(set(argument[1:]) & {"A", "e"})
        else:
            names.add(argument)
    shown = [
        process
        for process in processes(call.phone)
        if (str(process.pid) in pids if pids else everyone or names or process.user in users)
        and (not names or process.name in names or names == {"aux"})
    ]
    if fields:
        _ps_columns(call, shown, fields.upper().split(","))
    else:
        call.line(
            "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME                       ".rstrip()
        )
        call.lines([_ps_row(process) for process in shown])
    return 0 if shown or not pids else 1


def _ps_row(process: Process) -> str:
    size, resident = (14_523_452, 231_232) if process.parent == 311 else (10_782_744, 7_044)
    name = process.name
    return (
        f"{process.user:<12} {process.pid:5d} {process.parent:5d} {size:8d} {resident:6d} do_epoll_wait      0 S {name}"
    )


def _ps_columns(call: Call, shown: list[Process], columns: list[str]) -> None:
    columns = [column.partition("=")[0].strip() for column in columns]
    call.line(" ".join(f"{column:<8}" for column in columns).rstrip())
    for process in shown:
        cells = {
            "PID": str(process.pid), "PPID": str(process.parent), "USER": process.user, "NAME": process.name,
            "ARGS": process.name, "CMD": process.name, "CMDLINE": process.name, "COMM": process.name[-15:], "S": "S",
            "STAT": "S",
            "RSS": "231232", "VSZ": "14523452", "TID": str(process.pid), "UID": process.user,
        }  # fmt: skip
        call.line(" ".join(f"{cells.get(column, '-'):<8}" for column in columns).rstrip())


@command("pidof", "pgrep")
def pidof(call: Call) -> int:
    """`pidof [-s] NAME…`, `pgrep [-f] PATTERN`."""
    names = [name for name in call.args if not name.startswith("-")]
    if not names:
        return 1
    if call.name == "pidof":
        found = [str(process.pid) for process in processes(call.phone) if process.name in names]
        call.out(" ".join(found[:1] if "-s" in call.args else found) + ("\n" if found else ""))
    else:
        found = [str(process.pid) for process in processes(call.phone) if names[0] in process.name]
        call.lines(found)
    return 0 if found else 1


@command("top")
def top(call: Call) -> int:
    """`top -n 1`: the processes once."""
    shown = processes(call.phone)
    call.line(f"Tasks: {len(shown)} total,   1 running, {len(shown) - 1} sleeping,   0 stopped,   0 zombie")
    call.line("  Mem:  5832104K total,  5419764K used,   412340K free,    10236K buffers")
    call.line(" Swap:  2097148K total,   131072K used,  1966076K free,  2654316K cached")
    call.line("400%cpu   8%user   0%nice  12%sys 376%idle   0%iow   4%irq   0%sirq   0%host")
    call.line("  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS")
    call.lines(
        [f"{one.pid:5d} {one.user:<12} 10 -10  13G 225M 143M S  0.0   3.9   0:12.34 {one.name}" for one in shown]
    )
    return 0


@command("free", "vmstat")
def free(call: Call) -> int:
    """Memory."""
    call.line("\t\ttotal        used        free      shared     buffers")
    call.line("Mem:       5972074496  5549838336   422236160    18874368    10481664")
    call.line("-/+ buffers/cache:     5539356672   432717824")
    call.line("Swap:      2147479552   134217728  2013261824")
    return 0


@command("app_process", "app_process64", "app_process32")
def app_process(call: Call) -> int:
    """`CLASSPATH=jar app_process / CLASS [arguments]`: uiautomator2's server is the one program that is there."""
    args = [argument for argument in call.args if not argument.startswith("-Djava") and argument != "-Xint"]
    main = next((argument for argument in args[1:] if "." in argument), "")
    jar = call.environment.get("CLASSPATH", "").partition(":")[0]
    if main != "com.wetest.uia2.Main" or not call.phone.files.exists(call.path(jar or "?")):
        call.err(f'Error: java.lang.ClassNotFoundException: Didn\'t find class "{main}" on path: DexPathList[[{jar}]]')
        call.err("Aborted ")
        return 134
    port = args[args.index("-p") + 1] if "-p" in args and args.index("-p") + 1 < len(args) else "9008"
    if not re.fullmatch(r"\d{1,5}", port) or not 1 <= int(port) <= 65535:
        call.err(f"Invalid port: {port}. Must be between 1 and 65535.")
        return 1
    if held_by(call.phone) is not None:
        call.line("[server] INFO: [UiAutomator2Server] Starting Server")
        call.line(
            "java.lang.IllegalStateException: UiAutomationService "
            "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!"
        )
        return 1
    call.shell.last(Lasting("uiautomator", int(port)))
    return 0


@command("run-as")
def run_as(call: Call) -> int:
    """`run-as PACKAGE command`: nothing here can be debugged."""
    if not call.args:
        call.err("Usage: run-as <package-name> [--user <uid>] <command> [<args>]")
        return 1
    known = call.args[0] in call.phone.packages
    call.err(f"run-as: {'package not debuggable' if known else 'unknown package'}: {call.args[0]}")
    return 1


# ---- network


@command("ifconfig")
def ifconfig(call: Call) -> int:
    """`ifconfig [interface]`."""
    wanted = call.args[0] if call.args else ""
    known = {"wlan0": _ADDRESS, "lo": "127.0.0.1"}
    if wanted and wanted not in known:
        return call.fail(f"{wanted}: No such device")
    for name, address in known.items():
        if wanted in {"", name}:
            kind = "UNSPEC    Driver virtio_net" if name != "lo" else "Local Loopback"
            mask = "Bcast:192.168.1.255  Mask:255.255.255.0" if name != "lo" else "Mask:255.0.0.0"
            call.lines([f"{name:<9} Link encap:{kind}", f"          inet addr:{address}  {mask}"])
            call.lines(["          UP RUNNING  MTU:1500  Metric:1", ""])
    return 0


@command("ip")
def ip(call: Call) -> int:
    """`ip addr [show [dev] wlan0]`, `ip route`."""
    words = [word for word in call.args if not word.startswith("-") and word not in {"show", "list", "dev", "inet"}]
    subject = words[0] if words else ""
    if subject.startswith("r"):
        call.line(f"192.168.1.0/24 dev wlan0 proto kernel scope link src {_ADDRESS}")
        return 0
    if subject[:1] not in {"a", "l"}:
        return call.fail(f'Object "{subject}" is unknown, try "ip help".' if subject else "no object given", 1)
    wanted = words[1] if len(words) > 1 else ""
    if wanted and wanted not in {"wlan0", "lo"}:
        call.err(f'Device "{wanted}" does not exist.')
        return 1
    if wanted in {"", "lo"}:
        call.line("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000")
        call.line("    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00")
        call.lines(["    inet 127.0.0.1/8 scope host lo"] if subject.startswith("a") else [])
    if wanted in {"", "wlan0"}:
        call.line("24: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 3000")
        call.line("    link/ether 02:15:b2:00:00:00 brd ff:ff:ff:ff:ff:ff")
        inet = f"    inet {_ADDRESS}/24 brd 192.168.1.255 scope global wlan0"
        call.lines([inet] if subject.startswith("a") else [])
    return 0


@command("ping", "ping6")
def ping(call: Call) -> int:
    """The phone reaches nothing."""
    host = call.args[-1] if call.args else ""
    call.err(f"ping: unknown host {host}")
    return 2


@command("netstat", "ss")
def netstat(call: Call) -> int:
    """The heading alone."""
    call.line("Proto Recv-Q Send-Q Local Address           Foreign Address         State")
    return 0


@command("svc")
def svc(call: Call) -> int:
    """`svc wifi|data|bluetooth|nfc|power|usb …`."""
    keys = {"wifi": "wifi_on", "data": "mobile_data", "bluetooth": "bluetooth_on", "nfc": "nfc_on"}
    words = [*call.args, "", ""]
    if words[0] in keys and words[1] in {"enable", "disable"}:
        call.phone.put_setting("global", keys[words[0]], "1" if words[1] == "enable" else "0")
        return 0
    if words[0] == "power" and words[1] == "stayon":
        value = {"true": "7", "false": "0", "usb": "2", "ac": "1", "wireless": "4"}.get(words[2], "0")
        call.phone.put_setting("global", "stay_on_while_plugged_in", value)
        return 0
    if words[0] == "usb":
        return 0
    call.lines(
        [
            "Available commands:",
            "    help     Show information about the subcommands",
            "    power    Control the power manager",
            "    data     Control mobile data connectivity",
            "    wifi     Control the Wi-Fi manager",
            "    usb      Control Usb state",
            "    nfc      Control NFC functions",
            "    bluetooth Control Bluetooth service",
        ]
    )
    return 0


# ---- logs and services


@command("dmesg", "bugreport", "setenforce", "start", "stop")
def quiet(call: Call) -> int:
    """Commands that answer nothing, or that a shell user may not use."""
    if call.name == "dmesg":
        return call.fail("klogctl: Permission denied")
    if call.name in {"start", "stop"}:
        call.err("must be root")
        return 1
    return call.fail("Couldn't set enforcing status: Permission denied") if call.name == "setenforce" else 0


@command("service")
def service(call: Call) -> int:
    """`service list|check NAME|call NAME CODE …`."""
    words = [*call.args, "", "", ""]
    if words[0] == "list":
        call.line(f"Found {len(_SERVICES)} services:")
        call.lines([f"{number}\t{name}: []" for number, name in enumerate(_SERVICES)])
        return 0
    if words[0] == "check":
        call.line(f"Service {words[1]}: {'found' if words[1] in _SERVICES else 'not found'}")
        return 0
    if words[0] == "call" and words[1]:
        if words[1] not in _SERVICES:
            call.line(f"service: Service {words[1]} does not exist")
            return 10
        call.line("Result: Parcel(00000000    '....')")
        return 0
    call.line("Usage: service [-h|-?]\n       service list\n       service check SERVICE")
    return 10


@command("content")
def content(call: Call) -> int:
    """`content query|insert|delete --uri content://settings/NAMESPACE …`; other providers are not there."""
    options = _content_options(call.args[1:])
    uri = options.get("uri", "")
    authority, _, path = uri.removeprefix("content://").partition("/")
    if authority != "settings":
        call.err(f"Error while accessing provider:{authority}")
        call.err(f"java.lang.IllegalStateException: Could not find provider: {authority}")
        return 1
    namespace, _, key = path.partition("/")
    verb = call.args[0] if call.args else ""
    if verb == "insert":
        call.phone.put_setting(namespace, options.get("bind:name", key), options.get("bind:value", ""))
        return 0
    where = re.search(r"name\s*=\s*['\"]?([\w.]+)", options.get("where", ""))
    name = key or (where[1] if where else "")
    if verb == "delete":
        call.phone.put_setting(namespace, name, None)
        return 0
    rows = [
        (entry, value) for (space, entry), value in sorted(call.phone.settings.items()) if space == namespace
        and name in {"", entry}
    ]  # fmt: skip
    call.lines(
        [f"Row: {number} _id={number + 1}, name={key}, value={value}" for number, (key, value) in enumerate(rows)]
    )
    if not rows:
        call.line("No result found.")
    return 0


def _content_options(args: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for flag, value in pairwise(args):
        if flag == "--bind":
            name, _, typed = value.partition(":")
            options[f"bind:{name}"] = typed.partition(":")[2]
        elif flag.startswith("--"):
            options[flag[2:]] = value
    return options


@command("reboot")
def reboot(call: Call) -> int:
    """The phone goes down; the connection breaks with it."""
    call.shell.last(Lasting("reboot", detached=True))
    return 0


@command("doas", "nsenter")
def refused(call: Call) -> int:
    """Not permitted."""
    return call.fail("Operation not permitted")


@command("watch")
def watch(call: Call) -> int:
    """`watch command`: once."""
    args = [argument for argument in call.args if not argument.startswith("-")]
    return call.run(args) if args else call.fail("no command")
