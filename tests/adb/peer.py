"""A small adb server for tests: it speaks literal bytes, keeps what it was asked, and fails where a test wants."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Peer", "UiPeer", "exit_code", "peer", "stdout"]

Handler = Callable[[socket.socket, str], None]


class Peer:
    """Answers requests by a table; a service that is not in it is refused with FAIL `closed`.

    `table` maps a request, or its beginning up to a `*`, to the answer's bytes (sent as they stand, OKAY too) or to a
    handler that gets the socket and the request after OKAY. The first row that fits counts, and it may change.
    """

    def __init__(self, table: dict[str, bytes | Handler]) -> None:
        self.table = table
        self.asked: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        for sock in self._open:
            sock.close()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(sock)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            while head := read_exactly(sock, 4):
                service = read_exactly(sock, int(head, 16)).decode()
                self.asked.append(service)
                if not self._answer(sock, service):
                    break
        except OSError:
            pass
        finally:
            sock.close()

    def _answer(self, sock: socket.socket, service: str) -> bool:
        answer = self._find(service)
        if answer is None:
            sock.sendall(b"FAIL0006closed")
            return False
        if isinstance(answer, bytes):
            sock.sendall(answer)
            return service.startswith("host:transport")
        sock.sendall(b"OKAY")
        answer(sock, service)
        return False

    def _find(self, service: str) -> bytes | Handler | None:
        for name, answer in list(self.table.items()):
            if name == service or (name.endswith("*") and service.startswith(name[:-1])):
                return answer
        return b"OKAY" if service.startswith("host:transport:") else None


@contextmanager
def peer(table: dict[str, bytes | Handler]) -> Iterator[Peer]:
    one = Peer(table)
    try:
        yield one
    finally:
        one.close()


def read_exactly(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = sock.recv(count - len(data))
        if not piece:
            return b""
        data += piece
    return data


def stdout(data: bytes) -> bytes:
    return b"\x01" + len(data).to_bytes(4, "little") + data


def exit_code(code: int) -> bytes:
    return b"\x03\x01\x00\x00\x00" + bytes([code])


class UiPeer:
    """What listens at tcp:9008: counts what came, answers from a list, and can end a connection at any point.

    `replies` are taken one a request and sent as they stand; None and the end of the list end the connection.
    With `cut` each reply is the last on its connection.
    """

    def __init__(self, *replies: bytes | None, cut: bool = False) -> None:
        self.replies = list(replies)
        self.cut = cut
        self.bodies: list[bytes] = []
        self.connections = 0

    def __call__(self, sock: socket.socket, service: str) -> None:
        self.connections += 1
        while request := self._read(sock):
            if request.startswith(b"GET /ping"):
                sock.sendall(b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\npong")
                continue
            self.bodies.append(request)
            reply = self._reply(request)
            if reply is None:
                return
            sock.sendall(reply)
            if self.cut:
                return

    def _reply(self, body: bytes) -> bytes | None:
        return self.replies.pop(0) if self.replies else None

    def _read(self, sock: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = sock.recv(65536)
            if not piece:
                return b""
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        if head.startswith(b"GET"):
            return head
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += sock.recv(65536)
        return body


def result(json_text: str) -> bytes:
    body = b'{"jsonrpc":"2.0","id":1,"result":' + json_text.encode() + b"}"
    return b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def error(message: str) -> bytes:
    body = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"' + message.encode() + b'"}}'
    return b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n" % len(body) + body
