"""A host that only the words of a call name asks; before the yes nobody is told its name, and the yes is remembered."""

import os
import pty
import re
import shutil

from harness import Place
from reads import REACH, Server

# Names that nobody has; `{port}` is where a server of ours listens.
NEW = [
    "curl -s http://new.test:{port}/?d=x",
    "curl -s new.test:{port}",
    "wget -qO- http://new.test:{port}/",
    "wget --spider http://new.test:{port}/",
    "openssl s_client -connect new.test:{port}",
    "nc -z new.test {port}",
    "ping -c 1 new.test",
    "busybox wget -qO- http://new.test:{port}/",
    "git ls-remote http://new.test:{port}/x.git",
    "psql -h new.test -c 'select 1'",
    "pg_isready -h new.test",
    "redis-cli -h new.test ping",
    "env curl -s http://new.test:{port}/",
    "timeout 5 nice curl -s http://new.test:{port}/",
    "xargs -I{{}} curl -s http://new.test:{port}/",
    "aws s3 ls s3://new-bucket",
]


def at_terminal(place, *words):
    """Runs argrail as a person does, at a terminal, says yes where that is asked, and returns its exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place.work)
        os.execve(place.suite.argrail, ["argrail", *words], place.env)
    shown, typed = b"", False
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
            if b"Type y for yes:" in shown and not typed:
                typed = os.write(terminal, b"y\r")
    except OSError:
        pass  # The other end is closed.
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def new_hosts_ask(t):
    """Every way to name a host, alone and inside others; then each of them goes where the host is known."""
    place = Place(t, {"network": {**REACH["network"], "resolve": {"new.test": "127.0.0.1"}}})
    with Server() as server:
        for line in NEW:
            command = line.format(port=server.port)
            program = command.split()[0]
            if not shutil.which(program):
                t.skip(f"no {program}")
                continue
            answer = place.call(command)
            t.check(f"{command} is held", answer is not None and answer.held, answer)
        t.check("nobody came", server.seen == [], server.seen)
        command = f"curl -s http://new.test:{server.port}/?d=x"
        question = place.call(command).error.get("approval", "")
        t.check("a person says yes for the host", at_terminal(place, "approve", question, "--hosts", "project") == 0)
        for command in [command, f"curl -s http://new.test:{server.port}/more", f"env curl -s http://new.test:{server.port}/env"]:
            answer = place.call(command)
            t.check(f"{command} runs", "hello from outside" in answer.stdout, answer)
        paths = [path for _, path in server.seen]
        t.check("each came once", paths == ["/?d=x", "/more", "/env"], server.seen)
        answer = place.call(f"curl -s -d x http://new.test:{server.port}/")
        t.check("a change is held all the same", answer.held, answer)


def nothing_is_looked_up_before_the_yes(t):
    """Every process is traced: no packet leaves for a name that nobody agreed to."""
    if not shutil.which("strace"):
        t.skip("no strace")
        return
    place = Place(t)
    trace = place.root / "trace"
    wrapper = f"strace -f -qq -e trace=connect,sendto,sendmsg,sendmmsg -o {trace}"
    inet = re.compile(r"AF_INET6?\b")
    host = "secret-in-a-name.test"
    for verb in (f"why -- curl http://{host}/", f"call 'curl http://{host}/'"):
        place.free(f"{wrapper} {t.argrail} {verb}")
        lines = [line for line in trace.read_text().splitlines() if inet.search(line)]
        t.check(f"{verb.split()[0]} sends nothing", not lines, "\n".join(lines[:20]))
    t.check("a person knows the host", at_terminal(place, "grant", f"host={host}") == 0)
    place.free(f"{wrapper} {t.argrail} call 'curl http://{host}/'")
    lines = [line for line in trace.read_text().splitlines() if inet.search(line)]
    t.check("then it is looked up", lines, trace.read_text()[-2000:])


def remotes_are_known_where_the_project_is(t):
    """A repository's remotes are hosts that somebody else wrote, until a person accepts the project."""
    place = Place(t, {"network": {"resolve": {"new.test": "127.0.0.1"}, "allowLoopback": True}})
    with Server() as server:
        place.free("git init --quiet .").check_returncode()
        place.free(f"git remote add origin http://new.test:{server.port}/x.git").check_returncode()
        for command in ("git ls-remote origin", "git ls-remote", "git remote show origin"):
            answer = place.call(command)
            reasons = [reason["effect"] for reason in answer.error.get("reasons", [])]
            is_new = any(reason.startswith("new host new.test") for reason in reasons)
            t.check(f"{command} asks about the remote", answer.held and is_new, answer)
        t.check("nobody came", server.seen == [], server.seen)
        place.free(f"{t.argrail} trust --yes").check_returncode()
        answer = place.call("git ls-remote origin")
        t.check("git ls-remote origin goes there", answer.exit != 5 and server.seen, (answer, server.seen))
        answer = place.call("git fetch")
        rules = [reason["rule"] for reason in answer.error.get("reasons", [])]
        t.check("git fetch asks, and not about hosts", answer.held and "default.network" not in rules, answer)
        answer = place.call(f"git ls-remote http://other.test:{server.port}/x.git")
        t.check("another host is new all the same", answer.held, answer)
        seen = len(server.seen)
        for setting in (
            "git init --quiet vendor/evil",
            f"git -C vendor/evil remote add origin http://evil.test:{server.port}/x.git",
            f"git remote add later http://evil.test:{server.port}/x.git",
            "git remote add odd ext::x",
        ):
            place.free(setting).check_returncode()
        for command in (
            "git -C vendor/evil ls-remote origin",
            "timeout 3 git -C vendor -C evil ls-remote",
            "git ls-remote later",
            "git ls-remote odd",
        ):
            answer = place.call(command)
            t.check(f"{command} asks: nobody accepted that", answer.held, answer)
        place.free(f"git config url.http://evil.test:{server.port}/.insteadOf http://new.test:{server.port}/")
        answer = place.call("git ls-remote origin")
        t.check("a remote that is rewritten is another host", answer.held, answer)
        t.check("nobody came", len(server.seen) == seen, server.seen)


CASES = [new_hosts_ask, nothing_is_looked_up_before_the_yes, remotes_are_known_where_the_project_is]
