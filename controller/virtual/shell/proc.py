"""Files that the kernel makes when they are read: `/proc/version`, `/proc/stat`, `/proc/net/unix` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.processes import processes

__all__ = ["KERNELS", "kernel_version", "read_special"]

KERNELS: Mapping[int, str] = {
    28: "4.9.112-g1a2b3c4",
    30: "5.4.61-android11-2-00064-g4271ad6e8ade-ab6991359",
    34: "6.1.23-android14-4-00257-g7e35917775b8-ab9964412",
}


def read_special(phone: VirtualPhone, path: str) -> bytes | None:
    """The content of a file of the kernel, None where the path is an ordinary one."""
    if path == "/dev/null":
        return b""
    if path in {"/dev/zero", "/dev/urandom", "/dev/random"}:
        return bytes(4096)
    made = _FILES.get(path)
    if made is not None:
        return made(phone).encode()
    match = re.fullmatch(r"/proc/(\d{1,7})/(cmdline|comm|oom_score_adj|status)", path)
    if match is None:
        return None
    process = next((one for one in processes(phone) if one.pid == int(match[1])), None)
    if process is None:
        return None
    short = process.name[-15:]
    return {
        "cmdline": process.name.encode() + b"\0",
        "comm": f"{short}\n".encode(),
        "oom_score_adj": b"0\n" if process.front else b"900\n",
        "status": f"Name:\t{short}\nState:\tS (sleeping)\nPid:\t{process.pid}\nPPid:\t{process.parent}\n".encode(),
    }[match[2]]


def kernel_version(phone: VirtualPhone) -> str:
    """`uname -r`."""
    return KERNELS.get(phone.sdk, KERNELS[34])


def _version(phone: VirtualPhone) -> str:
    return f"Linux version {kernel_version(phone)} (build-user@build-host) #1 SMP PREEMPT Thu Jan 1 00:00:00 UTC 2023\n"


def _stat(phone: VirtualPhone) -> str:
    ticks = int((phone.now() - phone.boot_time) * 100) + 10_000
    cpu = f"{ticks // 10} 120 {ticks // 20} {ticks} 340 0 52 0 0 0"
    rows = [f"cpu  {cpu}", *(f"cpu{number} {cpu}" for number in range(4))]
    boot = int(phone.wall() - (phone.now() - phone.boot_time))
    return "\n".join(
        [*rows, "intr 123456 0 0", "ctxt 654321", f"btime {boot}", "processes 4321", "procs_running 1", ""]
    )


def _uptime(phone: VirtualPhone) -> str:
    seconds = phone.now() - phone.boot_time + 60
    return f"{seconds:.2f} {seconds * 3.2:.2f}\n"


def _memory(phone: VirtualPhone) -> str:
    del phone
    rows = (
        "MemTotal:        5832104",
        "MemFree:          412340",
        "MemAvailable:    2654316",
        "Buffers:           10236",
    )
    return "".join(f"{row} kB\n" for row in rows)


def _cpu(phone: VirtualPhone) -> str:
    del phone
    core = "BogoMIPS\t: 38.40\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32\nCPU implementer\t: 0x51\n"
    return "".join(f"processor\t: {number}\n{core}\n" for number in range(4)) + "Hardware\t: Virtual\n"


def _unix_sockets(phone: VirtualPhone) -> str:
    # Num       RefCount Protocol Flags    Type St Inode Path
    # 0000000000000000: 00000002 00000000 00010000 0001 01 20305 @chrome_devtools_remote
    names = ["/dev/socket/zygote", "/dev/socket/logd", "@jdwp-control", "@android:debuggerd"]
    names += ["@chrome_devtools_remote" for one in processes(phone) if one.name == "com.android.chrome"]
    rows = [
        f"0000000000000000: 00000002 00000000 00010000 0001 01 {20000 + number} {name}"
        for number, name in enumerate(names)
    ]
    return "\n".join(["Num       RefCount Protocol Flags    Type St Inode Path", *rows, ""])


def _mounts(phone: VirtualPhone) -> str:
    del phone
    return (
        "/dev/block/dm-4 / ext4 ro,seclabel,relatime 0 0\n"
        "tmpfs /dev tmpfs rw,seclabel,nosuid,relatime,mode=755 0 0\n"
        "/dev/block/dm-9 /data f2fs rw,lazytime,seclabel,nosuid,nodev,noatime 0 0\n"
        "/dev/fuse /storage/emulated fuse rw,lazytime,nosuid,nodev,noexec,noatime 0 0\n"
    )


_FILES: Mapping[str, Callable[[VirtualPhone], str]] = {
    "/proc/version": _version,
    "/proc/stat": _stat,
    "/proc/uptime": _uptime,
    "/proc/meminfo": _memory,
    "/proc/cpuinfo": _cpu,
    "/proc/net/unix": _unix_sockets,
    "/proc/mounts": _mounts,
    "/proc/loadavg": lambda _: "0.42 0.51 0.48 1/1432 12345\n",
    "/sys/class/power_supply/battery/capacity": lambda _: "100\n",
}
