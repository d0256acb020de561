"""Cases that are run one after the other as the present user, and the count of what held: shared by the suites."""

import os
import sys
import traceback


class Tally:
    """Which case runs, and how many checks passed."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.case = ""

    def check(self, name, holds, seen=""):
        """Counts one check; tells what was seen if it does not hold."""
        if holds:
            self.passed += 1
            return
        self.failed += 1
        print(f"NOT OK  {self.case}: {name}\n{seen}", flush=True)

    def skip(self, reason):
        """Says why something is not tried."""
        print(f"skip    {self.case}: {reason}", flush=True)

    def tell(self):
        """Says what else is worth knowing at the end."""


def main(suite, modules):
    """Runs `suite.py ARGRAIL [NAME…]`: all cases of the modules, or those. The last line is "N passed, N failed"."""
    tally = suite(sys.argv[1])
    wanted = sys.argv[2:]
    print(f"as user {os.getuid()}", flush=True)
    for case in (case for module in modules for case in module.CASES):
        name = case.__name__
        if wanted and name not in wanted:
            continue
        tally.case = name
        passed, failed = tally.passed, tally.failed
        try:
            case(tally)
        except Exception:
            tally.check("the case itself", False, traceback.format_exc())
        if tally.failed == failed:
            print(f"ok      {name}: {tally.passed - passed} checks", flush=True)
    tally.tell()
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0
