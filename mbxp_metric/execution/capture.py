"""What a program prints: all of it is read, the first and the last part are kept."""

from __future__ import annotations


class Capture:
    """Keeps at most `limit` bytes of a stream: its head and its tail in equal parts."""

    def __init__(self, limit: int) -> None:
        self._head_size = limit - limit // 2
        self._tail_size = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.truncated = False

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._tail_size:
            self.truncated = True
            del self._tail[: len(self._tail) - self._tail_size]

    @property
    def head(self) -> bytes:
        return bytes(self._head)

    @property
    def data(self) -> bytes:
        """Head and tail; with a line between them where something is missing."""
        gap = b"\n[...]\n" if self.truncated else b""
        return bytes(self._head) + gap + bytes(self._tail)

    @property
    def text(self) -> str:
        """The same as text; a byte that is not UTF-8 reads `\\xff`."""
        return self.data.decode("utf-8", "backslashreplace")
