"""Changes by real programs: each asks, and does what was agreed to once a person has said yes."""

import subprocess

from harness import Place
from terminal import make_token

# A change, and a command that succeeds only if it was made. They are made one after the other.
CHANGES = [
    ("touch new", "test -f new"),
    ("mkdir -p d/e", "test -d d/e"),
    ("cp a copy", "grep -q one copy"),
    ("mv copy moved", "test -f moved"),
    ("ln -s a link", "test -L link"),
    ("sed -i s/one/two/ a", "grep -q two a"),
    ("chmod 700 a", "test -x a"),
    ("tar -cf a.tar a", "tar -tf a.tar"),
    ("rm moved", "test ! -e moved"),
    ("rmdir d/e", "test ! -e d/e"),
    ("make all", "grep -q made made"),
    ("python3 -c 'open(\"py\", \"w\")'", "test -f py"),
    ("git add a", "git diff --cached --quiet && false || true"),
    ("git commit -m second", "git log -1 --format=%s | grep -q second"),
    ("git branch side", "git rev-parse -q --verify side"),
    ("git tag v1", "git rev-parse -q --verify v1"),
    ("git tag -a v2 -m two", "git rev-parse -q --verify v2"),
    ("git switch side", "git branch --show-current | grep -q side"),
    ("git stash", "git stash list | grep -q ."),
    ("git stash pop", "test -z \"$(git stash list)\""),
    ("git checkout -b third", "git branch --show-current | grep -q third"),
    ("git symbolic-ref HEAD refs/heads/side", "git branch --show-current | grep -q side"),
    ("git branch -d third", "! git rev-parse -q --verify third"),
    ("git tag -d v1", "! git rev-parse -q --verify v1"),
    ("git config core.abbrev 12", "git config core.abbrev"),
    ("git rm -f a", "test ! -e a"),
    ("git reset --hard", "test -e a"),
]


def repository(place):
    """A repository with one commit."""
    place.write("work/a", "one\n")
    place.write("work/Makefile", "all:\n\techo made > made\n")
    place.write("home/.gitconfig", "[user]\nname = n\nemail = e@x.test\n[init]\ndefaultBranch = main\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *words], cwd=place.work, env=place.env, check=True)


def what_was_agreed_to_is_done(t):
    place = Place(t)
    make_token(place)
    repository(place)
    (place.work / "Makefile").write_text("all:\n\techo made > made\n# changed\n")
    for command, proof in CHANGES:
        if command == "git stash":
            (place.work / "a").write_text("three\n")
        name = t.asks(command, place.call(command))
        if name is None:
            continue
        done = place.decide("approve", name)
        t.check(f"{command}: approved", done.ran, done)
        t.runs(command, place.call(command))
        seen = subprocess.run(["sh", "-c", proof], cwd=place.work, env=place.env, capture_output=True, check=False)
        t.check(f"{command}: is done", seen.returncode == 0, seen)
    t.whole("after all", place)


CASES = [what_was_agreed_to_is_done]
