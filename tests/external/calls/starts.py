"""The programs that are known to ask, really started, as if nobody had said that they do: none waits for an answer."""

import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import threading

from bypass import has_account
from harness import WATCHDOG, Place
from reads import repository

# An answer should come in this time, in seconds. It is shown; only the watchdog is a failure.
GOAL = 2

# The program, its words, the flags among them, what it is seen to ask for, and a word of the advice.
ASK = [
    ("git", "rebase -i --root", ["-i", "--root"], {"editor"}, "--no-edit"),
    ("git", "commit --allow-empty", ["--allow-empty"], {"editor"}, "-m"),
    ("vi", "a.txt", [], {"terminal"}, "--batch"),
    ("python3", "-i", ["-i"], {"input"}, "argument"),
    ("sudo", "ls", [], {"rights", "password"}, "sudo"),
    ("passwd", "", [], {"password"}, "person"),
    ("rm", "-i a.txt", ["-i"], {"confirmation"}, "--force"),
    ("npm", "init", [], {"input", "confirmation"}, "--yes"),
    ("gpg", "--gen-key", ["--gen-key"], {"terminal", "password"}, "--batch"),
    ("su", "", [], {"password", "rights"}, "person"),
    ("ssh-keygen", "", [], {"input"}, "argument"),
    ("top", "", [], {"terminal"}, "--batch"),
]

# Without a terminal and without input these have nothing to ask, and succeed.
CONTENT = [("less", "a.txt", "first"), ("more", "a.txt", "first"), ("python3", "", ""), ("node", "", ""), ("bash", "", "")]


class Ground:
    """A repository whose files may be changed, so that nothing fails before it asks."""

    def __init__(self, t, reach=None):
        self.t = t
        self.place = place = Place(t)
        self.slowest = (0.0, "nothing")
        written = [f"{place.work}/", f"{place.home}/.gnupg/"]
        globs = [glob for path in written for glob in (path.rstrip("/"), f"{path}**")]
        approve = {"effects.filesystem.write": True, "effects.filesystem.paths": globs, "effects.network": True}
        config = {"permissionPolicy": {"autoApprove": approve}, **(reach or {})}
        place.write("config/agent-tools/config.json", json.dumps(config))
        repository(place)
        for setting in ("user.name n", "user.email e@x.test"):
            place.free(f"git config {setting}").check_returncode()
        self.effects = {
            "network": bool(reach),
            "subprocess": True,
            "x-exec": "any",
            "x-egress": ["new.test"],
            "x-reads": ["/etc/pam.d/", "/etc/login.defs"],
            "idempotent": True,
            "destructive": False,
            "filesystem": {"read": True, "write": True, "delete": False, "paths": written},
        }

    def call(self, program, words, flags=()):
        """What a start of the program is answered with; None if it hangs, or is not there."""
        path = shutil.which(program)
        if path is None:
            self.t.skip(f"no {program}")
            return None
        name = f"my-{program}"
        self.place.vouch(name, path, flags, effects=self.effects)
        answer = self.place.call(f"{name} {words}".strip())
        command = f"{program} {words}".strip()
        self.t.check(f"{command}: is answered in {WATCHDOG} s", answer is not None)
        self.t.check(f"{command}: is gone", self.place.left() == [], self.place.left())
        if answer is not None:
            self.slowest = max(self.slowest, (answer.took, command))
        return answer

    def asks(self, program, words, flags, kinds, advice):
        """Starts a program that asks, and sees that it is answered with advice."""
        answer = self.call(program, words, flags)
        if answer is None:
            return
        command = f"{program} {words}".strip()
        self.t.check(f"{command}: has failed", answer.error.get("code") == "EXECUTION_ERROR", answer)
        self.t.check(f"{command}: is seen to ask", answer.error.get("prompt") in kinds, answer)
        self.t.check(f"{command}: has advice", advice in answer.error.get("hint", ""), answer)

    def tell(self):
        """Says how long the slowest took."""
        took, command = self.slowest
        print(f"note    {self.t.case}: the slowest took {took:.2f} s, {GOAL} s are wanted: {command}", flush=True)


def what_asks_is_seen_to(t):
    """Editors, terminals, passwords, questions."""
    ground = Ground(t)
    for program, words, flags, kinds, advice in ASK:
        ground.asks(program, words, flags, kinds, advice)
    t.check("rm -i: removes nothing", (ground.place.work / "a.txt").exists())
    ground.tell()


def what_needs_no_answer_has_none(t):
    """Pagers and interpreters."""
    ground = Ground(t)
    for program, words, says in CONTENT:
        answer = ground.call(program, words)
        if answer is not None:
            t.check(f"{program}: succeeds", answer.envelope["success"] and says in answer.stdout, answer)
    ground.tell()


class SshServer:
    """A server of SSH at a name that nobody has seen before, while the block lasts."""

    def __enter__(self):
        # A port that names can be reached at, on an address of this machine that nobody else uses.
        self.address = f"127.{random.randint(1, 250)}.{random.randint(1, 250)}.{random.randint(1, 250)}"
        self.port = 8080
        self.key = os.path.join(os.environ["HOME"], f"key-{self.address}")
        subprocess.run(["dropbearkey", "-t", "ed25519", "-f", self.key], check=True, capture_output=True)
        self.listener = socket.create_server((self.address, self.port))
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def serve(self):
        """One program for each that comes."""
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                words = ["dropbear", "-i", "-r", self.key]
                subprocess.Popen(words, stdin=client, stdout=client, stderr=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def an_unknown_host_key_is_seen(t):
    """ssh to a real server."""
    missing = [program for program in ("ssh", "dropbear", "dropbearkey") if not shutil.which(program)]
    if missing or not has_account():
        t.skip(f"no {missing}" if missing else "ssh wants a user with an account")
        return
    with SshServer() as server:
        reach = {"network": {"resolve": {"new.test": server.address}, "allowLoopback": True}}
        ground = Ground(t, reach)
        ground.asks("ssh", f"ssh://new.test:{server.port}", [], {"host_key"}, "accept the key")
        ground.tell()


def repository_of_packages(place):
    """A world of its own for apt, in which x needs y."""
    world = place.work / "apt"
    for directory in ("state/lists/partial", "cache/archives/partial", "etc", "log", "repo"):
        (world / directory).mkdir(parents=True)
    (world / "status").write_text("")
    none = hashlib.sha256(b"").hexdigest()
    packages = "".join(
        f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: n <e@x.test>\n{needs}"
        f"Filename: ./{name}.deb\nSize: 1\nSHA256: {none}\nDescription: {name}\n\n"
        for name, needs in (("x", "Depends: y\n"), ("y", ""))
    )
    (world / "repo/Packages").write_text(packages)
    (world / "etc/sources.list").write_text(f"deb [trusted=yes] file:{world}/repo ./\n")
    settings = {
        "Dir": world,
        "Dir::State": "state",
        "Dir::State::status": world / "status",
        "Dir::Cache": "cache",
        "Dir::Etc": "etc",
        "Dir::Log": "log",
        "Dir::Bin::methods": "/usr/lib/apt/methods",
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "true",
    }
    conf = place.work / "apt.conf"
    conf.write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()))
    place.free(f"apt-get -c {conf} update").check_returncode()


def apt_asks_before_it_installs_more(t):
    """A package that brings another one."""
    if not shutil.which("apt"):
        t.skip("no apt")
        return
    ground = Ground(t)
    repository_of_packages(ground.place)
    ground.asks("apt", "-c apt.conf install x", ["-c="], {"confirmation"}, "-y")
    # As it is on the machine, it has to be somebody else.
    answer = ground.call("apt-get", "install x")
    if answer is not None:
        t.check("apt-get install: fails", not answer.envelope["success"] and answer.error.get("hint"), answer)
    ground.tell()


CASES = [
    what_asks_is_seen_to,
    what_needs_no_answer_has_none,
    an_unknown_host_key_is_seen,
    apt_asks_before_it_installs_more,
]
