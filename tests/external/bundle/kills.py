"""kill -9 at a random point of an installation: nothing half done is ever seen, and the next try works."""

import os
import random
import signal
import time

from downloads import NAME, good, of
from harness import Place, bundle, ended
from server import Server

# Rounds; KILLS=50 is the long form.
ROUNDS = 8
# After at most so many seconds the process is killed; most have ended by then.
LONGEST = 0.8


def killed_at_random_points(t):
    rounds = int(os.environ.get("KILLS") or ROUNDS)
    seed = int(os.environ.get("SEED") or random.randrange(1 << 31))
    points = random.Random(seed)
    packed = good()
    cut = whole = 0
    with Server({"/file.tar.gz": packed}, pause=lambda at: time.sleep(0.004)) as server:
        for number in range(rounds):
            place = Place(t)
            folder = bundle(place, NAME, of(server, packed))
            child = place.start("add", "--json", "--yes", folder, start_new_session=True)
            time.sleep(points.uniform(0, LONGEST))
            alive = child.poll() is None
            child.send_signal(signal.SIGKILL)
            child.communicate()
            cut += alive
            answer = place.call(f"{NAME} show")
            # Installed whole or not at all: never a program that does not work.
            ready = answer.ran
            whole += ready
            fits = ready or answer.code in ("SETUP_REQUIRED", "COMMAND_NOT_FOUND")
            t.check(f"{number}: whole or nothing", fits, answer)
            again = ended(place.start("add", "--json", "--yes", folder))
            t.check(f"{number}: the next try works", again.ran, again)
            t.check(f"{number}: and answers", place.call(f"{NAME} show").ran)
            left = [name for name in place.installed() if ".build" in name or "tmp" in name or "copy" in name]
            t.same(f"{number}: nothing is left over", left, [])
    print(f"        {rounds} points, {cut} cut off, {whole} whole, seed {seed}", flush=True)
    t.check("some were cut off", cut > 0)


CASES = [killed_at_random_points]
