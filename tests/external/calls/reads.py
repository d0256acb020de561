"""An agent's reads run without a question; its changes are held, and nothing is started for them."""

import http.server
import re
import shutil
import threading

from harness import Client, Place

IDENTITY = "git -c user.name=n -c user.email=e@x.test -c init.defaultBranch=main"
REACH = {"network": {"resolve": {"api.test": "127.0.0.1"}, "allowLoopback": True}}


def repository(place):
    """Makes the work directory a repository with one commit."""
    (place.work / "a.txt").write_text("first\n")
    for command in ("init --quiet", "add a.txt", "commit --quiet -m 'the first'"):
        place.free(f"{IDENTITY} {command}").check_returncode()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers every request, and remembers it."""

    def do_GET(self):
        """Answers."""
        self.server.seen.append((self.command, self.path))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello from outside\n")

    do_POST = do_PUT = do_DELETE = do_GET

    def log_message(self, *_):
        """Says nothing."""


class Server:
    """A web server on a port of its own, while the block lasts."""

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.seen = self.seen = []
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def reads_run(t):
    """git, files and a web server, over MCP."""
    place = Place(t, REACH)
    repository(place)
    (place.work / "a.txt").write_text("second\n")
    with Server() as server, Client(place) as client:
        for command, says in [
            ("git log --oneline", "the first"),
            ("git status --short", " M a.txt"),
            ("git diff", "+second"),
            ("git show --stat", "a.txt"),
            ("git branch", "main"),
            ("git -C . log -1", "the first"),
            ("ls", "a.txt"),
            ("grep -n second a.txt", "1:second"),
            ("find . -maxdepth 1 -name '*.txt'", "./a.txt"),
            ("awk '{print $1}' a.txt", "second"),
            (f"curl -s http://api.test:{server.port}/x", "hello from outside"),
        ]:
            answer = client.call(command)
            t.check(command, answer.envelope["success"] and says in answer.stdout, answer)
        t.check("the server was asked", server.seen == [("GET", "/x")], server.seen)
        for url, says in [("http://nobody.invalid/", "has no address"), ("http://api.test:1/", "does not answer")]:
            answer = client.call(f"curl -s {url}")
            t.check(f"nobody is at {url}", says in answer.error.get("message", ""), answer)


def changes_are_held(t):
    """The same programs, where they change something."""
    place = Place(t, REACH)
    repository(place)
    (place.work / "a.txt").write_text("second\n")
    before = place.state()
    with Server() as server, Client(place) as client:
        url = f"http://api.test:{server.port}/x"
        for command in [
            "git commit -am x",
            "git add a.txt",
            "git checkout a.txt",
            "git reset --hard",
            "git clean -fd",
            "git push",
            "git tag v1",
            "git config user.name x",
            "git stash",
            f"curl -s -d x {url}",
            f"curl -s -X DELETE {url}",
            f"curl -s -T a.txt {url}",
            f"curl -s --json '{{}}' {url}",
            f"curl -s -o m {url}",
            f"wget -q {url}",
            "touch m",
            "rm a.txt",
            "npm install x",
            "make",
        ]:
            answer = client.call(command)
            t.check(f"{command} is held", answer.held, answer)
            t.check(f"{command} changes nothing", place.state() == before)
            again = place.call(command)
            t.check(f"{command} has an exit code of its own", again is not None and again.exit == 5, again)
        t.check("the server was not asked", server.seen == [], server.seen)
        place.free(f"curl -s --noproxy '*' -d x http://127.0.0.1:{server.port}/x").check_returncode()
        t.check("it could have been", server.seen == [("POST", "/x")], server.seen)


def what_is_held_starts_nothing(t):
    """Every process of a server is traced while it refuses."""
    if not shutil.which("strace"):
        t.skip("no strace")
        return
    for commands, starts in [
        (["touch m", "git commit -m x", "rm a.txt", "sh -c 'touch m'", "env X=1 ls", "git -c alias.x='!touch m' x"], False),
        (["ls"], True),
    ]:
        place = Place(t)
        repository(place)
        trace = place.root / "trace"
        wrapper = ["strace", "-f", "-qq", "-e", "trace=execve,execveat,fork,vfork,clone,clone3", "-o", str(trace)]
        with Client(place, wrapper) as client:
            for command in commands:
                answer = client.call(command)
                if not starts:
                    t.check(f"{command} is held", answer.held, answer)
        lines = [line for line in trace.read_text().splitlines() if "resumed" not in line]
        execs = [line for line in lines if re.search(r"\bexecve(at)?\(", line)]
        # A thread is no process. A plain user's strace cannot read what argrail asks the kernel for, and shows an
        # address: what is started is seen by its execve then.
        forks = [line for line in lines if re.search(r"\b(v?fork|clone3?)\((?!0x)", line) and "CLONE_THREAD" not in line]
        if starts:
            t.check("a read is seen in the trace", len(execs) > 1 or forks, "\n".join(lines[-40:]))
        else:
            t.check("nothing was started", len(execs) == 1 and not forks, "\n".join(execs + forks))


CASES = [reads_run, changes_are_held, what_is_held_starts_nothing]
