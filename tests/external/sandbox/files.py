"""Programs that read and write files: what they may read they read, what they may not write they do not."""

import shutil
import sqlite3
import tempfile
from pathlib import Path

from harness import policy


def tree(t):
    """A directory with something in it, and a secret beside it."""
    work = t.work()
    data = work / "data"
    (data / "sub").mkdir(parents=True)
    (data / "a.json").write_text('{"name": "needle"}\n')
    (data / "sub" / "b.txt").write_text("needle\n")
    (work / "secret").write_text("needle\n")
    return work, data


def need(t, name):
    """Whether a program is there; says so if not."""
    if shutil.which(name):
        return True
    t.skip(f"{name} is not installed")
    return False


def coreutils(t):
    """cat, cp, mkdir, rm: the plain acts themselves."""
    work, data = tree(t)
    reads = policy(read=[f"{data}/**"])
    writes = policy(write=[f"{data}/**"])
    t.works("cat reads", t.run(reads, ["cat", data / "a.json"]), "needle")
    t.fails("cat does not read beside it", t.run(reads, ["cat", work / "secret"]), ("fs", str(work / "secret")))
    t.fails("touch does not make a file", t.run(reads, ["touch", data / "new"]), ("fs", str(data / "new")))
    t.fails("rm does not remove", t.run(reads, ["rm", data / "a.json"]), ("fs", str(data / "a.json")))
    t.fails("chmod does not change", t.run(reads, ["chmod", "777", data / "a.json"]))
    t.fails("mv does not move", t.run(reads, ["mv", data / "a.json", data / "c.json"]))
    t.fails("ln makes no link", t.run(reads, ["ln", "-s", "/etc/passwd", data / "link"]))
    t.works("mkdir makes where it may", t.run(writes, ["mkdir", "-p", data / "x" / "y"]))
    t.works("cp copies", t.run(writes, ["cp", "-a", data / "a.json", data / "x" / "y" / "z"]))
    t.check("as the user itself", (data / "x/y/z").stat().st_uid == data.stat().st_uid)
    t.works("mv moves", t.run(writes, ["mv", data / "x" / "y" / "z", data / "z"]))
    t.works("chmod changes", t.run(writes, ["chmod", "600", data / "z"]))
    t.works("rm removes", t.run(writes, ["rm", "-r", data / "x"]))
    t.fails("rm does not remove beside it", t.run(writes, ["rm", work / "secret"]))
    t.fails("cp does not copy out", t.run(writes, ["cp", data / "z", work / "out"]))
    denied = policy(read=[f"{work}/**"], deny=[work / "secret"])
    t.works("a denied file's neighbour is read", t.run(denied, ["cat", data / "z"]), "needle")
    t.fails("a denied file is not", t.run(denied, ["cat", work / "secret"]), ("fs", str(work / "secret")))
    t.check("all is as it was", (data / "z").exists() and not (work / "out").exists() and not (data / "link").exists())


def grep_and_find(t):
    """Walks see what is granted and nothing else."""
    work, data = tree(t)
    reads = policy(read=[f"{data}/**"])
    ran = t.run(reads, ["grep", "-r", "-l", "needle", work])
    t.check("grep -r finds two", ran.stdout.count("\n") == 2 and "secret" not in ran.stdout, ran)
    ran = t.run(reads, ["find", work, "-type", "f"])
    t.check("find finds two", ran.exit == 0 and ran.stdout.count("\n") == 2 and "secret" not in ran.stdout, ran)
    t.fails("find -delete deletes nothing", t.run(reads, ["find", data, "-type", "f", "-delete"]))
    t.fails("find -exec runs nothing", t.run(reads, ["find", data, "-type", "f", "-exec", "cat", "{}", ";"]))
    ran = t.run(policy(read=[f"{data}/**"], spawn=["cat"]), ["find", data, "-type", "f", "-exec", "cat", "{}", ";"])
    t.works("find -exec runs what is listed", ran, "needle")
    ran = t.run(policy(read=[f"{data}/**"], spawn=["cat"]), ["find", data, "-type", "f", "-exec", "head", "{}", ";"])
    t.check("and nothing else", "needle" not in ran.stdout and ran.denied("exec", "head"), ran)
    t.check("all is as it was", (data / "a.json").exists() and (data / "sub" / "b.txt").exists())


def jq(t):
    """jq reads and filters."""
    if not need(t, "jq"):
        return
    work, data = tree(t)
    reads = policy(read=[f"{data}/**"])
    t.works("reads", t.run(reads, ["jq", "-r", ".name", data / "a.json"]), "needle")
    t.fails("not beside it", t.run(reads, ["jq", ".", work / "secret"]), ("fs", str(work / "secret")))


def sqlite(t):
    """sqlite3 reads a database that it may only read, and writes one that it may write."""
    if not need(t, "sqlite3"):
        return
    work, data = tree(t)
    base = data / "base.db"
    with sqlite3.connect(base) as connection:
        connection.execute("create table t (word)")
        connection.execute("insert into t values ('needle')")
    connection.close()
    select, insert = "select word from t", "insert into t values ('more')"
    reads, writes = policy(read=[f"{data}/**"]), policy(write=[f"{data}/**"])
    t.works("reads", t.run(reads, ["sqlite3", base, select]), "needle")
    t.fails("does not write", t.run(reads, ["sqlite3", base, insert]))
    t.works("writes where it may", t.run(writes, ["sqlite3", base, insert]))
    t.works("in the other journal too", t.run(writes, ["sqlite3", base, f"pragma journal_mode=wal; {insert}"]))
    t.works("reads it again", t.run(writes, ["sqlite3", base, "select count(*) from t"]), "3")
    shell = t.run(writes, ["sqlite3", base, f".shell touch {data}/made"])
    t.check("its shell command runs nothing", not (data / "made").exists(), shell)


def tar(t):
    """tar packs what it may read and unpacks where it may write."""
    if not need(t, "tar"):
        return
    work, data = tree(t)
    out = work / "out"
    ran = t.run(policy(read=[f"{data}/**"], write=[f"{out}/**"]), ["tar", "-C", data, "-cf", out / "a.tar", "."])
    t.works("packs", ran)
    t.works("lists", t.run(policy(read=[f"{out}/**"]), ["tar", "-tf", out / "a.tar"]), "sub/b.txt")
    ran = t.run(policy(read=[f"{data}/**"]), ["tar", "-C", data, "-cf", data / "a.tar", "."])
    t.fails("does not pack into what it may read", ran)
    ran = t.run(policy(write=[f"{out}/**"]), ["tar", "-C", out, "-xf", out / "a.tar"])
    t.works("unpacks", ran)
    t.check("whole", (out / "sub" / "b.txt").read_text() == "needle\n", ran)
    ran = t.run(policy(read=[f"{data}/**"], write=[f"{out}/**"]), ["tar", "-C", data, "-czf", out / "a.tgz", "."])
    t.fails("starts no gzip", ran, ("syscall", "fork"))
    # It has a shell start it.
    listed = policy(read=[f"{data}/**"], write=[f"{out}/**"], spawn=["sh", "gzip"])
    t.works("starts gzip if that is listed", t.run(listed, ["tar", "-C", data, "-czf", out / "a.tgz", "."]))
    hostile = ["tar", "-C", data, "-cf", "/dev/null", "--checkpoint=1", f"--checkpoint-action=exec=touch {out}/made", "."]
    t.run(listed, hostile)
    t.check("an action of a checkpoint runs nothing", not (out / "made").exists())


def make(t):
    """make runs recipes with what is listed."""
    if not need(t, "make"):
        return
    work, data = tree(t)
    (data / "Makefile").write_text("out/sum: a.json\n\tcp a.json out/sum\nbad:\n\ttouch out/bad\nhi:\n\t@echo hi\n")
    (data / "out").mkdir()
    block = policy(read=[f"{data}/**"], write=[f"{data}/out/**"], spawn=["sh", "cp"])
    t.works("builds", t.run(block, ["make", "-C", data, "out/sum"]))
    t.check("what it should", (data / "out" / "sum").exists())
    t.fails("runs nothing unlisted", t.run(block, ["make", "-C", data, "bad"]), ("exec", "touch"))
    t.fails("runs nothing at all if nothing is", t.run(policy(read=[f"{data}/**"]), ["make", "-C", data, "bad"]))
    t.works("says what it would do", t.run(policy(read=[f"{data}/**"]), ["make", "-n", "-C", data, "bad"]), "touch out/bad")
    t.check("nothing else was made", not (data / "out" / "bad").exists())


def a_workspace_in_tmp(t):
    """The sandbox has a /tmp of its own, with what is granted of the host's in its place."""
    with tempfile.TemporaryDirectory(prefix="argrail-") as name:
        work = Path(name)
        (work / "data").mkdir()
        (work / "data" / "a").write_text("needle\n")
        (work / "secret").write_text("needle\n")
        block = policy(write=[f"{work}/data/**"])
        t.works("reads", t.run(block, ["cat", "data/a"], cwd=work), "needle")
        t.works("writes", t.run(block, ["cp", work / "data" / "a", work / "data" / "b"]))
        t.check("on the host", (work / "data" / "b").exists())
        t.fails("not beside it", t.run(block, ["cat", work / "secret"]), ("fs", str(work / "secret")))
        t.fails("nor is anything written there", t.run(block, ["touch", work / "new"]), ("fs", str(work / "new")))
        t.check("and nothing is", not (work / "new").exists())


CASES = [a_workspace_in_tmp, coreutils, grep_and_find, jq, sqlite, tar, make]
