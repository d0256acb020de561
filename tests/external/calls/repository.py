"""A repository whose files run programs: a read of it runs, and nothing of theirs takes effect."""

import os
import shutil

from harness import Place
from reads import Server, repository

# What the trap does: a mark in the home, one in the workspace, and a word to a server.
TRAP = """#!/bin/sh
: > '{home}/mark'
: > '{work}/mark'
curl -s --noproxy '*' -m 3 http://127.0.0.1:{port}/mark >/dev/null 2>&1
"""

# Signs anything.
SIGNER = """#!/bin/sh
cat > /dev/null
echo '[GNUPG:] SIG_CREATED ' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'
"""


def place_with_trap(t, port):
    """A repository, and the trap in it."""
    place = Place(t)
    repository(place)
    trap = place.write("work/trap", TRAP.format(home=place.home, work=place.work, port=port), 0o755)
    place.free("git config user.name n").check_returncode()
    place.free("git config user.email e@x.test").check_returncode()
    return place, trap


def marks(place, server):
    """What the trap left."""
    found = [str(file) for file in (place.home / "mark", place.work / "mark") if file.exists()]
    return found + [path for _, path in server.seen]


def tried(t, name, prepare, command, says=None, free=None, triggers=True):
    """Sees that the trap goes off without argrail, and not through it."""
    program = command.split()[0]
    if not shutil.which(program):
        t.skip(f"{name}: no {program}")
        return
    with Server() as server:
        place, trap = place_with_trap(t, server.port)
        prepare(place, trap)
        if triggers:
            ran = place.free(free or command)
            t.check(f"{name}: goes off without argrail", marks(place, server) != [], ran.stdout.decode(errors="replace"))
    with Server() as server:
        place, trap = place_with_trap(t, server.port)
        prepare(place, trap)
        answer = place.call(command, timeout=60)
        t.check(f"{name}: is answered", answer is not None)
        t.check(f"{name}: nothing takes effect", marks(place, server) == [], f"{marks(place, server)}\n{answer}")
        if says is not None and answer is not None:
            t.check(f"{name}: the read itself works", answer.envelope["success"] and says in answer.stdout, answer)
        t.check(f"{name}: nothing is left running", place.left() == [], place.left())


def configured(key, value="TRAP"):
    """A setting of the repository."""

    def prepare(place, trap):
        # As long as before, so that only its content tells that it changed.
        place.free(f"git config {key} '{value.replace('TRAP', str(trap))}'").check_returncode()
        (place.work / "a.txt").write_text("fifth\n")

    return prepare


def attributes(line, *settings):
    """An attribute of every file, and the settings that it leads to."""

    def prepare(place, trap):
        (place.work / ".gitattributes").write_text(line + "\n")
        for key, value in settings:
            configured(key, value)(place, trap)

    return prepare


def hook(name):
    """A hook of the repository."""

    def prepare(place, trap):
        place.write(f"work/.git/hooks/{name}", trap.read_text(), 0o755)
        # The same file from another time: what git knows of it is written anew.
        os.utime(place.work / "a.txt", (1, 1))

    return prepare


def signed(place, trap):
    """A signed commit, and a program of the repository's to look at its signature."""
    signer = place.write("signer", SIGNER, 0o755)
    sign = f"git -c gpg.program={signer} commit --quiet --allow-empty -S -m signed"
    place.free(sign).check_returncode()
    configured("gpg.program")(place, trap)


def signed_and_shown(place, trap):
    """The same, and every log shows it."""
    signed(place, trap)
    place.free("git config log.showSignature true").check_returncode()


def git_runs_nothing_of_a_repository(t):
    """Monitors, filters, drivers, pagers, signatures, aliases."""
    tried(t, "core.fsmonitor", configured("core.fsmonitor"), "git status", "a.txt")
    tried(t, "filter.clean", attributes("*.txt filter=f", ("filter.f.clean", "TRAP")), "git status", "a.txt")
    process = attributes("*.txt filter=f", ("filter.f.process", "TRAP"), ("filter.f.required", "true"))
    tried(t, "filter.process", process, "git status")
    tried(t, "filter.process in diff", process, "git diff")
    tried(t, "diff.external", configured("diff.external"), "git diff", "+fifth")
    tried(t, "textconv", attributes("*.txt diff=d", ("diff.d.textconv", "TRAP")), "git diff", "a.txt")
    tried(t, "diff driver", attributes("*.txt diff=d", ("diff.d.command", "TRAP")), "git diff", "+fifth")
    tried(t, "textconv in log", attributes("*.txt diff=d", ("diff.d.textconv", "TRAP")), "git log -p", "the first")
    tried(t, "textconv in grep", attributes("*.txt diff=d", ("diff.d.textconv", "TRAP")), "git grep --textconv first HEAD")
    tried(t, "textconv in blame", attributes("*.txt diff=d", ("diff.d.textconv", "TRAP")), "git blame a.txt")
    tried(t, "core.pager", configured("core.pager"), "git log", "the first", free="git -p log", triggers=False)
    tried(t, "pager.log", configured("pager.log"), "git log", "the first", triggers=False)
    tried(t, "gpg.program", signed, "git log --show-signature")
    tried(t, "gpg.program by a setting", signed_and_shown, "git log", "signed")
    tried(t, "alias of a command", configured("alias.log", "!TRAP"), "git log", "the first", triggers=False)
    tried(t, "an alias of its own", configured("alias.own", "!TRAP"), "git own")
    tried(t, "core.sshCommand", configured("core.sshCommand"), "git ls-remote ssh://h.test/x")
    tried(t, "core.editor", configured("core.editor"), "git commit --allow-empty")
    tried(t, "credential.helper", configured("credential.helper", "!TRAP"), "git credential fill", triggers=False)
    tried(t, "ext::", configured("protocol.ext.allow", "always"), "git ls-remote 'ext::./trap x'")
    tried(t, "post-index-change", hook("post-index-change"), "git status", "On branch")
    tried(t, "pre-commit", hook("pre-commit"), "git commit --allow-empty -m x")

    def included(place, trap):
        place.write("work/evil", f"[core]\n\tfsmonitor = {trap}\n")
        place.free("git config include.path ../evil").check_returncode()

    tried(t, "an included file", included, "git status", "On branch")

    def worktree(place, trap):
        place.free("git config extensions.worktreeConfig true").check_returncode()
        place.write("work/.git/config.worktree", f"[core]\n\tfsmonitor = {trap}\n")

    tried(t, "config.worktree", worktree, "git status", "On branch")

    def elsewhere(place, trap):
        place.free("git init --quiet --separate-git-dir store").check_returncode()
        configured("diff.external")(place, trap)

    tried(t, "a file that is called .git", elsewhere, "git diff", "+fifth")

    def linked(place, trap):
        configured("diff.external")(place, trap)
        (place.work / ".git/config").rename(place.work / "settings")
        (place.work / ".git/config").symlink_to("../settings")

    tried(t, "settings behind a link", linked, "git diff", "+fifth")

    def foreign(place, trap):
        configured("diff.external")(place, trap)
        with (place.work / ".git/config").open("ab") as file:
            file.write(b"[user]\n\tname = J\xf6rg\n")

    tried(t, "settings in another encoding", foreign, "git diff", "+fifth")

    def long(place, trap):
        configured("diff.external")(place, trap)
        with (place.work / ".git/config").open("a") as file:
            file.write("# more\n" * 200_000)

    tried(t, "very long settings", long, "git diff")

    def nested(place, trap):
        place.free("git init --quiet inner").check_returncode()
        place.free(f"git -C inner config core.fsmonitor {trap}").check_returncode()

    tried(t, "a repository inside", nested, "git -C inner status", "On branch")

    def bare(place, trap):
        place.free("git init --quiet --bare inner").check_returncode()
        place.free(f"git -C inner config alias.own '!{trap}'").check_returncode()
        place.free(f"git -C inner config core.pager {trap}").check_returncode()

    tried(t, "a bare repository inside", bare, "git -C inner own")


def builds_run_nothing_outside(t):
    """cargo, make, python3, npm and node in a directory whose files run programs."""

    def cargo(place, trap):
        place.write("work/Cargo.toml", '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n')
        place.write("work/src/lib.rs", "")
        place.write("work/.cargo/config.toml", f'[build]\nrustc-wrapper = "{trap}"\nrustc = "{trap}"\n')

    tried(t, "rustc-wrapper", cargo, "cargo metadata --format-version 1 --offline")
    tried(t, "rustc-wrapper in tree", cargo, "cargo tree --offline")
    tried(t, "cargo alias", cargo, "cargo build --offline")

    def makefile(place, trap):
        place.write("work/Makefile", f"X := $(shell {trap} < /dev/null)\nall:\n\t+{trap} < /dev/null\n")

    tried(t, "$(shell)", makefile, "make -n")
    tried(t, "make -q", makefile, "make -q")
    tried(t, "make -p", makefile, "make -p")

    def package(place, trap):
        place.write("work/json/__init__.py", f"import os\nos.system('{trap} < /dev/null')\n")
        place.write("work/json/tool.py", "print('taken over')\n")
        place.write("work/in.json", '{"a": 1}')

    tried(t, "python3 -m json.tool", package, "python3 -m json.tool in.json")

    def site(place, trap):
        place.write("work/sitecustomize.py", f"import os\nos.system('{trap} < /dev/null')\n")

    tried(t, "sitecustomize", site, "python3 --version", "Python", triggers=False)

    def npmrc(place, trap):
        place.write("work/package.json", '{"name":"p","version":"1.0.0","scripts":{"prepare":"./trap"}}')
        place.write("work/.npmrc", f"git={trap}\nscript-shell={trap}\nnode-options=--require ./evil.js\n")
        place.write("work/evil.js", f"require('child_process').execSync('{trap} < /dev/null')\n")

    tried(t, "npm ls", npmrc, "npm ls", triggers=False)
    tried(t, "npm view", npmrc, "npm config ls", triggers=False)
    tried(t, "node --version", npmrc, "node --version", "v", triggers=False)


CASES = [git_runs_nothing_of_a_repository, builds_run_nothing_outside]
