"""The score on recorded help texts with known truth, if they lie beside the project."""

import subprocess
import sys

KINDS = [("help", []), ("man", ["--kind", "man"])]


def the_score(suite):
    """Prints what the scorer says; that it could score everything is what is checked."""
    scorer = suite.corpus / "score.py"
    if not scorer.is_file():
        return suite.skip("no recorded help texts beside the project")
    if not suite.infers():
        return suite.skip("argrail does not infer")
    for kind, more in KINDS:
        words = [suite.argrail, "infer", "--name", "{name}", "--sub", "{sub}", *more, "--from-file", "{file}"]
        done = subprocess.run(
            [sys.executable, str(scorer), "--set", "dev", "--kind", kind, "--", *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=1800,
        )
        print(done.stdout)
        suite.check(f"{kind} pages are scored", done.returncode == 0, done.stderr)


CASES = [the_score]
