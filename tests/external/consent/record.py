"""The record: what is done to it is told, a full disk stops everything, and many processes keep one chain."""

import json
import os
import resource
import shutil
import subprocess
import tempfile

from harness import Place

# Writes without a question, so that only the record stands between the call and its run.
FREE = {"permissionPolicy": {"autoApprove": {"effects.filesystem.write": True, "effects.idempotent": False}}}


def filled(t):
    """A place with a record, and a checkpoint of its end that is kept elsewhere."""
    place = Place(t, FREE)
    for number in range(4):
        place.call(f"touch file-{number}")
    kept = place.root / "checkpoint"
    made = place.run("audit", "checkpoint", "--out", kept, "--json")
    t.check("checkpoint", made.ran and kept.exists(), made)
    return place, kept


def shortened(place):
    """The last two lines are gone."""
    place.log.write_bytes(b"".join(place.log.read_bytes().splitlines(keepends=True)[:-2]))


def changed(place):
    """One byte is another."""
    data = bytearray(place.log.read_bytes())
    at = data.index(b"file-1") + 5
    data[at] ^= 1
    place.log.write_bytes(data)


def taken_out(place):
    """A line in the middle is gone."""
    lines = place.log.read_bytes().splitlines(keepends=True)
    place.log.write_bytes(b"".join(lines[:2] + lines[3:]))


def emptied(place):
    """Nothing is in it."""
    place.log.write_bytes(b"")


def deleted(place):
    """It is gone."""
    place.log.unlink()


def torn(place):
    """The last line was not finished."""
    place.log.write_bytes(place.log.read_bytes()[:-5])


DAMAGE = [
    (shortened, "truncated"),
    (changed, "changed"),
    (taken_out, "missing"),
    (emptied, "emptied"),
    (deleted, "deleted"),
    (torn, "torn"),
]


def damage_is_told(t):
    for damage, problem in DAMAGE:
        place, kept = filled(t)
        t.whole("before", place, "--against", kept)
        damage(place)
        for flags in ((), ("--against", kept)):
            seen = place.verify(*flags)
            found = (seen.exit, seen.data and seen.data["ok"], seen.data and seen.data.get("firstBad", {}).get("problem"))
            t.same(f"{damage.__name__} {flags[:1]}", found, (1, False, problem))
        told = subprocess.run([place.argrail, "audit", "verify"], cwd=place.work, env=place.env, capture_output=True, check=False)
        t.check(f"{damage.__name__}: people read it", f"NOT OK: {problem}".encode() in told.stdout, told)


def an_older_copy_is_told(t):
    place, _ = filled(t)
    older = place.root / "older"
    shutil.copytree(place.state, older)
    for number in range(3):
        place.call(f"touch later-{number}")
    kept = place.root / "later"
    place.run("audit", "checkpoint", "--out", kept, "--json")
    shutil.copy(older / "audit/audit-log.jsonl", place.log)
    seen = place.verify()
    t.check("the log alone: the store knows", not seen.data["ok"], seen)
    t.check("the log alone: says so", seen.data["firstBad"]["problem"] in ("truncated", "rolled-back"), seen)
    # The store, too: then only a checkpoint that is kept elsewhere knows.
    shutil.rmtree(place.state)
    shutil.copytree(older, place.state)
    t.whole("log and store", place)
    seen = place.verify("--against", kept)
    t.check("against the checkpoint", seen.exit == 1 and seen.data["firstBad"]["problem"] in ("truncated", "rolled-back"), seen)
    for number in range(9):
        place.call(f"touch other-{number}")
    t.whole("and written on", place)
    seen = place.verify("--against", kept)
    t.same("against the checkpoint then", (seen.exit, seen.data["firstBad"]["problem"]), (1, "rolled-back"))


def a_full_file_starts_nothing(t):
    place, _ = filled(t)
    # The record is longer than all else that is written, so it alone is at the limit.
    place.call("help")
    while place.log.stat().st_size < 300_000:
        place.call(f"echo {'x' * 9000} {'y' * 9000}"[:9990])
        if place.log.stat().st_size < 100_000 and len(place.records()) > 60:
            break
    size = place.log.stat().st_size

    def limited(bytes_more):
        # Ignored, the signal becomes an error of the write.
        limit = (size + bytes_more, size + bytes_more)
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit), "restore_signals": False}

    for more in (0, 100):
        seen = place.call("touch marker", **limited(more))
        t.check(f"{more} bytes left: an error", seen.exit not in (0, None) and seen.error.get("code"), seen)
        t.check(f"{more} bytes left: says why", seen.error.get("hint") and "record" in seen.error.get("message", ""), seen)
        t.check(f"{more} bytes left: nothing ran", not (place.work / "marker").exists())
    t.runs("with room again", place.call("touch marker"))
    t.check("with room again: it ran", (place.work / "marker").exists())
    t.whole("with room again", place)


def a_full_disk_starts_nothing(t):
    if os.getuid() != 0:
        t.skip("only root can make a small disk")
        return
    place = Place(t, FREE)
    (place.root / "state").mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "small", str(place.root / "state")], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        t.skip(f"no small disk: {mounted.stderr.decode().strip()}")
        return
    try:
        place.write("work/append.sh", "echo x >> log\n")
        t.runs("before", place.call("touch before"))
        t.asks("before, a question", place.call("sh append.sh"))
        room = place.root / "state/filler"
        with open(room, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        # What is left of the last page of the record is used up.
        for number in range(40):
            seen = place.call(f"touch marker-{number}")
            if not seen.ran:
                break
        t.check("full: an error", seen.exit not in (0, None) and seen.error.get("code"), seen)
        t.check("full: nothing ran", not (place.work / f"marker-{number}").exists())
        seen = place.call("sh append.sh more")
        t.check("full: no question either", seen.exit not in (0, None) and not seen.id, seen)
        t.same("full: nothing ran at all", place.said("log"), "")
        room.unlink()
        t.runs("with room again", place.call("touch after"))
        t.whole("with room again", place)
    finally:
        subprocess.run(["umount", "-l", str(place.root / "state")], check=False)


def sixteen_at_once_keep_one_chain(t):
    place = Place(t, FREE)
    each = 4
    script = 'for i in 1 2 3 4; do "$0" call help >/dev/null || exit 1; done'
    loops = [
        subprocess.Popen(["sh", "-c", script, place.argrail], cwd=place.work, env=place.env, stdin=subprocess.DEVNULL)
        for _ in range(16)
    ]
    t.same("all end well", [loop.wait() for loop in loops], [0] * 16)
    entries = t.whole("after them", place)
    records = place.records()
    t.same("one chain", [record["seq"] for record in records], list(range(entries)))
    calls = [record for record in records if record["action"] == "cli.invoked"]
    t.same("every call is in it", len(calls), 16 * each)


def no_secret_is_recorded(t):
    place = Place(t)
    place.write("bin/stranger", "#!/bin/sh\n", 0o755)
    secret = tempfile.mktemp(prefix="hunter", dir="").lstrip("/")
    t.asks("call", place.call(f"stranger --password={secret} --token {secret}"))
    t.check("not in the record", secret.encode() not in place.log.read_bytes(), place.log.read_text())
    t.check("not in the list", secret not in json.dumps(place.pending()))


CASES = [
    damage_is_told,
    an_older_copy_is_told,
    a_full_file_starts_nothing,
    a_full_disk_starts_nothing,
    sixteen_at_once_keep_one_chain,
    no_secret_is_recorded,
]
