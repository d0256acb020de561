"""What goes in and out: exit codes, much output, much input, a terminal."""

import hashlib
import os
import subprocess
import threading

from harness import policy

PYTHON = "python3"


def exit_codes(t):
    """The command's own, and those that argrail gives."""
    shell = policy()
    t.check("its own", t.run(shell, ["sh", "-c", "exit 37"]).exit == 37)
    ran = t.run(shell, ["sh", "-c", "kill -TERM $$"])
    t.check("128 + 15 on SIGTERM", ran.exit == 143 and ran.data["signal"] == 15, ran)
    ran = t.run(shell, ["sh", "-c", "kill -KILL $$"])
    t.check("128 + 9 on SIGKILL", ran.exit == 137 and ran.data["signal"] == 9, ran)
    # The one thing in this suite that waits: it has to, to see that the wait is ended.
    ran = t.run(shell, ["sh", "-c", "while :; do :; done"], options=["--timeout", "300ms"])
    t.check("124 when the time is up", ran.exit == 124 and ran.data["timedOut"], ran)
    ran = t.run({**shell, "fs": {"read": ["../up"]}}, ["true"])
    t.check("6 on a refused policy", ran.exit == 6 and "fs.read[0]" in str(ran), ran)
    ran = t.run(policy(write=["~/.bashrc"]), ["true"])
    t.check("6 on a protected path", ran.exit == 6 and "fs.write[0]" in str(ran), ran)
    ran = t.run(shell, ["no-such-program"])
    t.check("2 when there is no such program", ran.exit == 2 and "no-such-program" in str(ran), ran)


def much_output(t):
    """Output is cut where it may not go on, and whole below that."""
    lines = "for i in range(100000): print('x' * 99)"
    ran = t.run(policy(), [PYTHON, "-c", lines])
    t.check("10 MB are kept whole", ran.exit == 0 and len(ran.stdout) == 10_000_000, "")
    ran = t.run(policy(), [PYTHON, "-c", lines], options=["--max-output", "64K"])
    t.check("--max-output ends it", ran.exit == 137 and ran.data["truncated"], ran.exit)
    t.check("no more than that is kept", 0 < len(ran.stdout) <= 64 * 1024, len(ran.stdout))


def a_stream_passes_whole(t):
    """100 MB through `cat`, in the mode without a report, where nothing is kept."""
    command = t.command(policy(), ["cat"], ["--max-output", "200M"], report=False)
    block = hashlib.sha256(b"argrail").digest() * 32768
    sent, received = hashlib.sha256(), hashlib.sha256()
    with subprocess.Popen(command, cwd=t.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:

        def feed():
            for number in range(100):
                part = number.to_bytes(4, "big") + block[4:]
                sent.update(part)
                cat.stdin.write(part)
            cat.stdin.close()

        feeder = threading.Thread(target=feed)
        feeder.start()
        length = 0
        while part := cat.stdout.read(1 << 20):
            received.update(part)
            length += len(part)
        feeder.join()
    t.check("cat ends well", cat.returncode == 0, cat.returncode)
    t.check("all arrives", length == 100 << 20, length)
    t.check("it is the same", sent.digest() == received.digest(), "")


def a_terminal(t):
    """There is one if the policy says so, and none otherwise."""
    ask = "import os, sys; print([os.isatty(n) for n in range(3)], os.path.exists('/dev/tty'))"
    ran = t.run(policy(tty=True), [PYTHON, "-c", ask])
    t.works("python has a terminal", ran, "[True, True, True]")
    t.works("python has none", t.run(policy(), [PYTHON, "-c", ask]), "[False, False, False]")
    ran = t.run(policy(tty=True), ["stty", "size"])
    rows = ran.stdout.split()
    t.check("stty knows its size", ran.exit == 0 and len(rows) == 2 and "0" not in rows, ran)
    t.fails("stty without one fails", t.run(policy(), ["stty", "size"]))
    t.works("stty changes it", t.run(policy(tty=True, spawn=["stty"]), ["sh", "-c", "stty -echo && stty -a"]), "-echo")
    opened = "import os; os.write(os.open('/dev/tty', os.O_RDWR), b'by name')"
    t.works("/dev/tty is the terminal", t.run(policy(tty=True), [PYTHON, "-c", opened]), "by name")


CASES = [exit_codes, much_output, a_stream_passes_whole, a_terminal]
