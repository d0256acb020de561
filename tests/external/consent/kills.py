"""kill -9 of every argrail process at a random point, under load: nothing is lost, nothing runs twice, nothing is left.

The point is chosen by how far the processes have come, which the record tells, and not by the clock: on a busy machine
the same seed means the same points as on a fast one.
"""

import os
import random
import signal
import subprocess
import time

from client import Client
from harness import Place, until
from terminal import make_token

# Says that it ran, and stays for a while, or until it may go.
SLOW = 'echo "$1" >> log\ncase $2 in until) while [ ! -e may-go ]; do sleep 0.05; done ;; *) sleep "$2" ;; esac\n'
SOON = "0.1"

# Whoever saw the line of it finds it there. The file is no word of the call: a yes would be bound to it.
STAYS = "until"

# One that two processes want, one for the server, one that is answered meanwhile.
KINDS = ("raced", "served", "late")

# At most so many records are waited for before the processes are killed; by then most have ended.
RECORDS = 12

# And then for so many seconds at most, so that the point is not always right behind a record.
LONGEST = 0.05


class Round:
    """Questions that are approved, the processes that use the answers, and their end."""

    def __init__(self, t, place, number, stay=SOON):
        self.t = t
        self.place = place
        self.number = number
        self.commands = [f"sh {place.script} {number}-{kind} {stay}" for kind in KINDS]
        self.callers = ["--caller", "suite"]

    def prepare(self):
        """Asks, and approves two of them."""
        self.ids = []
        for command in self.commands:
            answer = self.place.call(command, *self.callers)
            self.t.check(f"{self.number}: asks", answer.asks, answer)
            self.ids.append(answer.id)
        for name in self.ids[:2]:
            answer = self.place.decide("approve", name)
            self.t.check(f"{self.number}: approved", answer.ran, answer)

    def strike(self, wait):
        """Starts everything at once, and kills it after a wait. Returns how many were still there."""
        client = Client(self.place, "--wait", "20s", start_new_session=True)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        raced, served, late = self.commands
        verbs = [("call", *self.callers, raced)] * 2 + [("call", "--wait", "20s", *self.callers, late), ("call", "ls")]
        verbs += [("approve", self.ids[2], "--token-file", self.place.token)]
        children = [client.child]
        client.start(served)
        for words in verbs:
            children.append(self.place.start(*words, **quiet))
        wait(children)
        self.seen = len(self.place.left())
        alive = sum(child.poll() is None for child in children)
        for child in children:
            child.send_signal(signal.SIGKILL)
        for child in children:
            child.wait()
        return alive

    def recorded(self, count):
        """Returns what waits until there are so many records more than now, or nobody is left to write one."""
        wanted = self.place.log.read_bytes().count(b"\n") + count

        def wait(children):
            callers = children[1:]
            until(lambda: self.place.log.read_bytes().count(b"\n") >= wanted or all(c.poll() is not None for c in callers))

        return wait

    def in_a_sandbox(self, _):
        """Waits until a tool of this round runs."""
        until(lambda: f"{self.number}-" in self.place.said("log"))

    def judge(self, kept):
        """Looks at what is there afterwards, and does again what was not done."""
        t, place, number = self.t, self.place, self.number
        t.check(f"{number}: nobody is left", until(lambda: not place.left()), place.left())
        place.write("work/may-go", "")
        seen = place.verify("--against", kept)
        bad = (seen.data or {}).get("firstBad", {}).get("problem")
        t.check(f"{number}: whole, or torn at its end", seen.ran and bad in (None, "torn"), seen)
        for command in self.commands:
            answer = place.call(command, *self.callers)
            t.check(f"{number}: runs or asks", answer.ran or answer.asks, answer)
            if answer.asks:
                answer = place.decide("deny", answer.id)
                t.check(f"{number}: can be denied", answer.ran, answer)
        t.whole(number, place, "--against", kept)
        lines = place.said("log").split()
        for kind in KINDS:
            runs = lines.count(f"{number}-{kind}")
            # Every yes was good for one run, in all.
            t.check(f"{number}: {kind} ran at most once", runs <= 1, f"{runs} runs")


def killed_at_random_points(t):
    place = Place(t)
    # Found among the words of a process, wherever it works.
    place.script = f"slow-{place.root.name}.sh"
    place.write(f"work/{place.script}", SLOW)
    make_token(place)
    count = t.amount("KILLS", 25)
    seed = int(os.environ.get("SEED") or random.randrange(1 << 32))
    chance = random.Random(seed)
    kept = place.root / "checkpoint"
    killed = 0
    entries = 0
    for number in range(count):
        # The last one when a tool surely is in its sandbox.
        last = number == count - 1
        one = Round(t, place, number, STAYS if last else SOON)
        one.prepare()
        made = place.run("audit", "checkpoint", "--out", kept, "--json")
        t.check(f"{number}: checkpoint", made.ran, made)
        # Every other one soon, when no call has come to its end.
        recorded = one.recorded(chance.randrange(RECORDS if number % 2 else RECORDS // 4))
        after = chance.uniform(0, LONGEST)

        def wait(children):
            recorded(children)
            time.sleep(after)

        if last:
            (place.work / "may-go").unlink(missing_ok=True)
        alive = one.strike(one.in_a_sandbox if last else wait)
        if last:
            t.check("a tool was in its sandbox, too", one.seen > alive, f"{one.seen} seen, {alive} are ours")
        killed += alive
        one.judge(kept)
        now = place.verify().data["entries"]
        t.check(f"{number}: nothing is lost", now > entries, f"{now} after {entries}")
        entries = now
        kept.unlink()
    t.check("the store opens", place.run("approvals", "--json").ran and place.run("grants", "--json").ran)
    runs = len(place.said("log").split())
    print(f"        {count} points, {killed} processes killed, {runs} of {3 * count} calls ran, {entries} records, seed {seed}")
    t.check("some were killed", killed > count)
    t.check("some ran", runs > 0)


CASES = [killed_at_random_points]
