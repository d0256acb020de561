"""The second terminal, where a person sits: argrail in a window of tmux, its screen and its keys."""

import re
import subprocess
import tempfile
import time
from pathlib import Path

from harness import WATCHDOG

# A lone Escape is one at once, and what a program puts into the clipboard is seen.
SETTINGS = "set -g escape-time 0\nset -g status off\nset -g set-clipboard on\n"

# The window stays as it is when the program has ended, and says how.
STAY = '"$@"; echo "=== exit $?"; exec sleep 1000'


class Missing(Exception):
    """Something that should be on the screen is not."""


class Terminal:
    """A window in which `argrail WORDS…` runs, with a server of tmux of its own."""

    def __init__(self, place, *words, rows=40, columns=100):
        self.root = Path(tempfile.mkdtemp(prefix="tmux-", dir=place.root))
        settings = self.root / "settings"
        settings.write_text(SETTINGS)
        self.base = ["tmux", "-S", str(self.root / "s"), "-f", str(settings)]
        self.env = {**place.env, "TERM": "xterm-256color"}
        size = ("-x", str(columns), "-y", str(rows))
        program = ("sh", "-c", STAY, "sh", place.argrail, *map(str, words))
        self.tmux("new-session", "-d", *size, "-c", str(place.work), "--", *program)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server", check=False)

    def tmux(self, *words, check=True):
        """What a command of tmux prints."""
        done = subprocess.run([*self.base, *words], env=self.env, capture_output=True, check=False, timeout=WATCHDOG)
        if check and done.returncode != 0:
            raise RuntimeError(f"tmux {words}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode()

    def screen(self, *flags):
        """What is on the screen now, line by line."""
        return self.tmux("capture-pane", "-p", *flags)

    def told(self, what):
        """A value that tmux knows of the window."""
        return self.tmux("display-message", "-p", what).strip()

    def expect(self, pattern, gone=False):
        """Waits until the screen shows a pattern, or does not any more, and returns the match."""
        end = time.monotonic() + WATCHDOG
        while True:
            screen = self.screen()
            found = re.search(pattern, screen, re.MULTILINE)
            if bool(found) != gone:
                return found
            if time.monotonic() > end:
                raise Missing(f"{'still' if gone else 'not'} on the screen: {pattern}\n{screen}")
            time.sleep(0.03)

    def type(self, text):
        """Types characters."""
        self.tmux("send-keys", "-l", "--", text)

    def key(self, *names):
        """Presses keys by their names."""
        self.tmux("send-keys", *names)

    def ended(self):
        """Waits for the end, and returns the exit code."""
        return int(self.expect(r"^=== exit (\d+)$")[1])


CODE = r"type (\w{4}):"
# Ours begins its line; the same words inside of a command do not.
YES = r"^(Run this, with all its \d+ words[^?\n]*\? Type y for yes:)"


def confirm(terminal):
    """Types the yes, or the code of a dangerous question, that is asked for; returns then, or when the program has ended."""
    found = terminal.expect(rf"^=== exit \d+$|{CODE}|{YES}")
    if found[2]:
        terminal.type("y\r")
    elif found[1]:
        terminal.type(found[1] + "\r")


def approve(place, name, *flags):
    """A person says yes in their terminal, with the code where one is asked for. Returns the last screen."""
    with Terminal(place, "approve", name, *flags, rows=120) as terminal:
        confirm(terminal)
        code = terminal.ended()
        screen = terminal.screen()
    if code != 0:
        raise Missing(f"approve {name}: exit {code}\n{screen}")
    return screen


def answer(place, *words):
    """A person runs a verb that asks nothing back. Returns its exit code and the screen."""
    with Terminal(place, *words) as terminal:
        return terminal.ended(), terminal.screen()


def make_token(place):
    """A person makes a token for programs of theirs."""
    file = place.root / "token"
    code, screen = answer(place, "approvals", "--new-token", file)
    if code != 0:
        raise Missing(screen)
    place.token = file
