"""A yes holds for what was asked: not for other bytes, another directory, program or environment, and not for others."""

import shutil
import subprocess

from asking import APPEND
from client import Client
from harness import WATCHDOG, Place
from terminal import approve

# A command that reads a file of the words, the file, and what it says: {} becomes good or evil, and is written to ran.
READERS = [
    ("python3 s.py", "s.py", 'open("ran", "a").write("{}")\n'),
    ("sh s.sh", "s.sh", "printf {} >> ran\n"),
    ("make -f rules all", "rules", "all:\n\tprintf {} >> ran\n"),
    ("query -f q.sql", "q.sql", "{}"),
]


def readers(t):
    """A place with all of those, good."""
    place = Place(t)
    place.write("bin/query", '#!/bin/sh\ncat "$2" >> ran\n', 0o755)
    for _, file, text in READERS:
        place.write(f"work/{file}", text.format("good"))
    return place


def overwritten(place, file, text):
    """The same file with other bytes."""
    (place.work / file).write_text(text)


def exchanged(place, file, text):
    """Another file in its place."""
    place.write(f"work/{file}", text)


def linked(place, file, text):
    """A link in its place."""
    (place.work / file).unlink()
    (place.work / file).symlink_to(place.write("work/elsewhere", text))


def a_file_that_changes_while_the_call_waits(t):
    for change in (overwritten, exchanged, linked):
        place = readers(t)
        with Client(place, "--wait", "50s") as client:
            for command, file, text in READERS:
                call = client.start(command)
                name = client.question(call)
                change(place, file, text.format("evil"))
                approve(place, name)
                seen = client.answer(call)
                case = f"{command}, {change.__name__}"
                t.check(f"{case}: the new bytes do not run", "evil" not in place.said("ran"), place.said("ran"))
                held = place.said("ran") == ("good" if seen.ran else "") and (seen.ran or seen.reason == "approval_required")
                t.check(f"{case}: the old ones do, or it asks", held, f"{seen}\n{place.said('ran')}")
                if seen.asks:
                    t.check(f"{case}: another question", seen.id != name, seen)
                (place.work / "ran").unlink(missing_ok=True)


def a_file_that_changed_before_the_retry(t):
    for change, commands in ((overwritten, READERS), (exchanged, READERS[:1]), (linked, READERS[:1])):
        place = readers(t)
        for command, file, text in commands:
            case = f"{command}, {change.__name__}"
            name = t.asks(case, place.call(command))
            change(place, file, text.format("evil"))
            approve(place, name)
            other = t.asks(f"{case}: retry", place.call(command))
            t.check(f"{case}: another question", other != name)
            t.same(f"{case}: nothing ran", place.said("ran"), "")
            (place.work / file).unlink()
            place.write(f"work/{file}", text.format("good"))
            t.runs(f"{case}: what was agreed to", place.call(command))
            t.same(f"{case}: ran", place.said("ran"), "good")
            (place.work / "ran").unlink(missing_ok=True)


def a_replay_somewhere_else(t):
    place = Place(t)
    place.write("work/append.sh", APPEND)
    place.write("work/sub/append.sh", APPEND)
    command = "sh append.sh one"
    name = t.asks("call", place.call(command))
    approve(place, name)

    def replayed(what, **more):
        other = t.asks(what, place.call(command, **more))
        t.check(f"{what}: another question", other != name)

    replayed("another directory", cwd=place.work / "sub")
    replayed("another variable", env={"LC_TIME": "C"})
    shutil.copy("/bin/sh", place.bin / "sh")
    replayed("another program of that name")
    (place.bin / "sh").unlink()
    place.write("config/agent-tools/config.json", '{"permissionPolicy": {"requireConfirmation": {"network": true}}}')
    replayed("other rules")
    (place.root / "config/agent-tools/config.json").unlink()
    t.asks("another caller", place.call(command, "--caller", "other"))
    t.asks("other words", place.call(command + " two"))
    t.same("nothing ran", place.said("log") + place.said("sub/log"), "")
    t.runs("where it was asked", place.call(command))
    t.same("ran once", place.said("log"), "one\n")


def a_program_that_was_replaced(t):
    place = Place(t)
    place.write("bin/writer", "#!/bin/sh\necho good > ran\n", 0o755)
    name = t.asks("call", place.call("writer now"))
    (place.bin / "writer").write_text("#!/bin/sh\necho evil > ran\n")
    approve(place, name)
    t.check("retry: another question", t.asks("retry", place.call("writer now")) != name)
    place.write("bin/writer", "#!/bin/sh\necho good > ran\n", 0o755)
    with Client(place, "--wait", "50s") as client:
        call = client.start("writer then")
        name = client.question(call)
        place.write("bin/writer", "#!/bin/sh\necho evil > ran\n", 0o755)
        approve(place, name)
        seen = client.answer(call)
        t.check("waiting: asks again", seen.asks and seen.id != name, seen)
    t.same("nothing ran", place.said("ran"), "")


# Gives argrail a terminal, and types the code that it asks for there. Not for ever.
FORGE = """
import os, pty, re, signal, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
signal.alarm(20)
shown, typed = b"", False
try:
    while piece := os.read(fd, 4096):
        shown += piece
        code = re.search(rb"type (\\w{4}):", shown)
        if code and not typed:
            typed = os.write(fd, code[1] + b"\\r")
        elif b"Type y for yes:" in shown and not typed:
            typed = os.write(fd, b"y\\r")
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""

MAKEFILE = """
.PHONY: forge edit
forge:
	-{argrail} approve {other} --json >> told 2>&1
	-XDG_STATE_HOME={state} HOME={home} {argrail} approve {other} --json >> told 2>&1
	-XDG_STATE_HOME={state} HOME={home} python3 forge.py {argrail} approve {other} && echo forged >> forged
	-XDG_STATE_HOME={state} HOME={home} {argrail} approve {other} --token-file {token} --json && echo forged >> forged
	-XDG_STATE_HOME={state} HOME={home} python3 forge.py {argrail} approvals --new-token mine && echo forged >> forged
	echo forge >> ran
edit:
	-ls {state}/argrail/store.db && echo seen >> forged
	-python3 -c 'import sqlite3; sqlite3.connect("{state}/argrail/store.db").executescript("drop table requests")'
	-mkdir -p {state}/argrail && echo evil > {state}/argrail/store.db
	-echo evil >> {state}/argrail/audit/audit-log.jsonl
	-rm -rf {state}/argrail/store.db {state}/argrail/store.db-wal {state}/argrail/snapshots {state}/argrail/audit
	-mkdir -p {config}/agent-tools && echo '{{"permissionPolicy": {{"autoApprove": {{"effects.network": true}}}}}}' > {config}/agent-tools/config.json
	echo edit >> ran
"""


def an_approved_make_target_decides_nothing(t):
    place = Place(t)
    place.write("work/append.sh", APPEND)
    place.write("work/forge.py", FORGE)
    place.token = place.root / "token"
    place.token.write_text("x" * 64 + "\n")
    # Where whatever runs in the sandbox can surely start it.
    argrail = shutil.copy(place.argrail, place.work / "argrail")
    other = t.asks("the other call", place.call("sh append.sh other"))
    names = {"state": place.root / "state", "home": place.home, "token": place.token, "config": place.root / "config"}
    place.write("work/Makefile", MAKEFILE.format(argrail=argrail, other=other, **names))
    ids = {target: t.asks(f"make {target}", place.call(f"make {target}")) for target in ("forge", "edit")}
    for target, name in ids.items():
        approve(place, name)
        before = place.pending()[other]
        t.runs(f"make {target}", place.call(f"make {target}"))
        t.check(f"{target}: it ran to its end", place.said("ran").endswith(f"{target}\n"), place.said("ran"))
        t.same(f"{target}: the other question is as it was", place.pending().get(other), before)
        t.same(f"{target}: nothing was given", place.grants(), {})
        t.same(f"{target}: nothing was forged", place.said("forged"), "")
        t.whole(target, place)
    t.check("argrail was started there", place.said("told") != "", place.said("told"))
    t.check("no configuration was made", not (place.root / "config/agent-tools/config.json").exists())
    t.same("the other call asks as before", place.call("sh append.sh other").id, other)
    t.same("and has not run", place.said("log"), "")
    # The same command does it for a person, who has a terminal: the attempt was a real one.
    words = ["python3", str(place.work / "forge.py"), str(argrail), "approve", other]
    done = subprocess.run(words, cwd=place.work, env=place.env, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=WATCHDOG)
    t.same("outside, it would have worked", done.returncode, 0)
    t.runs("outside, it runs then", place.call("sh append.sh other"))


CASES = [
    a_file_that_changes_while_the_call_waits,
    a_file_that_changed_before_the_retry,
    a_replay_somewhere_else,
    a_program_that_was_replaced,
    an_approved_make_target_decides_nothing,
]
