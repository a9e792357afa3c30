"""Virtual phones that can be reached: each on its own transport port, and all of them behind one adb server.

Joins what the other modules do and owns starting and closing. Threads live below here and nowhere else of the phone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from controller.virtual.adbd import PhoneTransport
from controller.virtual.host import HostServer
from controller.virtual.keeper import FaultKeeper
from controller.virtual.listener import HOST
from controller.virtual.services import Services
from controller.virtual.tracing import Tracer, TraceSink

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["VirtualServer"]


class VirtualServer:
    """One adb server and its virtual phones.

    Args:
        phone: The first phone, or several.
        transport_port: Where the first phone's adbd listens; 0 takes a free port.
        server_port: Where the adb server listens; 0 takes a free port, 5037 is refused.
        trace: Told of every service, command and call; what the phones do themselves comes through their own trace.
        sleep: Waits where a real phone would be busy.
    """

    def __init__(
        self,
        phone: VirtualPhone | Iterable[VirtualPhone],
        *,
        transport_port: int = 0,
        server_port: int = 0,
        trace: TraceSink | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._trace = trace
        self._sleep = sleep
        self._started = False
        self.phones: dict[str, VirtualPhone] = {}
        self.services: dict[str, Services] = {}
        self._transports: dict[str, PhoneTransport] = {}
        self._host = HostServer(port=server_port)
        self._keeper = FaultKeeper(self.services)
        phones = phone if isinstance(phone, Iterable) else [phone]
        for number, one in enumerate(phones):
            self.add(one, port=transport_port if number == 0 else 0)

    @property
    def phone(self) -> VirtualPhone:
        """The first phone."""
        return next(iter(self.phones.values()))

    @property
    def serial(self) -> str:
        """The first phone's serial behind this adb server."""
        return next(iter(self.phones))

    @property
    def transport(self) -> str:
        """`127.0.0.1:PORT` of the first phone, for `adb connect`."""
        return self.transport_of(self.serial)

    @property
    def server(self) -> str:
        """`127.0.0.1:PORT` of the adb server."""
        return f"{HOST}:{self._host.port}"

    @property
    def server_port(self) -> int:
        """The adb server's port alone, as `adb -P` takes it."""
        return self._host.port

    def transport_of(self, serial: str) -> str:
        """`127.0.0.1:PORT` of one phone."""
        return f"{HOST}:{self._transports[serial].port}"

    def add(self, phone: VirtualPhone, *, port: int = 0) -> None:
        """Plug one more phone in.

        Raises:
            ValueError: A phone with its serial is there.
        """
        tracer = Tracer(self._trace, now=phone.now, serial=phone.serial)
        services = Services(phone, trace=tracer, sleep=self._sleep)
        transport = PhoneTransport(services, port=port)
        try:
            self._host.attach(phone.serial, services, address=f"{HOST}:{transport.port}")
        except ValueError:
            transport.close()
            raise

        def disconnect() -> None:
            transport.disconnect()
            self._host.unplugged(phone.serial)

        services.on_disconnect = disconnect
        phone.faults.on_set.append(self._keeper.wake)
        self.phones[phone.serial] = phone
        self.services[phone.serial] = services
        self._transports[phone.serial] = transport
        if self._started:
            transport.start()

    def start(self) -> None:
        """Begin to accept on every port."""
        self._started = True
        self._keeper.start()
        self._host.start()
        for transport in self._transports.values():
            transport.start()

    def close(self) -> None:
        """End everything; ports and connections are closed afterwards."""
        self._keeper.close()
        for services in self.services.values():
            services.close()
        for transport in self._transports.values():
            transport.close()
        self._host.close()

    def __enter__(self) -> VirtualServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
