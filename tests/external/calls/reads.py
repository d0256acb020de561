"""An agent's reads run without a question; its changes are held, and nothing is started for them."""

import http.server
import re
import shutil
import threading

from harness import Client, Place

IDENTITY = "git -c user.name=n -c user.email=e@x.test -c init.defaultBranch=main"
REACH = {
    "network": {"resolve": {"api.test": "127.0.0.1"}, "allowLoopback": True, "hosts": ["api.test", "nobody.invalid"]}
}


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


def ordinary_files(place):
    """Files for every program below, and private ones in the home that none of them has a use for."""
    for name, text in {
        "m.py": "import json, ssl, subprocess, urllib.request\nimport pack\nprint(json.dumps(pack.ONE))\n",
        "pack/__init__.py": "ONE = 1\n",
        "m.js": "console.log(require('os').cpus().length, require('fs').readFileSync('a.txt', 'utf8'))\n",
        "m.pl": "use POSIX; print 1;\n",
        "x.json": '{"a": 1}\n',
        "Makefile": "all:\n\techo hi\n",
    }.items():
        place.write(f"work/{name}", text, 0o644)
    for name in (".netrc", ".ssh/id_ed25519", ".aws/credentials", ".config/other/token", ".bash_history"):
        place.write(f"home/{name}", "secret\n")


def ordinary_reads_are_no_lies(t):
    """What programs do by habit (probing, locking, caching) fails no read, and most of it is not even told."""
    place = Place(t)
    ordinary_files(place)
    repository(place)
    # Its times differ from those in the index, which git would refresh.
    (place.work / "a.txt").touch()
    for command in [
        "git status",
        "git status --short",
        "git diff",
        "git log --oneline",
        "ls -la",
        "cat a.txt",
        "grep -rn first .",
        "find . -name '*.txt'",
        "jq .a x.json",
        "make -n",
        "python3 -m json.tool x.json",
        "node --version",
        "npm --version",
        "curl --version",
        "sort a.txt",
        "ps",
    ]:
        if not shutil.which(command.split()[0]):
            t.skip(f"no {command.split()[0]}")
            continue
        answer = place.call(command)
        fine = answer is not None and answer.envelope.get("success")
        t.check(command, fine and "it tried" not in answer.envelope.get("message", ""), answer)
        # It refreshes the index if it can, whatever it is told.
        if command != "git diff":
            t.check(f"{command} tries nothing", fine and "tried" not in answer.envelope["_meta"], answer)


def claims_of_ordinary_programs_hold(t):
    """The same where nobody vouches for them, and each is looked at closely."""
    place = Place(t)
    ordinary_files(place)
    repository(place)
    place.free("sqlite3 x.db 'create table t(a)'")
    for name, words in [
        ("python3", "m.py"),
        ("node", "m.js"),
        ("perl", "m.pl"),
        ("jq", ".a x.json"),
        ("ls", "."),
        ("cat", "a.txt"),
        ("grep", "first a.txt"),
        ("find", "."),
        ("sort", "a.txt"),
        ("awk", "'{print}' a.txt"),
        ("sqlite3", "x.db 'select * from t'"),
        ("openssl", "version"),
        ("bash", "/dev/null"),
    ]:
        program = shutil.which(name)
        if not program:
            t.skip(f"no {name}")
            continue
        place.claim(f"my-{name}", program)
        answer = place.call(f"my-{name} {words}")
        t.check(f"my-{name} {words}", answer is not None and answer.envelope.get("success"), answer)
    place.claim("my-python", shutil.which("python3"))
    place.write("work/lie.py", "import sys\ntry:\n    open(sys.argv[1]).read()\nexcept OSError:\n    pass\n", 0o644)
    answer = place.call(f"my-python lie.py {place.home}/.ssh/id_ed25519")
    tried = answer.error.get("tried", []) if answer else []
    t.check("a silent read of a key is told", {"act": "read", "target": "~/.ssh/id_ed25519"} in tried, answer)


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
        # Before anybody is asked, argrail starts itself twice to see what this machine can hold: its launcher, and a child
        # that does nothing. A plain user's strace cannot read their words, and shows addresses.
        if starts:
            t.check("a read is seen in the trace", len(execs) > 1, "\n".join(lines[-40:]))
        else:
            t.check("nothing else was started", len(execs) <= 3, "\n".join(execs))
            own = [line for line in execs if re.search(r'/bin/argrail"|"/proc/self/exe"|"--argrail-sandbox-prover"|\(0x|\(\d+, 0x', line)]
            t.check("all of it is argrail", execs == own, "\n".join(execs))


CASES = [reads_run, ordinary_reads_are_no_lies, claims_of_ordinary_programs_hold, changes_are_held, what_is_held_starts_nothing]
