"""Runs every case as the present user: `suite.py ARGRAIL [NAME…]`. The last line is "N passed, N failed"."""

import os
import sys
import traceback

import bypass
import output
import prompts
import reads
import repository
import starts
from harness import Suite

CASES = [case for module in (reads, bypass, repository, prompts, starts, output) for case in module.CASES]


def main():
    suite = Suite(sys.argv[1])
    wanted = sys.argv[2:]
    print(f"as user {os.getuid()}", flush=True)
    for case in CASES:
        name = case.__name__
        if wanted and name not in wanted:
            continue
        suite.case = name
        passed, failed = suite.passed, suite.failed
        try:
            case(suite)
        except Exception:
            suite.check("the case itself", False, traceback.format_exc())
        if suite.failed == failed:
            print(f"ok      {name}: {suite.passed - passed} checks", flush=True)
    print(f"the slowest answer took {suite.slowest[0]:.2f} s: {suite.slowest[1]}")
    print(f"{suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
