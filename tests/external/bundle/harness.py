"""An empty home, bundles to add, and argrail's processes there."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from cases import Tally

# No answer may take longer, on however loaded a machine: some of it is compiling.
WATCHDOG = 600


class Suite(Tally):
    """The cases, and the binary."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail

    def same(self, name, seen, wanted):
        """Counts one comparison."""
        self.check(name, seen == wanted, f"        {seen!r}\n        wanted {wanted!r}")


class Answer:
    """An envelope and an exit code."""

    def __init__(self, envelope, exit_code):
        self.envelope = envelope
        self.exit = exit_code
        self.data = envelope.get("data") or {}
        self.error = envelope.get("error") or {}
        self.code = self.error.get("code")

    @property
    def ran(self):
        """Whether it ended well."""
        return self.envelope.get("success") is True and self.exit == 0

    def __str__(self):
        return f"        exit {self.exit}: {json.dumps(self.envelope)[:3000]}"


class Place:
    """A home with nothing in it but the settings of package managers, and a directory to work in."""

    def __init__(self, suite):
        self.argrail = suite.argrail
        self.root = Path(tempfile.mkdtemp(prefix="place-", dir=os.environ["HOME"]))
        self.work = self.root / "work"
        self.home = self.root / "home"
        self.work.mkdir()
        shutil.copytree(os.environ["SETTINGS"], self.home)
        passed = {name: value for name, value in os.environ.items() if name not in ("HOME", "SETTINGS", "KILLS")}
        self.env = {**passed, "HOME": str(self.home)}
        self.data = self.home / ".local/share"

    def start(self, *words, **more):
        """Starts a process of argrail, with nothing to read."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [self.argrail, *map(str, words)]
        return subprocess.Popen(command, cwd=self.work, env=self.env, **{**streams, **more})

    def run(self, *words):
        """What a process of argrail answers."""
        return ended(self.start(*words))

    def add(self, bundle, *flags):
        """What `argrail add` answers, with everything that is shown accepted."""
        return self.run("add", "--json", "--yes", *flags, bundle)

    def call(self, command):
        """What `argrail call` answers."""
        return self.run("call", command)

    def installed(self):
        """Every file that an installation has left, receipts and locks aside."""
        top = self.data / "argrail/installed"
        return sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file() or path.is_symlink())

    def programs(self):
        """The same without what says nothing is installed: locks."""
        return [name for name in self.installed() if "lock" not in name.rsplit("/", 1)[-1]]


def ended(child):
    """What a process of argrail answered in the end."""
    try:
        out, err = child.communicate(timeout=WATCHDOG)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return Answer({"error": {"message": f"no answer in {WATCHDOG} s: {child.args}"}}, None)
    try:
        return Answer(json.loads(out), child.returncode)
    except ValueError:
        return Answer({"error": {"message": (out + err).decode(errors="replace")}}, child.returncode)


TOOL = """---
name: {title}
id: {name}.{tool}
description: {title}.
version: 1.0.0
inputs: {inputs}
outputs: {outputs}
runner:
  cli: ../../CLI.md
  argv: {argv}
---
"""

CLI = """---
name: {name}
id: {name}
description: A program for this suite.
version: 1.0.0
bin: {bin}
install:
  - {install}
version_check: {{ cmd: {version}, parse: '{parse}', range: "{range}" }}
sandbox:
  network: {{ egress: [] }}
  fs: {{ read: ["**"], write: [] }}
  exec: {{ allow: {spawns}, spawn: {spawn} }}
  env: {{}}
output: {{ default_format: {format} }}
commands:
  {tool}: ./tools/{tool}/TOOL.md
---
"""


def bundle(place, name, install, **more):
    """Writes a bundle with one tool into the work directory, and returns its folder."""
    fields = {
        "name": name,
        "bin": name,
        "install": json.dumps(install),
        "version": f"{name} --version",
        "parse": r"(\d+\.\d+\.\d+)",
        "range": ">=0.0.1",
        "spawns": "false",
        "spawn": "[]",
        "format": "json",
        "tool": "show",
        "title": "Show",
        "inputs": "{ type: object, properties: { word: { type: string } } }",
        "outputs": "{ type: object }",
        "argv": '[show, "--word=${input.word | default(\'x\')}"]',
        **more,
    }
    folder = place.work / name
    tool = folder / "tools" / fields["tool"]
    tool.mkdir(parents=True, exist_ok=True)
    (folder / "CLI.md").write_text(CLI.format(**fields))
    (tool / "TOOL.md").write_text(TOOL.format(**fields))
    return folder


SCRIPT = """#!/bin/sh
case "$1" in
  --version) echo "{name} 1.2.3" ;;
  show) printf '{{"said":"%s"}}' "$2" ;;
esac
"""


def script(name):
    """A program that has a version and answers in JSON."""
    return SCRIPT.format(name=name)
