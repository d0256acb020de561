"""Questions that lie to whoever reads them: on the screen of a real terminal they are harmless, and whole."""

import re
import shlex
import unicodedata

from client import Client
from harness import Place, until
from terminal import Terminal, answer, confirm

WORDS = [
    "-rf",
    "invoice\u202efdp.exe\u202c",
    "\u2067safe\u2069",
    "\x1b[2J\x1b[H\x1b[32mall good\x1b[0m",
    "\x1b]0;owned\x07",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1bPq#0;2;0;0;0\x1b\\",
    "\x9b31mred",
    "harmless\rrm -rf ~",
    "a\nDANGER none\n  0 /bin/true",
    "\x08\x08\x08\x08gone",
    "p\u0430yp\u0430l.com",
    "\u0441\u043e\u0440",
    "--fo\u200brce",
    "e\u0301\u0302\u0303\u0304\u0305\u0306",
    "Run this, with all its 1 words? Type y for yes: y",
    "=== exit 0",
    "\u2420{300}",
    "\\u{202e}",
    "\u21a9",
    "",
    " ",
    "trailing ",
    "\u65e5\u672c\u8a9e",
    "\U000e0041\U000e0042",
    "ls" + " " * 300 + "; rm -rf /",
    "x" * 250,
]

COMMAND = "stranger " + " ".join(map(shlex.quote, WORDS))

ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))|\u2420\{(\d+)\}")


def meant(shown):
    """Undoes what is written out."""

    def one(found):
        code, letter, spaces = found.groups()
        if code:
            return chr(int(code, 16))
        if spaces:
            return " " * int(spaces)
        return {"n": "\n", "r": "\r", "t": "\t"}.get(letter, letter)

    return "" if shown == "\u2205" else ESCAPE.sub(one, shown)


def words_of(screen):
    """The words that a person reads, under their heading: numbers begin them, an arrow goes on."""
    lines = screen.split("as they will run\n", 1)[1].split("\n")
    words = []
    goes_on = False
    for line in lines:
        if not line.strip():
            break
        text = line[5:] if goes_on else re.sub(r"^ *\d+ ", "", line)
        if goes_on:
            words[-1] += text
        else:
            words.append(text)
        goes_on = words[-1].endswith("\u21a9")
        words[-1] = words[-1].removesuffix("\u21a9")
    return list(map(meant, words))


def stray(screen):
    """Characters that no screen of ours may show."""
    bad = {c for c in screen if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Mn", "Zl", "Zp") and c != "\n"}
    return sorted(bad | {c for c in screen if c in "\u0430\u200b\u202e\u2067"})


def harmless(t, name, terminal):
    """Checks what is on the screen, and that nothing was done to the terminal."""
    t.same(f"{name}: nothing strange on the screen", stray(terminal.screen()), [])
    coloured = re.sub(r"\x1b\[[0-9;]*m|\x0e|\x0f", "", terminal.screen("-e"))
    t.same(f"{name}: nothing but our colours", stray(coloured), [])
    t.check(f"{name}: the title is ours", "owned" not in terminal.told("#{pane_title}#{window_name}"))
    t.same(f"{name}: the clipboard is empty", terminal.tmux("list-buffers"), "")


def hostile(t):
    """A place with such a question, and its name."""
    place = Place(t)
    place.write("bin/stranger", "#!/bin/sh\necho ran > ran\n", 0o755)
    with Client(place, "--wait", "0", name="\x1b[31mnice\u202e\r") as client:
        return place, t.asks("call", client.call(COMMAND))


def a_hostile_question_is_read_in_full(t):
    place, name = hostile(t)
    for columns in (60, 100, 132):
        with Terminal(place, "approvals", name, rows=250, columns=columns) as terminal:
            terminal.expect("^=== exit 0$")
            harmless(t, f"{columns} columns", terminal)
            t.same(f"{columns} columns: every word", words_of(terminal.screen())[1:], WORDS)
    t.check("it waits", name in place.pending())
    with Terminal(place, "approve", name, rows=250) as terminal:
        confirm(terminal)
        terminal.expect("^=== exit 0$")
        harmless(t, "approve", terminal)
        t.same("approve: every word", words_of(terminal.screen())[1:], WORDS)


def a_hostile_question_in_the_list(t):
    place, name = hostile(t)
    with Terminal(place, "approvals") as terminal:
        terminal.expect("^=== exit 0$")
        t.check("it is listed", name in terminal.screen())
        harmless(t, "list", terminal)


def a_hostile_question_on_the_screen(t):
    place, name = hostile(t)
    with Terminal(place, "approvals", "--watch") as terminal:
        terminal.expect(name)
        terminal.key("Enter")
        seen = screen = terminal.screen()
        while screen:
            harmless(t, "screen", terminal)
            terminal.key("PageDown")
            # Nothing new means that this was the end.
            screen = until(lambda: changed(terminal, screen), 2)
            seen += screen or ""
        for shown in (r"\u{202e}", r"\u{1b}[2J", r"harmless\rrm -rf ~", "\u2420{300}", r"p\u{430}yp", r"a\nDANGER none"):
            t.check(f"screen: shows {shown}", shown in seen, seen)
        terminal.type("d")
        terminal.expect(f"Deny {name}")
        terminal.type("\u202eno\x1b")
        terminal.expect(f"Deny {name}", gone=True)
        t.check("an escape leaves the reason", name in place.pending())
        terminal.type("q")
        terminal.expect("^=== exit 0$")
    code, _ = answer(place, "deny", name, "--reason", "no\x1b[31m \u202eway")
    with Client(place, "--wait", "0", name="\x1b[31mnice\u202e\r") as client:
        told = client.call(COMMAND).error.get("humanReason", "")
    t.check("the reason is harmless, too", code == 0 and "way" in told and not stray(told.replace("\ufffd", "")), told)
    t.same("nothing ran", place.said("ran"), "")


def changed(terminal, before):
    """What is on the screen, if it is not what was there before."""
    now = terminal.screen()
    return now if re.sub(r"\d+ s", "", now) != re.sub(r"\d+ s", "", before) else None


CASES = [
    a_hostile_question_is_read_in_full,
    a_hostile_question_in_the_list,
    a_hostile_question_on_the_screen,
]
