"""A home in which changes ask, and argrail's processes there."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from cases import Tally

# No answer may take longer, on however loaded a machine.
WATCHDOG = 60


class Answer:
    """An envelope, and the exit code of argrail if it was a process of its own."""

    def __init__(self, envelope, exit_code=None):
        self.envelope = envelope
        self.exit = exit_code
        self.data = envelope.get("data")
        self.error = envelope.get("error") or {}
        self.reason = self.error.get("reason")
        self.id = self.error.get("approval")

    @property
    def ran(self):
        """Whether the tool ran, and ended well."""
        return self.envelope.get("success") is True and self.exit in (None, 0)

    @property
    def asks(self):
        """Whether a person was asked and has not answered."""
        return self.reason == "approval_required" and self.id is not None and self.exit in (None, 5)

    def __str__(self):
        return f"        exit {self.exit}: {json.dumps(self.envelope)[:2000]}"


def read(out, err, code):
    """What a process of argrail printed, as an answer."""
    try:
        return Answer(json.loads(out), code)
    except ValueError:
        return Answer({"error": {"message": (out + err).decode(errors="replace")}}, code)


def until(holds, seconds=WATCHDOG):
    """Looks until something holds; returns what it is, or what it was in the end."""
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.02)


class Place:
    """A home with its own configuration and state, and a directory to work in."""

    def __init__(self, suite, config=None):
        self.suite = suite
        self.argrail = suite.argrail
        self.root = Path(tempfile.mkdtemp(prefix="place-", dir=os.environ["HOME"]))
        self.work = self.root / "work"
        self.home = self.root / "home"
        self.bin = self.root / "bin"
        for directory in (self.work, self.home, self.bin):
            directory.mkdir()
        self.env = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            **{f"XDG_{name}_HOME": str(self.root / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
        }
        self.state = self.root / "state/argrail"
        self.log = self.state / "audit/audit-log.jsonl"
        self.token = None
        if config is not None:
            self.write("config/agent-tools/config.json", json.dumps(config))

    def write(self, relative, text, mode=0o600):
        """Writes a file below the root, in the place of an older one."""
        file = self.root / relative
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(text)
        fresh.chmod(mode)
        fresh.rename(file)
        return file

    def said(self, name):
        """What a file of the work directory says; nothing if there is none."""
        file = self.work / name
        return file.read_text() if file.exists() else ""

    def start(self, *words, cwd=None, env=None, **more):
        """Starts a process of argrail, with nothing to read."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [self.argrail, *map(str, words)], cwd=cwd or self.work, env={**self.env, **(env or {})}, **{**streams, **more}
        )

    def run(self, *words, **more):
        """What a process of argrail answers."""
        child = self.start(*words, **more)
        try:
            out, err = child.communicate(timeout=WATCHDOG)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return Answer({"error": {"message": f"no answer in {WATCHDOG} s: {words}"}})
        return read(out, err, child.returncode)

    def call(self, command, *flags, **more):
        """What `argrail call` answers."""
        return self.run("call", *flags, command, **more)

    def pending(self):
        """The questions that wait, by their names."""
        answer = self.run("approvals", "--json")
        if not answer.ran:
            raise RuntimeError(f"approvals: {answer}")
        return {question["id"]: question for question in answer.data["pending"]}

    def grants(self):
        """All grants, also those that are over, by their names."""
        answer = self.run("grants", "--all", "--json")
        if not answer.ran:
            raise RuntimeError(f"grants: {answer}")
        return {grant["id"]: grant for grant in answer.data["grants"]}

    def verify(self, *flags):
        """What `argrail audit verify` answers."""
        return self.run("audit", "verify", "--json", *flags)

    def decide(self, verb, *words):
        """Answers with the token, which a person made before; also to what is dangerous."""
        dangerous = ["--destructive"] if verb == "approve" else []
        return self.run(verb, *words, *dangerous, "--token-file", self.token, "--json")

    def records(self):
        """The record, line by line; a last line that is torn is left out."""
        found = []
        for line in self.log.read_bytes().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return found

    def left(self):
        """Processes that still work here: in its directories, with its name among their words, or argrail itself."""
        found = []
        name = os.fsencode(self.root.name)
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            # Of what is in a sandbox a plain user may see the words alone.
            try:
                line = (entry / "cmdline").read_bytes()
                directory = os.readlink(entry / "cwd")
            except PermissionError:
                directory = ""
            except OSError:
                continue
            if directory.startswith(str(self.root)) or line.startswith(os.fsencode(self.argrail)) or name in line:
                found.append(f"{entry.name}: {line.replace(bytes(1), b' ').decode(errors='replace')}")
        return found


class Suite(Tally):
    """What is tested."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail

    def amount(self, name, usual):
        """How much of something is done: what the environment says, or the usual."""
        return int(os.environ.get(name) or usual)

    def asks(self, name, answer):
        """Checks that a person is asked, and returns the question's name."""
        self.check(f"{name}: asks", answer.asks, answer)
        return answer.id

    def runs(self, name, answer):
        """Checks that it ran."""
        self.check(f"{name}: runs", answer.ran, answer)

    def same(self, name, seen, wanted):
        """Checks that something is what it should be."""
        self.check(name, seen == wanted, f"        seen:   {seen!r}\n        wanted: {wanted!r}")

    def whole(self, name, place, *flags):
        """Checks that the record is whole, and returns how many entries it has."""
        answer = place.verify(*flags)
        self.check(f"{name}: the record is whole", answer.ran and answer.data["ok"], answer)
        return answer.data["entries"] if answer.ran else 0
