"""One command through `argrail sandbox --json`, and the judgement of what came of it."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from cases import Tally


class Ran:
    """What a command did: the exit code of argrail and what its envelope says."""

    def __init__(self, exit_code, envelope):
        self.exit = exit_code
        self.envelope = envelope
        self.data = envelope.get("data") or {}
        self.stdout = self.data.get("stdout", "")
        self.stderr = self.data.get("stderr", "")
        self.error = envelope.get("error") or {}

    def denied(self, kind, target):
        """Whether a refusal of this kind is reported whose target holds `target`."""
        return any(d["kind"] == kind and target in d["target"] for d in self.data.get("denials", []))

    def __str__(self):
        shown = {**self.data, **self.error, "argrail": self.exit}
        return "\n".join(f"        {key}: {str(value)[:1500]!r}" for key, value in shown.items())


def policy(read=(), write=(), deny=(), egress=(), spawn=None, env=None, tty=False):
    """A block of AIP-29. Without `spawn` nothing may be started, not even a copy of itself."""
    block = {
        "network": {"egress": list(egress)},
        "fs": {"read": [str(p) for p in read], "write": [str(p) for p in write], "deny": [str(p) for p in deny]},
        "exec": {"allow": False} if spawn is None else {"allow": True, "spawn": [str(p) for p in spawn]},
        "env": {"set": env or {}},
    }
    if tty:
        block["tty"] = {"required": True}
    return block


class Suite(Tally):
    """Where the cases run."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail
        self.home = Path(os.environ["HOME"])

    def work(self):
        """A new, empty directory of the user."""
        return Path(tempfile.mkdtemp(prefix="work-", dir=self.home))

    def command(self, block, argv, options=(), report=True):
        """The command line that runs `argv` under a policy."""
        handle, name = tempfile.mkstemp(prefix="policy-", suffix=".json", dir=self.home)
        with os.fdopen(handle, "w") as file:
            json.dump(block, file)
        flags = ["--json"] if report else []
        return [self.argrail, "sandbox", "--policy", name, *flags, *options, "--", *map(str, argv)]

    def run(self, block, argv, cwd=None, options=(), env=None):
        """Runs `argv` under a policy, with nothing to read, and returns what came of it."""
        done = subprocess.run(
            self.command(block, argv, options),
            cwd=cwd or self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        try:
            return Ran(done.returncode, json.loads(done.stdout))
        except ValueError:
            return Ran(done.returncode, {"error": {"message": (done.stdout + done.stderr).decode(errors="replace")}})

    def works(self, name, ran, says=None):
        """Checks that a command ended well, and said something."""
        self.check(name, ran.exit == 0 and (says is None or says in ran.stdout), ran)

    def fails(self, name, ran, denied=None):
        """Checks that a command ran and failed, and that the report names what it was refused."""
        held = ran.exit != 0 and ran.data.get("exit") == ran.exit
        self.check(name, held and (denied is None or ran.denied(*denied)), ran)
