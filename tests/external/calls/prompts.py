"""Programs that ask, or open an editor or a pager: each is answered, quickly and with advice, and none is left."""

from harness import WATCHDOG, Place
from reads import repository

# The command, and a word of the advice.
KNOWN = [
    ("git rebase -i HEAD", "git rebase"),
    ("git commit", "git commit -m"),
    ("git commit --amend", "-m"),
    ("ssh new.test ls", "BatchMode"),
    ("vi a.txt", "sed"),
    ("less a.txt", "cat"),
    ("python3", "python3 -c"),
    ("sudo ls", "sudo -n"),
    ("passwd", "person"),
    ("rm -i a.txt", "rm"),
    ("apt install x", "-y"),
    ("npm init", "npm init -y"),
    ("gpg --gen-key", "--batch"),
    ("nice vi a.txt", "sed"),
    ("env git commit", "-m"),
]


def what_asks_is_answered(t):
    """Known to ask: refused before anybody is asked, with what to write."""
    place = Place(t)
    repository(place)
    before = place.state()
    for command, advice in KNOWN:
        answer = place.call(command)
        t.check(f"{command}: is answered in {WATCHDOG} s", answer is not None)
        if answer is None:
            continue
        t.check(f"{command}: says that it prompts", "prompts" in answer.error.get("message", ""), answer)
        t.check(f"{command}: has advice", advice in answer.error.get("hint", ""), answer)
        t.check(f"{command}: changes nothing", place.state() == before, answer)
    t.check("nothing is left running", place.left() == [], place.left())


CASES = [what_asks_is_answered]
