"""One store, a server that stays, and processes that come and go: no error, no lost decision."""

import itertools
import random
import threading
import time

from client import Client
from harness import Place
from terminal import make_token

APPEND = 'echo "$1" >> log\n'


class Tallies:
    """What was done, by everybody."""

    def __init__(self, t, place):
        self.t = t
        self.place = place
        self.lock = threading.Lock()
        self.counts = dict.fromkeys(("approved", "denied", "granted", "revoked", "read"), 0)
        self.ran = []

    def check(self, name, holds, seen):
        """Counts a check; one at a time."""
        with self.lock:
            self.t.check(name, holds, seen)

    def count(self, what, ran=None):
        """Counts a deed, and what it let run."""
        with self.lock:
            self.counts[what] += 1
            if ran is not None:
                self.ran.append(ran)


def approved(all_, call, word):
    """Asked, approved, run, and asked again."""
    first = call(f"sh append.sh {word}")
    all_.check(f"{word}: asks", first.asks, first)
    done = all_.place.decide("approve", first.id)
    all_.check(f"{word}: approved", done.ran, done)
    second = call(f"sh append.sh {word}")
    all_.check(f"{word}: runs", second.ran, second)
    third = call(f"sh append.sh {word}")
    all_.check(f"{word}: asks again", third.asks and third.id != first.id, third)
    done = all_.place.decide("deny", third.id)
    all_.check(f"{word}: denied", done.ran, done)
    all_.count("approved", word)
    all_.count("denied")


def denied(all_, call, word):
    """Asked, denied, and told so."""
    first = call(f"sh append.sh {word}")
    all_.check(f"{word}: asks", first.asks, first)
    done = all_.place.decide("deny", first.id, "--reason", word)
    all_.check(f"{word}: denied", done.ran, done)
    second = call(f"sh append.sh {word}")
    told = (second.reason, second.error.get("humanReason"))
    all_.check(f"{word}: told", told == ("denied_by_human", word), second)
    all_.count("denied")


def granted(all_, call, word):
    """Granted, used, revoked, and asked again."""
    first = call(f"touch {word}")
    all_.check(f"{word}: asks", first.asks, first)
    done = all_.place.decide("approve", first.id, "--for", "1h", "--scope", f"touch {word}")
    all_.check(f"{word}: granted", done.ran and done.data["grant"], done)
    for _ in range(2):
        answer = call(f"touch {word}")
        all_.check(f"{word}: runs", answer.ran, answer)
    # A yes that nobody has used is one for once, beside the grant.
    done = all_.place.decide("revoke", done.data["grant"]["id"])
    all_.check(f"{word}: revoked", done.ran, done)
    answers = [call(f"touch {word}"), call(f"touch {word}")]
    all_.check(f"{word}: asks again", answers[1].asks, answers[1])
    done = all_.place.decide("deny", answers[1].id)
    all_.check(f"{word}: denied", done.ran, done)
    all_.count("approved")
    all_.count("granted")
    all_.count("revoked")
    all_.count("denied")


def looked(all_, call, word):
    """Reads."""
    answer = call(f"echo {word}")
    all_.check(f"{word}: reads", answer.ran, answer)
    for words in (("approvals", "--json"), ("grants", "--all", "--json")):
        answer = all_.place.run(*words)
        all_.check(f"{word}: {words[0]}", answer.ran, answer)
    all_.count("read")


def loop(all_, name, call, end):
    """Does one after the other, by chance, until the time is over."""
    chance = random.Random(name)
    for number in itertools.count():
        if time.monotonic() > end:
            return
        deed = chance.choice((approved, denied, granted, looked))
        try:
            deed(all_, call, f"{name}-{number}")
        except Exception as error:
            all_.check(f"{name}-{number}: {deed.__name__}", False, repr(error))


def a_store_is_shared(t):
    place = Place(t)
    place.write("work/append.sh", APPEND)
    make_token(place)
    seconds = t.amount("SHARED", 8)
    all_ = Tallies(t, place)
    end = time.monotonic() + seconds
    with Client(place, "--wait", "0") as client:
        calls = {
            "served": client.call,
            "one": lambda command: place.call(command, "--caller", "one"),
            "two": lambda command: place.call(command, "--caller", "two"),
        }
        threads = [threading.Thread(target=loop, args=(all_, name, call, end)) for name, call in calls.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    t.whole("afterwards", place)
    t.same("every approved call ran, once", sorted(place.said("log").split()), sorted(all_.ran))
    counts = all_.counts
    grants = place.grants()
    t.same("grants", (len(grants), {grant["state"] for grant in grants.values()} - {"revoked"}), (counts["granted"], set()))
    # The token of this suite is on record, too, as something that was given.
    actions = [record["action"] for record in place.records() if record["subject"]["kind"] != "token"]
    recorded = {
        "approval.approved": counts["approved"],
        "approval.denied": counts["denied"],
        "grant.given": counts["granted"],
        "grant.revoked": counts["revoked"],
    }
    for action, count in recorded.items():
        t.same(f"recorded: {action}", actions.count(action), count)
    t.same("nothing waits", place.pending(), {})
    t.check("everything was done", all(counts.values()) or seconds < 8, counts)
    print(f"        {seconds} s: {', '.join(f'{count} {what}' for what, count in counts.items())}; {len(actions)} records")


CASES = [a_store_is_shared]
