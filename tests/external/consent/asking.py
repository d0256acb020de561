"""Questions and answers, from a client of MCP to a person in another terminal: once, no, too late, for a while."""

import subprocess
import threading

from client import Client, HttpClient
from harness import Place, until
from terminal import CODE, Terminal, answer, approve

# Says that it ran, in a file.
APPEND = 'echo "$1" >> log\n'


def asking(t, config=None):
    """A place with a script whose runs can be counted."""
    place = Place(t, config)
    place.write("work/append.sh", APPEND)
    return place


def a_change_waits_for_a_yes_and_runs_once(t):
    place = asking(t)
    with Client(place, "--wait", "50s") as client:
        call = client.start("sh append.sh one")
        name = client.question(call)
        t.check("waits: is listed", name in place.pending(), place.pending())
        t.same("waits: nothing ran", place.said("log"), "")
        approve(place, name)
        t.runs("approved", client.answer(call))
        t.same("approved: ran once", place.said("log"), "one\n")
        again = client.start("sh append.sh one")
        t.check("again: another question", client.question(again) != name)
        t.same("again: did not run", place.said("log"), "one\n")
    t.whole("after it", place)
    actions = [record["action"] for record in place.records()]
    for action in ("approval.asked", "approval.approved", "cli.intended", "cli.invoked"):
        t.check(f"recorded: {action}", action in actions, actions)
    t.check("asked is before intended", actions.index("approval.asked") < actions.index("cli.intended"), actions)


def a_change_is_answered_at_once_and_found_by_the_retry(t):
    place = asking(t)
    with Client(place, "--wait", "0") as client:
        name = t.asks("first", client.call("sh append.sh one"))
        t.same("retry before the answer", client.call("sh append.sh one").id, name)
        approve(place, name)
    # The answer outlives the server that asked.
    with Client(place, "--wait", "0") as client:
        t.runs("retry", client.call("sh append.sh one"))
        t.same("ran once", place.said("log"), "one\n")
        second = t.asks("retry of the retry", client.call("sh append.sh one"))
        t.check("another question", second != name)
    with Client(place, "--wait", "0", name="somebody else") as client:
        approve(place, second)
        t.asks("another client", client.call("sh append.sh one"))
    t.same("still once", place.said("log"), "one\n")


def two_waiting_calls_share_one_yes(t):
    place = asking(t)
    with Client(place, "--wait", "50s") as client:
        calls = [client.start("sh append.sh one") for _ in range(2)]
        names = {client.question(call) for call in calls}
        t.same("one question", len(names), 1)
        approve(place, names.pop())
        until(lambda: place.said("log"))
        left = until(place.pending)
        t.same("the other one asks anew", len(left), 1)
        t.same("ran once", place.said("log"), "one\n")
        answers = [client.answer(call) for call in calls]
        t.same("one ran", sum(one.ran for one in answers), 1)
        t.same("one is told of it", [one.id for one in answers if one.asks], list(left))
    t.same("still once", place.said("log"), "one\n")


def nobody_answers(t):
    place = asking(t, {"timeouts": {"approval": "2s"}})
    with Client(place, "--wait", "50s") as client:
        seen = client.call("sh append.sh one")
        t.same("while it waits", seen.reason, "approval_expired")
    place.write("config/agent-tools/config.json", '{"timeouts": {"approval": "10s"}}')
    name = t.asks("at once", place.call("sh append.sh two"))
    approve(place, name)
    t.check("an unused yes expires", until(lambda: place.call("help").ran and expired(place, name)))
    seen = place.call("sh append.sh two")
    t.same("retry", (seen.exit, seen.reason, seen.id), (5, "approval_expired", name))
    t.asks("after that", place.call("sh append.sh two"))
    t.same("nothing ran", place.said("log"), "")


def expired(place, name):
    """Whether a question takes no answer any more because its time is over."""
    code, screen = answer(place, "deny", name)
    return code != 0 and "expire" in screen


def a_person_says_no(t):
    place = asking(t)
    with Client(place, "--wait", "50s") as client:
        call = client.start("sh append.sh one")
        name = client.question(call)
        code, screen = answer(place, "deny", name, "--reason", "not on a Friday")
        t.check("deny: says so", code == 0 and f"{name}: denied" in screen, screen)
        for seen in (client.answer(call), client.call("sh append.sh one"), place.call("sh append.sh one", "--caller", "suite")):
            told = (seen.reason, seen.error.get("humanReason"), seen.id)
            t.same("told", told, ("denied_by_human", "not on a Friday", name))
    t.same("nothing ran", place.said("log"), "")


def without_a_terminal_nobody_answers(t):
    place = asking(t)
    name = t.asks("call", place.call("sh append.sh one"))
    for words in (("approve", name), ("deny", name), ("revoke", name), ("approvals", "--new-token", place.root / "token")):
        seen = place.run(*words, "--json")
        t.check(f"{words[0]}: refused", seen.exit not in (0, None) and seen.error, seen)
    piped = place.run("approve", name, "--json", stdin=subprocess.PIPE)
    t.check("a pipe is no terminal", piped.exit not in (0, None), piped)
    t.check("it waits", name in place.pending())
    t.check("no token was made", not (place.root / "token").exists())
    with Terminal(place, "approvals", name, rows=120) as terminal:
        t.same("it can be read", terminal.ended(), 0)
        t.check("in full", "append.sh" in terminal.screen() and "why it asks" in terminal.screen(), terminal.screen())
    t.check("to read it is no answer", name in place.pending())
    t.asks("call again", place.call("sh append.sh one"))


def a_person_who_runs_it_is_asked_there(t):
    place = asking(t)
    for answer_, log in (("y", ""), ("the code", "one\n")):
        with Terminal(place, "run", "--", "sh", "append.sh", "one", rows=120) as terminal:
            terminal.expect("DANGER it runs a text, a program or words that nobody has read")
            code = terminal.expect(CODE)[1]
            t.same(f"{answer_}: nothing ran yet", place.said("log"), "")
            terminal.type(f"{code if log else answer_}\r")
            t.same(f"{answer_}: ends", terminal.ended() == 0, bool(log))
        t.same(f"{answer_}: ran", place.said("log"), log)
    for key in ("n", "y"):
        with Terminal(place, "run", "--", "touch", "made", rows=120) as terminal:
            terminal.expect("Type y for yes:")
            terminal.type(f"{key}\r")
            t.same(f"{key}: ends", terminal.ended() == 0, key == "y")
        t.same(f"{key}: made", (place.work / "made").exists(), key == "y")


def a_grant_holds_for_its_pattern_and_not_beside_it(t):
    place = asking(t)
    with Client(place, "--wait", "0") as client:
        name = t.asks("first", client.call("touch note-1"))
        screen = approve(place, name, "--for", "1h", "--scope", "touch 'note-*'")
        grant = next(iter(place.grants().values()))
        t.check("the screen names it", grant["id"] in screen and "note-*" in screen, screen)
        for command in ("touch note-1", "touch note-2", "touch note-3"):
            t.runs(command, client.call(command))
        for command in ("touch other", "touch note-1 note-2", "touch --no-create note-1", "mkdir note-4", "touch sub/note-1"):
            t.asks(command, client.call(command))
        t.asks("another caller", place.call("touch note-1"))
        t.asks("another directory", place.call("touch note-1", "--caller", "suite", cwd=place.home))
        why = place.run("why", "--json", "--caller", "suite", "--", "touch", "note-9")
        origins = [reason["origin"] for reason in why.data["reasons"]]
        t.check("why names it", why.data["decision"] == "allow" and f"grant {grant['id']}" in origins, why)
        seen = place.grants()[grant["id"]]
        t.check("listed with its use", seen["state"] == "active" and seen["uses"] >= 2 and seen["lastUsedAt"], seen)
        code, screen = answer(place, "revoke", grant["id"])
        t.check("taken back", code == 0 and "taken back" in screen, screen)
        t.asks("afterwards, at the same server", client.call("touch note-3"))
        t.same("listed as over", place.grants()[grant["id"]]["state"], "revoked")
    with Client(place, "--wait", "0") as client:
        name = t.asks("for a moment", client.call("touch brief"))
        approve(place, name, "--for", "1s")
        t.check("its time ends", until(lambda: list(place.grants().values())[-1]["state"] == "expired" or expired_grant(place)))
        client.call("touch brief")
        t.asks("then it asks", client.call("touch brief"))


def expired_grant(place):
    """Whether any grant is over by time."""
    return any(grant["state"] == "expired" for grant in place.grants().values())


def what_destroys_asks_under_a_broad_grant(t):
    place = asking(t)
    for words in (["init", "-q"], ["config", "user.name", "n"], ["config", "user.email", "e@x.test"]):
        subprocess.run(["git", *words], cwd=place.work, env=place.env, check=True)
    file = place.write("work/a", "committed\n")
    for words in (["add", "a"], ["commit", "-q", "-m", "m"]):
        subprocess.run(["git", *words], cwd=place.work, env=place.env, check=True)
    file.write_text("changed\n")
    with Client(place, "--wait", "0") as client:
        name = t.asks("a reset", client.call("git reset"))
        approve(place, name, "--for", "1h", "--scope", "git reset '**' --hard --soft")
        t.runs("a reset", client.call("git reset"))
        t.runs("one like it", client.call("git reset --soft HEAD"))
        name = t.asks("one that destroys", client.call("git reset --hard"))
        with Terminal(place, "approve", name, rows=120) as terminal:
            terminal.expect("DANGER")
            terminal.expect(r"type \w{4}:")
            terminal.type("y\r")
            t.check("y is no code", terminal.ended() != 0, terminal.screen())
        t.same("it still waits", client.call("git reset --hard").id, name)
        t.same("nothing is lost", place.said("a"), "changed\n")
        with Terminal(place, "approve", name, rows=120) as terminal:
            terminal.type(terminal.expect(r"type (\w{4}):")[1] + "\r")
            t.same("the code is a yes", terminal.ended(), 0)
        t.runs("with its code", client.call("git reset --hard"))
        t.same("it is done", place.said("a"), "committed\n")
        t.asks("it asks again", client.call("git reset --hard"))
    name = t.asks("rm", place.call("rm a"))
    with Terminal(place, "approve", name, "--scope", "rm '**'", rows=120) as terminal:
        t.check("a pattern that does not name it is no answer", terminal.ended() != 0, terminal.screen())
    t.asks("rm still", place.call("rm a"))
    t.check("a is there", (place.work / "a").exists())


def the_screen_of_a_person(t):
    place = asking(t)
    with Client(place, "--wait", "50s") as client, Terminal(place, "approvals", "--watch") as terminal:
        terminal.expect("nothing waits")
        yes = client.start("sh append.sh yes")
        first = client.question(yes)
        terminal.expect("1 question waits")
        no = client.start("sh append.sh no")
        second = client.question(no)
        more = client.start("touch note-1")
        third = client.question(more)
        terminal.expect("3 questions wait")
        for shown in (first, "append.sh", "as they will run", "what it does"):
            terminal.expect(shown)
        terminal.type("a")
        terminal.expect(f"Run {first} once, with all its 3 words")
        terminal.type("y\r")
        terminal.expect(f"Run {first} once", gone=True)
        t.same("what is not the code is no yes", place.said("log"), "")
        terminal.type("a")
        terminal.expect(f"Run {first} once")
        terminal.type(terminal.expect(CODE)[1] + "\r")
        terminal.expect(f"{first}: approved, once")
        t.runs("approved", client.answer(yes))
        terminal.expect("2 questions wait")
        terminal.type("j")
        terminal.expect(rf"id +{second}")
        terminal.key("Enter")
        for _ in range(6):
            terminal.key("PageDown")
        terminal.expect("append.sh")
        terminal.type("d")
        terminal.expect(f"Deny {second}")
        terminal.type("because it is late")
        terminal.key("Enter")
        terminal.expect(f"{second}: denied")
        seen = client.answer(no)
        t.same("denied", (seen.reason, seen.error.get("humanReason")), ("denied_by_human", "because it is late"))
        terminal.key("Escape")
        terminal.type("j")
        terminal.expect(rf"id +{third}")
        terminal.type("p")
        terminal.expect("covers")
        terminal.key("C-u")
        terminal.type("touch other")
        terminal.expect("does not cover")
        terminal.key("C-u")
        terminal.type("touch note-*")
        terminal.expect("it covers this question")
        terminal.key("Enter")
        terminal.expect("For how long")
        terminal.type("2")
        terminal.expect("1 hour")
        terminal.type("y")
        terminal.expect(f"{third}: approved, with the grant g-")
        t.runs("with a pattern", client.answer(more))
        t.runs("and its like", client.call("touch note-2"))
        terminal.expect("nothing waits")
        terminal.type("q")
        t.same("left", terminal.ended(), 0)
    t.same("ran", place.said("log"), "yes\n")


def the_same_over_http(t):
    place = asking(t)
    with HttpClient(place, "--wait", "50s") as client:
        came = []
        thread = threading.Thread(target=lambda: came.append(client.call("sh append.sh one")))
        thread.start()
        names = list(until(place.pending))
        t.same("asks", len(names), 1)
        approve(place, names[0])
        thread.join()
        seen, told = came[0]
        t.runs("approved", seen)
        t.check("told meanwhile", any(names[0] in message for message in told), told)
    t.same("ran once", place.said("log"), "one\n")


CASES = [
    a_change_waits_for_a_yes_and_runs_once,
    a_change_is_answered_at_once_and_found_by_the_retry,
    two_waiting_calls_share_one_yes,
    nobody_answers,
    a_person_says_no,
    without_a_terminal_nobody_answers,
    a_person_who_runs_it_is_asked_there,
    a_grant_holds_for_its_pattern_and_not_beside_it,
    what_destroys_asks_under_a_broad_grant,
    the_screen_of_a_person,
    the_same_over_http,
]
