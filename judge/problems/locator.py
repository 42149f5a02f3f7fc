"""On which line of a TOML file a key stands.

``tomllib`` forgets positions, and an error without a line is half an error. This scanner walks a
text that ``tomllib`` has accepted and notes where keys, tables and array items begin. It must not
judge or convert values.
"""

from __future__ import annotations

from collections.abc import Mapping

#: A place in a document: keys of tables and indices of arrays, from the top.
KeyPath = tuple[str | int, ...]

_BARE_KEY_ENDS = frozenset(" \t\r\n.=]#\"'")
_SCALAR_ENDS = frozenset(",]}\r\n#")


def key_lines(text: str) -> dict[KeyPath, int]:
    """Lines (from 1) of every key, table and array item of ``text``, which must be valid TOML."""
    return _Scanner(text).scan()


def line_of(path: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """The line of ``path``, or of the nearest thing around it that has one."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._lines: dict[KeyPath, int] = {}
        self._array_lengths: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        prefix: KeyPath = ()
        while True:
            self._skip_blank()
            if self._at >= len(self._text):
                return self._lines
            if self._peek() == "[":
                prefix = self._header()
            else:
                self._assignment(prefix)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _advance(self, count: int = 1) -> None:
        self._line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _skip_spaces(self) -> None:
        while self._peek() in (" ", "\t"):
            self._advance()

    def _skip_blank(self) -> None:
        """Skip white space, line ends and comments."""
        while (character := self._peek()) and character in " \t\r\n#":
            if character == "#":
                end = self._text.find("\n", self._at)
                self._advance((len(self._text) if end < 0 else end) - self._at)
            else:
                self._advance()

    def _header(self) -> KeyPath:
        line = self._line
        is_array = self._text.startswith("[[", self._at)
        self._advance(2 if is_array else 1)
        keys = self._dotted_key()
        self._advance(2 if is_array else 1)
        path: KeyPath = ()
        for key in keys[:-1]:
            path = (*path, key)
            if path in self._array_lengths:
                path = (*path, self._array_lengths[path] - 1)
        path = (*path, keys[-1])
        self._lines.setdefault(path, line)
        if is_array:
            index = self._array_lengths.get(path, 0)
            self._array_lengths[path] = index + 1
            path = (*path, index)
            self._lines[path] = line
        return path

    def _assignment(self, prefix: KeyPath) -> None:
        line = self._line
        path = prefix
        for key in self._dotted_key():
            path = (*path, key)
            self._lines.setdefault(path, line)
        self._advance()  # the equals sign
        self._skip_spaces()
        self._value(path)

    def _dotted_key(self) -> list[str]:
        """A key up to, not including, its ``=`` or ``]``."""
        keys: list[str] = []
        while True:
            self._skip_spaces()
            if self._peek() in ('"', "'"):
                keys.append(self._string())
            else:
                start = self._at
                while self._peek() and self._peek() not in _BARE_KEY_ENDS:
                    self._advance()
                keys.append(self._text[start : self._at])
            self._skip_spaces()
            if self._peek() != ".":
                return keys
            self._advance()

    def _value(self, path: KeyPath) -> None:
        opening = self._peek()
        if opening in ('"', "'"):
            self._string()
        elif opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        else:
            while self._peek() and self._peek() not in _SCALAR_ENDS:
                self._advance()

    def _array(self, path: KeyPath) -> None:
        self._advance()
        index = 0
        while True:
            self._skip_blank()
            if self._peek() == "]":
                self._advance()
                return
            if self._peek() == ",":
                self._advance()
                continue
            self._lines[(*path, index)] = self._line
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._advance()
        while True:
            self._skip_blank()
            if self._peek() == "}":
                self._advance()
                return
            if self._peek() == ",":
                self._advance()
                continue
            self._assignment(path)

    def _string(self) -> str:
        """Skip a string of any of the four kinds; returns its text with escapes left as they are.

        (A quoted key with an escape in it is then not found; its table is named instead.)
        """
        quote = self._peek()
        fence = quote * 3 if self._text.startswith(quote * 3, self._at) else quote
        start = self._at + len(fence)
        end = start
        while not self._text.startswith(fence, end):
            end += 2 if quote == '"' and self._text[end] == "\\" else 1
        # A multi-line string may end in up to two more quotes of its own.
        while len(fence) == 3 and self._text.startswith(quote, end + 3):
            end += 1
        self._advance(end + len(fence) - self._at)
        return self._text[start:end]
