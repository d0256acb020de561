"""What is learned from real programs of this machine: so much at least, and how much is told."""

import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

# Programs, how deep they are asked, and the fewest commands and options that any version of them has.
PROGRAMS = [
    ("git", 2, 100, 1000),
    ("cargo", 2, 10, 200),
    ("npm", 1, 40, 100),
    ("pip", 2, 10, 150),
    ("docker", 2, 40, 400),
    ("curl", 0, 0, 200),
    ("tar", 0, 0, 100),
    ("ssh", 0, 0, 40),
    ("systemctl", 1, 60, 50),
    ("rustc", 0, 0, 20),
    ("python3", 0, 0, 20),
    ("gcc", 0, 0, 20),
]

# Reads of tools that argrail describes: learning them must not change what is decided.
READS = [
    ("git", ["git", "log", "--oneline", "-5"]),
    ("git", ["git", "status"]),
    ("git", ["git", "diff", "--stat"]),
    ("tar", ["tar", "-tf", "a.tar"]),
    ("kubectl", ["kubectl", "get", "pods"]),
    ("docker", ["docker", "ps", "-a"]),
    ("systemctl", ["systemctl", "status", "ssh"]),
]

# A program is learned in this time, in seconds.
WATCHDOG = 400


def argrail(suite, *words):
    """The envelope of one run."""
    done = subprocess.run(
        [suite.argrail, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=WATCHDOG
    )
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"success": False, "error": done.stderr.decode(errors="replace")}


def judged(suite, words):
    """What is decided about a command line, and what it would change."""
    data = argrail(suite, "why", "--json", "--", *words).get("data", {})
    return data.get("decision"), data.get("effects")


def learning_real_programs(suite):
    """Infers each, tells the counts, and infers it again without starting anything."""
    before = {tuple(line): judged(suite, line) for _, line in READS}
    learned = set()
    here = [program for program in PROGRAMS if shutil.which(program[0])]
    for program in PROGRAMS:
        if program not in here:
            suite.skip(f"{program[0]} is not installed")

    def infer(program):
        name, depth, _, _ = program
        words = ["infer", name, "--depth", str(depth), "--timeout", "60s", "--json"]
        return argrail(suite, *words), argrail(suite, *words)

    # Each is asked one question at a time at first, so two together keep the machine busy.
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(infer, here))
    for (name, _, commands, options), (answer, again) in zip(here, answers):
        suite.check(f"{name} is learned", answer.get("success"), str(answer)[:2000])
        if not answer.get("success"):
            continue
        learned.add(name)
        data = answer["data"]
        found = data["counts"]
        print(
            f"        {name}: {found['commands']} commands, {found['options']} options, {found['arguments']} arguments, "
            f"{data['started']} started, {data['elapsedMs']} ms; "
            + ", ".join(f"{source['from']} ({source['pages']})" for source in data["sources"]),
            flush=True,
        )
        suite.check(f"{name} has {commands} commands", found["commands"] >= commands, str(found))
        suite.check(f"{name} has {options} options", found["options"] >= options, str(found))
        suite.check(f"{name} is remembered", again.get("data", {}).get("started") == 0, str(again)[:500])
    for name, line in READS:
        if name in learned:
            after = judged(suite, line)
            told = f"{before[tuple(line)]} became {after}"
            suite.check(f"{' '.join(line)} is what it was", after == before[tuple(line)], told)


CASES = [learning_real_programs]
