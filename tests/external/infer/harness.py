"""What is tested, where the recorded texts are, and estimates as `estimate` prints them."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from cases import Tally

CLASSES = ("read", "unknown", "change", "destructive")

# A tool is learned in this time, in seconds, or not at all.
WATCHDOG = 400


class Estimated:
    """One command: what the effects in the file amount to, what it is taken for, and whether a read is claimed."""

    def __init__(self, line):
        self.truth, self.estimate, claims, self.title, self.about, self.why = line.split("\t")
        self.claims = claims == "claims"

    def __str__(self):
        return f"        {self.title}: {self.about} [{self.why}]"


class Suite(Tally):
    """The binaries, and the recorded texts."""

    def __init__(self, argrail):
        super().__init__()
        self.argrail = argrail
        self.estimator = os.environ["ESTIMATE"]
        self.catalogue = Path(os.environ["CATALOGUE"])
        self.corpus = Path(os.environ["CORPUS"])
        self.shipped = None

    def estimates(self, files):
        """Estimates for every command of these files."""
        done = subprocess.run(
            [self.estimator, *map(str, files)], capture_output=True, text=True, check=False, timeout=WATCHDOG
        )
        self.check("estimates are made", done.returncode == 0, done.stderr)
        return [Estimated(line) for line in done.stdout.splitlines()]

    def of_catalogue(self):
        """Estimates for every command of the catalogue, made once."""
        if self.shipped is None:
            self.shipped = self.estimates(sorted(self.catalogue.glob("*.json")))
        return self.shipped

    def known(self):
        """What each command of the catalogue is, by its words."""
        return {row.title: row.truth for row in self.of_catalogue()}

    def infers(self):
        """Whether argrail learns from help at all."""
        done = subprocess.run([self.argrail, "infer", "--help"], capture_output=True, check=False, timeout=WATCHDOG)
        return done.returncode == 0

    def inferred(self, *words):
        """What `argrail infer` prints, or None."""
        try:
            done = subprocess.run(
                [self.argrail, "infer", *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=WATCHDOG,
            )
            return json.loads(done.stdout) if done.returncode == 0 else None
        except (ValueError, subprocess.TimeoutExpired):
            return None

    def compare(self, learned, known):
        """Estimates for what was learned, all in one go, with what the catalogue knows of the same commands."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / f"{at}.json" for at in range(len(learned))]
            for file, metadata in zip(files, learned):
                file.write_text(json.dumps(metadata))
            rows = self.estimates(files)
        for row in rows:
            row.truth = known.get(row.title)
        return [row for row in rows if row.truth]

    def table(self, rows):
        """Prints how estimates compare with the truth, and fails on what is dangerous and called a read."""
        print(f"        {'truth':<14}" + "".join(f"{name:>13}" for name in CLASSES) + f"{'claimed read':>14}")
        for truth in CLASSES:
            of = [row for row in rows if row.truth == truth]
            counts = "".join(f"{sum(row.estimate == name for row in of):>13}" for name in CLASSES)
            print(f"        {truth:<14}{counts}{sum(row.claims for row in of):>14}")
        holes = [row for row in rows if row.truth == "destructive" and (row.estimate == "read" or row.claims)]
        self.check("nothing destructive is called a read", not holes, "\n".join(map(str, holes)))
        changes = [row for row in rows if row.truth == "change"]
        wrong = [row for row in changes if row.estimate == "read"]
        for row in wrong:
            print(f"        a change that is called a read: {row.title}: {row.about}")
        few = len(wrong) * 50 <= len(changes) + 50
        self.check("at most one change in fifty is called a read", few, "\n".join(map(str, wrong)))
