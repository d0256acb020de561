"""A home with a model of its own, and agents that argrail drives there."""

import json
import os
import pty
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import agents
from cases import Tally

# No turn may take longer, on however loaded a machine: the slowest agent needs ten seconds to start.
WATCHDOG = 90
# What has to end after a cancel or a kill, ends so soon. What is promised is a second; the machine may be busy.
SOON = 60


def until(holds, seconds=WATCHDOG):
    """Looks until something holds; returns what it is, or what it was in the end."""
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.02)


class Turn:
    """A running `argrail agent run`: its events as they come, and its end."""

    def __init__(self, child):
        self.child = child
        self.events = []
        self.stray = []
        self.err = ""
        self.started = time.monotonic()
        self.threads = [threading.Thread(target=self.read), threading.Thread(target=self.hear)]
        for thread in self.threads:
            thread.start()

    def read(self):
        """Every line is one event."""
        for line in self.child.stdout:
            try:
                event = json.loads(line)
                self.events.append((event["type"], event))
            except (ValueError, KeyError, TypeError):
                self.stray.append(line)

    def hear(self):
        """What is told to people."""
        self.err = self.child.stderr.read().decode(errors="replace")

    def of(self, kind):
        """The events of a kind."""
        return [event for name, event in list(self.events) if name == kind]

    def wait_for(self, kind, count=1):
        """Waits for so many events of a kind, or the end."""
        return until(lambda: len(self.of(kind)) >= count or self.child.poll() is not None) and self.of(kind)

    def end(self, seconds=WATCHDOG):
        """Waits for the end; returns the exit code, or nothing if there is none."""
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            self.err += f"\n(did not end in {seconds} s)"
            return None
        finally:
            for thread in self.threads:
                thread.join(5)
        return self.child.returncode

    @property
    def kinds(self):
        """The names of all events."""
        return [name for name, _ in self.events]

    @property
    def text(self):
        """All that the agent said."""
        return "".join(event["text"] for event in self.of("text-delta"))

    @property
    def last(self):
        """The last event."""
        return self.events[-1][1] if self.events else {}

    def __str__(self):
        events = "\n".join(f"        {json.dumps(event)[:400]}" for _, event in self.events[-12:])
        return f"        exit {self.child.returncode}\n{events}\n        stray: {self.stray[:3]}\n        stderr: {self.err[-1500:]}"


class Place:
    """A home with its own configuration, state and model, and a directory to work in."""

    def __init__(self, suite, agent, make):
        self.suite = suite
        self.agent = agent
        self.root = Path(tempfile.mkdtemp(prefix="place-", dir=os.environ["HOME"]))
        self.work = self.root / "work"
        self.home = self.root / "home"
        for directory in (self.work, self.home):
            directory.mkdir()
        (self.work / "notes.txt").write_text("one\ntwo\nthree\n")
        self.token = None
        script = self.root / "script.json"
        script.write_text(json.dumps({"turns": [make(self)]}))
        self.log = self.root / "model.jsonl"
        self.model = subprocess.Popen([os.environ["MODEL"], script, self.log], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = json.loads(self.model.stdout.readline())["port"]
        url = f"http://{agent.host}:{self.port}"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "SECRET_OF_THE_CALLER": "not-for-agents",
            **{f"XDG_{name}_HOME": str(self.root / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
            **agent.variables(url),
        }
        # Both names have an address. Only the first is the agent's to reach.
        network = {"resolve": {agent.host: "127.0.0.1", "other.test": "127.0.0.1"}, "allowLoopback": True}
        self.write("config/agent-tools/config.json", json.dumps({"network": network}))
        if agent.settings:
            file, text = agent.settings
            self.write(f"data/argrail/agents/{agent.name}@1/{file}", text.replace("{url}", url))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.model.stdin.close()
        self.model.wait()

    def write(self, relative, text):
        """Writes a file below the root."""
        file = self.root / relative
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def turn(self, prompt, *flags):
        """Starts a turn of the agent."""
        words = [self.suite.argrail, "agent", "run", self.agent.name, prompt, "--events", "ndjson", *flags]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return Turn(subprocess.Popen(words, cwd=self.work, env=self.env, **streams))

    def run(self, *words):
        """What another verb of argrail answers."""
        words = [self.suite.argrail, *map(str, words), "--json"]
        done = subprocess.run(words, cwd=self.work, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=WATCHDOG)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"{words}: exit {done.returncode}: {done.stdout + done.stderr}") from None

    def pending(self):
        """The questions that wait."""
        return self.run("approvals")["data"]["pending"]

    def question(self, turn):
        """Waits for a question of a turn; returns it."""
        until(lambda: self.pending() or turn.child.poll() is not None)
        return next(iter(self.pending()), None)

    def decide(self, verb, question):
        """A person answers, by the token that they made on a terminal."""
        if not self.token:
            self.token = self.root / "token"
            master, slave = pty.openpty()
            words = [self.suite.argrail, "approvals", "--new-token", self.token]
            subprocess.run(words, cwd=self.work, env=self.env, stdin=slave, stdout=slave, stderr=slave, check=True, timeout=WATCHDOG)
            os.close(slave)
            os.close(master)
        dangerous = ["--destructive"] if verb == "approve" else []
        return self.run(verb, question["id"], *dangerous, "--token-file", self.token)

    def heard(self):
        """Everything that the model was asked."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def allow_all(self, turn):
        """A person says yes to everything until the turn is over; returns how often."""
        count = 0
        while turn.child.poll() is None:
            for question in self.pending():
                self.decide("approve", question)
                count += 1
        return count

    def asked(self):
        """What the model was asked, title and the like left out."""
        return [one for one in self.heard() if one["answer"] not in ("aside", "other")]

    def records(self):
        """The record of what happened."""
        return self.run("audit", "show")["data"]["entries"]

    def left(self):
        """Processes that are still there, of this run of the suite: of argrail, or of the agent."""
        found = []
        ours = os.fsencode(Path(self.suite.argrail).parent.parent)
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) in (os.getpid(), self.model.pid):
                continue
            # Of what is in a sandbox a plain user may see the words alone.
            try:
                line = (entry / "cmdline").read_bytes()
                directory = os.readlink(entry / "cwd")
            except PermissionError:
                directory = ""
            except OSError:
                continue
            words = [word for word in (b"/argrail\0", self.agent.name.encode()) if ours in line and word in line]
            if words or directory.startswith(str(self.root)):
                found.append((int(entry.name), line.replace(bytes(1), b" ").decode(errors="replace")))
        return found

    def kill_agent(self):
        """Kills the agent's own process, from outside."""
        for number, line in self.left():
            if self.agent.name in line and not line.startswith(self.suite.argrail):
                os.kill(number, signal.SIGKILL)
                return True
        return False


class Suite(Tally):
    """What is tested."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail

    def same(self, name, seen, wanted, turn=""):
        """Checks that something is what it should be."""
        self.check(name, seen == wanted, f"        seen:   {seen!r}\n        wanted: {wanted!r}\n{turn}")

    def well_formed(self, name, turn):
        """Checks what holds of every turn, whatever happened in it."""
        self.check(f"{name}: every line is an event", not turn.stray, turn)
        ends = [kind for kind in turn.kinds if kind in ("turn-end", "error")]
        self.check(f"{name}: one end, and it is last", len(ends) == 1 and turn.kinds[-1] in ("turn-end", "error"), turn)
        fields = all({"session", "turn", "seq", "ts"} <= set(event) for _, event in turn.events)
        self.check(f"{name}: every event says whose it is", fields, turn)
        numbers = [event["seq"] for _, event in turn.events]
        self.check(f"{name}: numbered without a gap", numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False, turn)

    def gone(self, name, place):
        """Checks that nothing is left running."""
        left = until(lambda: not place.left(), SOON) or place.left()
        self.check(f"{name}: nothing is left", left is True, f"        {left}")


def each(*cases):
    """The cases for every agent that is wanted, each under the agent's name."""
    made = []
    for name in os.environ["AGENTS"].split():
        for case in cases:
            def bound(t, case=case, agent=agents.ALL[name]):
                case(t, agent)

            bound.__name__ = f"{name}_{case.__name__}"
            made.append(bound)
    return made
