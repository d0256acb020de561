"""git: what it is asked to do, and what a hostile repository would have it do."""

import os
import subprocess

from harness import policy
from network import Server

NOBODY = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e@x", "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e@x"}


def host_git(*words, cwd):
    """Runs git itself, outside of any sandbox, to prepare."""
    subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *map(str, words)],
        cwd=cwd,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **NOBODY},
    )


def repository(t):
    """A repository with one commit."""
    work = t.work() / "source"
    work.mkdir()
    host_git("init", "--quiet", cwd=work)
    (work / "a.txt").write_text("first\n")
    host_git("add", ".", cwd=work)
    host_git("commit", "--quiet", "-m", "the first", cwd=work)
    return work


def trap(t, mark):
    """A program that leaves a mark, outside of what may be written."""
    program = t.work() / "trap"
    program.write_text(f"#!/bin/sh\n: > '{mark}'\n")
    program.chmod(0o755)
    return program


def git_reads(t):
    """log, show, diff, status with nothing but a right to read."""
    work = repository(t)
    block = policy(read=[f"{work}/**"])
    t.works("log", t.run(block, ["git", "log", "--oneline"], cwd=work), "the first")
    t.works("show", t.run(block, ["git", "show", "--stat"], cwd=work), "a.txt")
    (work / "a.txt").write_text("second\n")
    t.works("diff", t.run(block, ["git", "diff"], cwd=work), "+second")
    t.works("status", t.run(block, ["git", "status", "--short"], cwd=work), "M a.txt")
    t.works("from a directory in it", t.run(block, ["git", "-C", work, "log", "--oneline"]), "the first")
    t.fails("does not commit", t.run(policy(read=[f"{work}/**"], env=NOBODY), ["git", "commit", "-am", "x"], cwd=work))
    t.fails("does not add", t.run(block, ["git", "add", "."], cwd=work))
    t.fails("sees nothing without the right", t.run(policy(), ["git", "log"], cwd=work))


def git_clones(t):
    """A clone reads the one and writes the other."""
    work = repository(t)
    target = t.work() / "clone"
    # It has a shell start the other side.
    block = policy(read=[f"{work}/**"], write=[f"{target}/**"], spawn=["git", "sh"])
    ran = t.run(block, ["git", "clone", "--quiet", work, target])
    t.works("clone", ran)
    t.check("has what it should", (target / "a.txt").exists() and (target / ".git" / "HEAD").exists(), ran)
    other = t.work() / "other"
    ran = t.run(block, ["git", "clone", "--quiet", work, other])
    t.fails("not elsewhere", ran)
    t.check("nothing is there", not other.exists(), ran)
    ran = t.run(policy(read=[f"{work}/**"], write=[f"{other}/**"], spawn=["git", "sh"]), ["git", "clone", "--quiet", f"file://{work}", other])
    t.works("clone by the protocol", ran)
    third = t.work() / "third"
    t.fails("not from what it may not read", t.run(policy(write=[f"{third}/**"], spawn=["git", "sh"]), ["git", "clone", work, third]))


def git_commits(t):
    """A commit writes .git; a hook runs only what is listed."""
    work = repository(t)
    block = policy(write=[f"{work}/**"], spawn=["git"], env=NOBODY)
    (work / "a.txt").write_text("second\n")
    t.works("commit", t.run(block, ["git", "commit", "-qam", "the second"], cwd=work))
    t.works("log has it", t.run(block, ["git", "log", "--oneline"], cwd=work), "the second")
    t.works("branch, tag", t.run(block, ["git", "switch", "-qc", "side"], cwd=work))
    t.works("gc", t.run(block, ["git", "gc", "--quiet"], cwd=work))
    t.works("stash", t.run(block, ["git", "stash", "list"], cwd=work))
    mark = work / "mark"
    program = trap(t, mark)
    hook = work / ".git" / "hooks" / "post-commit"
    hook.write_text(f"#!/bin/sh\n'{program}'\n")
    hook.chmod(0o755)
    again = ["git", "commit", "--allow-empty", "-qm", "third"]
    reads = [f"{program.parent}/**"]
    for spawn in (["git"], ["git", "sh"], ["git", "sh", program]):
        ran = t.run(policy(read=reads, write=[f"{work}/**"], spawn=spawn, env=NOBODY), again, cwd=work)
        # The hook lies where git may write, so it cannot be run, whatever is listed.
        t.check(f"a hook runs nothing with {len(spawn)} listed", ran.exit == 0 and not mark.exists(), ran)
    safe = t.work() / "post-commit"
    safe.write_text(hook.read_text())
    safe.chmod(0o755)
    words = ["git", "-c", f"core.hooksPath={safe.parent}", *again[1:]]
    reads.append(f"{safe.parent}/**")
    ran = t.run(policy(read=reads, write=[f"{work}/**"], spawn=["git", "sh", safe], env=NOBODY), words, cwd=work)
    t.check("a listed hook runs nothing unlisted", not mark.exists() and ran.denied("exec", str(program)), ran)
    ran = t.run(policy(read=reads, write=[f"{work}/**"], spawn=["git", "sh", safe, program], env=NOBODY), words, cwd=work)
    t.check("and what is listed", mark.exists(), ran)
    t.works("the commits are made", t.run(block, ["git", "log", "-1"], cwd=work), "third")
    ran = t.run(policy(write=[f"{work}/**"], spawn=["sh"]), ["sh", "-c", "echo >> .git/hooks/pre-commit"], cwd=work)
    t.check("another program makes no hook", not (work / ".git" / "hooks" / "pre-commit").exists(), ran)


def git_is_not_a_way_out(t):
    """Aliases, monitors, pagers, filters, editors that the repository names. Each would run if it were listed."""
    mark = t.work() / "mark"
    program = trap(t, mark)
    ways = [
        ("alias.own", f"!{program}", ["own"]),
        ("core.fsmonitor", program, ["status"]),
        ("core.pager", program, ["log"]),
        ("pager.log", program, ["log"]),
        ("core.editor", program, ["commit", "--allow-empty"]),
        ("diff.external", program, ["--no-pager", "diff"]),
        ("filter.f.clean", program, ["add", "a.txt"]),
        ("core.sshCommand", program, ["fetch", "ssh://h/x"]),
        ("gpg.program", program, ["commit", "-S", "--allow-empty", "-m", "x"]),
        ("protocol.ext.allow", "always", ["fetch", f"ext::{program}"]),
    ]
    for key, value, act in ways:
        work = repository(t)
        host_git("config", key, value, cwd=work)
        (work / ".gitattributes").write_text("* filter=f\n")
        tree, reads = [f"{work}/**"], [f"{program.parent}/**"]
        writes = [*tree, f"{mark.parent}/**"]

        def attempt(block):
            # Longer each time: what an attempt added before, git would not look at again.
            with open(work / "a.txt", "a") as file:
                file.write("third\n")
            return t.run(block, ["git", *act], cwd=work, options=["--timeout", "60s"])

        for name, block in [
            ("reading", policy(read=[*tree, *reads])),
            ("with git", policy(read=reads, write=writes, spawn=["git"], env=NOBODY)),
            ("with a shell", policy(read=reads, write=writes, spawn=["git", "sh"], env=NOBODY)),
            ("on a terminal", policy(read=reads, write=writes, spawn=["git", "sh"], env=NOBODY, tty=True)),
        ]:
            ran = attempt(block)
            t.check(f"{key}, {name}", not mark.exists() and "exit" in ran.data, ran)
        ran = attempt(policy(read=reads, write=writes, spawn=["git", "sh", program], env=NOBODY, tty=True))
        t.check(f"{key}, listed", mark.exists(), ran)
        mark.unlink(missing_ok=True)
    plain = repository(t)
    block = policy(read=[f"{plain}/**"], spawn=["git"])
    t.works("status", t.run(block, ["git", "status"], cwd=plain), "nothing to commit")
    words = ["git", "-c", "alias.x=!echo out", "x"]
    t.fails("an alias without a shell", t.run(block, words, cwd=plain), ("exec", "sh"))
    t.works("an alias with one", t.run(policy(read=[f"{plain}/**"], spawn=["git", "sh"]), words, cwd=plain), "out")
    words = ["git", "-c", "alias.x=!env", "x"]
    t.fails("an alias to what is not listed", t.run(policy(read=[f"{plain}/**"], spawn=["git", "sh"]), words, cwd=plain), ("exec", "env"))


def git_over_http(t):
    """A clone from a listed name; a refused one is named."""
    work = repository(t)
    served = t.work()
    host_git("clone", "--quiet", "--bare", work, served / "r.git", cwd=served)
    host_git("update-server-info", cwd=served / "r.git")
    with Server(served) as server:
        target = t.work() / "clone"
        block = policy(write=[f"{target}/**"], egress=["git.test"], spawn=["git"])
        options = ["--resolve", "git.test=127.0.0.1", "--resolve", "other.test=127.0.0.1", "--allow-loopback"]
        ran = t.run(block, ["git", "clone", "--quiet", f"http://git.test:{server.port}/r.git", target], options=options)
        t.works("clone", ran)
        t.check("has what it should", (target / "a.txt").exists(), ran)
        t.check("the host is in the report", ran.data.get("hosts") == ["git.test"], ran)
        words = ["git", "ls-remote", f"http://other.test:{server.port}/r.git"]
        seen = len(server.seen)
        t.fails("a refused name", t.run(block, words, options=options), ("net", "other.test"))
        t.fails("an address", t.run(block, ["git", "ls-remote", f"http://127.0.0.2:{server.port}/r.git"], options=options), ("net", "127.0.0.2"))
        t.check("the server saw nothing of it", len(server.seen) == seen, server.seen)
        quiet = policy(spawn=["git"])
        t.fails("no network at all", t.run(quiet, ["git", "ls-remote", f"http://git.test:{server.port}/r.git"]))


CASES = [git_reads, git_clones, git_commits, git_is_not_a_way_out, git_over_http]
