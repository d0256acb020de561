"""One command through `argrail call` or a server of MCP, and the judgement of what came of it."""

import json
import os
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

from cases import Tally

# No answer may take longer, on however loaded a machine.
WATCHDOG = 10


class Answer:
    """An envelope, how long it took, and the exit code of argrail if it was a process of its own."""

    def __init__(self, envelope, took=0.0, exit_code=None):
        self.envelope = envelope
        self.took = took
        self.exit = exit_code
        self.data = envelope.get("data")
        self.error = envelope.get("error") or {}
        self.stdout = self.data.get("stdout", "") if isinstance(self.data, dict) else ""

    @property
    def held(self):
        """Whether a person has to approve it."""
        return self.error.get("code") == "PERMISSION_DENIED" and self.error.get("reason") == "approval_required"

    def __str__(self):
        return f"        exit {self.exit}: {json.dumps(self.envelope)[:2000]}"


class Place:
    """A home with its own configuration, and a directory to work in."""

    def __init__(self, suite, config=None):
        self.suite = suite
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
        if config is not None:
            self.write("config/agent-tools/config.json", json.dumps(config))

    def write(self, relative, text, mode=0o600):
        """Writes a file below the root."""
        file = self.root / relative
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)
        return file

    def claim(self, name, program):
        """Makes a program known under another name, as one that says of itself that it only reads."""
        effects = {
            "network": False,
            "subprocess": False,
            "idempotent": True,
            "destructive": False,
            "filesystem": {"read": True, "write": False, "delete": False},
        }
        self.describe("data/agent-tools/shims", name, program, effects=effects)

    def vouch(self, name, program, flags=(), **more):
        """Makes a program known under another name, as one that only reads. A flag that ends in `=` takes a value."""
        effects = {
            "network": False,
            "subprocess": True,
            "x-exec": "any",
            "idempotent": True,
            "destructive": False,
            "filesystem": {"read": True, "write": False, "delete": False},
        }
        about = {"x-grammar": {"unknown": "ask"}, "effects": effects, **more}
        self.describe("config/agent-tools/overrides", name, program, flags, **about)

    def describe(self, folder, name, program, flags=(), **more):
        """Puts a program on the search path, and a description of it into a folder."""
        if not (self.bin / name).is_symlink():
            (self.bin / name).symlink_to(program)
        options = [
            {
                "name": flag.strip("-="),
                "flags": [flag.removesuffix("=")],
                "type": "string" if flag.endswith("=") else "boolean",
                "description": "A flag",
            }
            for flag in flags
        ]
        words = {"name": "words", "type": "string", "description": "Words", "variadic": True, "required": False}
        about = {
            "atip": "0.1",
            "name": name,
            "version": "1.0.0",
            "description": "A program of the machine",
            "commands": {"": {"description": "Runs it", "arguments": [words], "options": options}},
            **more,
        }
        self.write(f"{folder}/{name}.json", json.dumps(about))

    def call(self, command, timeout=WATCHDOG):
        """What `argrail call` answers; None if it does not in time."""
        began = time.monotonic()
        child = subprocess.Popen(
            [self.suite.argrail, "call", command],
            cwd=self.work,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            out, err = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return None
        took = time.monotonic() - began
        self.suite.slowest = max(self.suite.slowest, (took, command))
        try:
            return Answer(json.loads(out), took, child.returncode)
        except ValueError:
            return Answer({"error": {"message": (out + err).decode(errors="replace")}}, took, child.returncode)

    def free(self, command, directory=None):
        """Runs the words without argrail, to see what they would do."""
        return subprocess.run(
            shlex.split(command),
            cwd=directory or self.work,
            env={**self.env, "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )

    def state(self, *directories):
        """Every file below the work directory and the home, and what is in it."""
        found = {}
        for directory in directories or (self.work, self.home):
            for path in sorted(directory.rglob("*")):
                if path.is_symlink():
                    found[str(path)] = os.readlink(path)
                elif path.is_file():
                    found[str(path)] = path.read_bytes()
                else:
                    found[str(path)] = None
        return found

    def left(self):
        """Processes that still work here."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                directory = os.readlink(entry / "cwd")
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            if directory.startswith(str(self.root)):
                found.append(f"{entry.name}: {line.decode(errors='replace')}")
        return found


class Client:
    """A client of MCP over the standard streams of `argrail serve`."""

    def __init__(self, place, wrapper=()):
        self.child = subprocess.Popen(
            [*wrapper, place.suite.argrail, "serve", "--wait", "0"],
            cwd=place.work,
            env=place.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.last = 0
        about = {"name": "calls", "version": "0"}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about})
        self.send({"method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        self.child.wait(timeout=60)

    def send(self, message):
        """Writes one message."""
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.child.stdin.flush()

    def request(self, method, params):
        """Asks, and waits for the result."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = json.loads(self.child.stdout.readline())
            if message.get("id") == self.last:
                return message["result"]

    def call(self, command):
        """What the tool `cli` answers."""
        result = self.request("tools/call", {"name": "cli", "arguments": {"command": command}})
        # A large answer stands in the text alone.
        return Answer(result.get("structuredContent") or json.loads(result["content"][0]["text"]))


class Suite(Tally):
    """What is tested, and which answer took longest."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail
        self.slowest = (0.0, "nothing")

    def tell(self):
        """Says how long the slowest took."""
        print(f"the slowest answer took {self.slowest[0]:.2f} s: {self.slowest[1]}")
