"""Ways around the question with real programs: each works without argrail, and has no effect through it."""

import os
import pwd
import shutil

from harness import Place
from reads import repository

SCRIPT = "#!/bin/sh\n: > \"$MARK\"\n: > mark\n"

# The command, and the program that it needs. Each leaves `mark` or changes `f` where nobody holds it.
WAYS = [
    "sh -c 'touch mark'",
    "sh script",
    "env X=1 touch mark",
    "env -S 'touch mark'",
    "env '-Stouch mark'",
    "env -i touch mark",
    "env sh -c 'touch mark'",
    "env ./script",
    "nice touch mark",
    "nice -n 5 touch mark",
    "nohup touch mark",
    "timeout 5 touch mark",
    "timeout 5 env nice touch mark",
    "xargs -a names touch",
    "xargs -a names -I{} sh -c 'touch {}'",
    "find . -maxdepth 1 -exec touch mark \\;",
    "find . -maxdepth 1 -execdir touch mark {} +",
    "find . -maxdepth 1 -exec sh -c 'touch mark' \\;",
    "find . -maxdepth 1 -name f -delete",
    "find . -maxdepth 1 -fprint mark",
    "find . -maxdepth 1 -fprintf mark x",
    "find . -maxdepth 1 -fls mark",
    "git -c alias.x='!sh -c \"touch mark\"' x",
    "git -c alias.x='!touch mark' x",
    "git -c core.fsmonitor=./script status",
    "git -c core.hooksPath=hooks commit -m x --allow-empty",
    "git -C sub commit --allow-empty -m mark",
    "git log -1 --output=mark",
    "git diff --no-index --output=mark f names",
    "git grep -O./script hello",
    "git grep --open-files-in-pager=./script hello",
    "git -c diff.external=./script diff --no-index f names",
    "git -c protocol.ext.allow=always ls-remote 'ext::./script x'",
    "git ls-remote --upload-pack=./script .",
    "git archive --output=mark HEAD",
    "git bundle create mark HEAD",
    "git format-patch -1",
    "git tag mark",
    "tar -tf t.tar --checkpoint=1 --checkpoint-action=exec='touch mark'",
    "tar -cf other.tar --checkpoint=1 --checkpoint-action=exec='touch mark' f",
    "tar -tf t.tar -I ./script",
    "tar -I ./script -tf t.tar",
    "tar -tf t.tar --use-compress-program=./script",
    "tar -tf t.tar --use-compress-prog=./script",
    "tar -xf t.tar --to-command='touch mark'",
    "tar -cf mark f",
    "tar cf mark f",
    "tar -tvf t.tar --index-file=mark",
    "ssh -o ProxyCommand='touch mark' -o BatchMode=yes h",
    "ssh -oProxyCommand='touch mark' -oBatchMode=yes h",
    "ssh -F config -oBatchMode=yes h",
    "awk 'BEGIN{system(\"touch mark\")}'",
    "awk 'BEGIN{print > \"mark\"}'",
    "awk 'BEGIN{print \"x\" | \"cat > mark\"}'",
    "awk 'BEGIN{\"touch mark\" | getline}'",
    "awk -f program f",
    "sed -n 'w mark' f",
    "sed -n 's/one/two/w mark' f",
    "sed '1e touch mark' f",
    "sed 's/one/touch mark/e' f",
    "sed -i s/one/two/ f",
    "sed -ni s/one/two/p f",
    "sed --in-pl s/one/two/ f",
    "sed -f commands f",
    "sort --outp=mark f",
    "sort -o mark f",
    "sort -omark f",
    "sort -uomark f",
    "sort f -o mark",
    "uniq f mark",
    "tee mark",
    "cp f mark",
    "mv f mark",
    "dd if=f of=mark",
    "rm -rf f",
    "busybox touch mark",
    "busybox sh -c 'touch mark'",
    "busybox find . -maxdepth 1 -exec touch mark \\;",
    "busybox env touch mark",
    "busybox awk 'BEGIN{system(\"touch mark\")}'",
    "/bin/touch mark",
    "./script",
    "sub/../script",
    "setsid -w touch mark",
    "stdbuf -o0 touch mark",
    "python3 -c 'open(\"mark\",\"w\")'",
    "python3 program.py",
    "node -e 'require(\"fs\").writeFileSync(\"mark\",\"\")'",
    "perl -e 'open F, \">mark\"'",
    "make -f makefile",
    "cc @options",
    "curl -s -o mark file:///etc/hostname",
    "curl -s -omark file:///etc/hostname",
    "curl -s -K curlrc",
    "zip -q -T -TT ./script mark f",
    "rsync f mark",
    "rsync -e ./script h:f .",
    "jq -n 'input' mark",
    "gzip f",
    "npm exec -c 'touch mark'",
    "npm run mark",
]

# These leave no mark without argrail either: an effect is only sought, or stands elsewhere.
WITHOUT_MARK = {"jq -n 'input' mark"}


def ground(t):
    """A repository with everything that the ways want."""
    place = Place(t)
    repository(place)
    work = place.work
    (work / "f").write_text("one\nhello\n")
    (work / "names").write_text("mark\n")
    (work / "program").write_text("BEGIN{system(\"touch mark\")}\n")
    (work / "program.py").write_text("open('mark', 'w')\n")
    (work / "commands").write_text("w mark\n")
    (work / "makefile").write_text("X := $(shell touch mark)\nall:\n\ttouch mark\n")
    (work / "options").write_text("-o mark -xc -E f\n")
    (work / "curlrc").write_text("url=file:///etc/hostname\noutput=mark\n")
    (work / "config").write_text("Host h\n ProxyCommand touch mark\n")
    (work / "package.json").write_text('{"name":"p","version":"1.0.0","scripts":{"mark":"touch mark"}}')
    for file in ("script", "hooks/pre-commit"):
        place.write(f"work/{file}", SCRIPT.replace("$MARK", str(place.home / "mark")), 0o755)
    place.write("work/sub/g", "x\n")
    place.free("tar -cf t.tar f").check_returncode()
    for command in ("git config user.name n", "git config user.email e@x.test", "git add f"):
        place.free(command).check_returncode()
    return place


def has_account():
    """Whether the present user has a name."""
    try:
        return bool(pwd.getpwuid(os.getuid()))
    except KeyError:
        return False


def no_way_around_the_question(t):
    """Each way is gone without argrail first, in a place of its own."""
    held = ground(t)
    before = held.state()
    for command in WAYS:
        program = command.split()[0]
        if "/" not in program and not shutil.which(program):
            t.skip(f"no {program}")
            continue
        if program == "ssh" and not has_account():
            t.skip("ssh wants a user with an account")
        elif command not in WITHOUT_MARK:
            place = ground(t)
            start = place.state()
            free = place.free(command)
            t.check(f"{command}: works without argrail", place.state() != start, free.stdout.decode(errors="replace"))
        answer = held.call(command)
        t.check(f"{command}: is answered in time", answer is not None)
        if answer is not None:
            refused = not answer.envelope.get("success", False)
            t.check(f"{command}: is not done", refused, answer)
            t.check(f"{command}: comes with a hint", bool(answer.error.get("hint")), answer)
        now = held.state()
        t.check(f"{command}: has no effect", now == before, [key for key in now if now.get(key) != before.get(key)])
        before = now
    t.check("nothing is left running", held.left() == [], held.left())


CASES = [no_way_around_the_question]
