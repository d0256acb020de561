"""kill -9 at a random point of an installation: nothing half done is ever seen, and the next try works.

The point is chosen by how far the installation has come, not by the clock, so that it is the same on a machine that is
fast and on one that is busy: a part of the download, or a part of what this machine takes for all that follows.
"""

import os
import random
import signal
import threading
import time

from downloads import NAME, good, of
from harness import Place, bundle, ended
from server import PART, Server

# Rounds; KILLS=50 is the long form.
ROUNDS = 8
# Longer than anything takes.
PATIENCE = 120


class Point:
    """A part of the file, after which the server says so and stops or goes on."""

    def __init__(self, at, stops):
        self.at = at
        self.stops = stops
        self.reached = threading.Event()
        self.struck = threading.Event()

    def pause(self, at):
        """What the server does after each part."""
        if at >= self.at:
            self.reached.set()
            if self.stops:
                self.struck.wait(PATIENCE)


def add(place, server, packed):
    """Starts an installation."""
    folder = bundle(place, NAME, of(server, packed))
    return place.start("add", "--json", "--yes", folder, start_new_session=True), folder


def after_the_download(t, server, packed, last):
    """How long everything takes that comes after the download, on this machine as it is now."""
    point = Point(last, stops=False)
    server.pause = point.pause
    child, _ = add(Place(t), server, packed)
    t.check("the download comes to its end", point.reached.wait(PATIENCE))
    begun = time.monotonic()
    answer = ended(child)
    t.check("whole, without a kill", answer.ran, answer)
    return time.monotonic() - begun


def killed_at_random_points(t):
    rounds = int(os.environ.get("KILLS") or ROUNDS)
    seed = int(os.environ.get("SEED") or random.randrange(1 << 31))
    points = random.Random(seed)
    packed = good()
    last = (len(packed) - 1) // PART * PART
    cut = whole = 0
    with Server({"/file.tar.gz": packed}) as server:
        rest = after_the_download(t, server, packed, last)
        for number in range(rounds):
            place = Place(t)
            # Every other one while it downloads: then it surely is there.
            downloads = number % 2 == 0
            point = Point(points.randrange(last) if downloads else last, stops=downloads)
            server.pause = point.pause
            child, folder = add(place, server, packed)
            t.check(f"{number}: it comes to the point", point.reached.wait(PATIENCE))
            if not downloads:
                time.sleep(points.uniform(0, rest))
            alive = child.poll() is None
            child.send_signal(signal.SIGKILL)
            child.communicate()
            server.pause = None
            point.struck.set()
            t.check(f"{number}: cut off in its download", alive or not downloads)
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


CASES = [killed_at_random_points]
