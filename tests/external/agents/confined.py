"""What an agent cannot do, tried by the agent itself; and the whole circle through our own tool."""

import json

from agents import KEY
from harness import Place, each


def confined(t, agent):
    """The agent's own shell finds no secret of the caller, no file outside, and no host but its model's."""
    lines = [
        "env > env.txt",
        "cat ../secret.txt > read.txt 2>&1; echo x > ../written.txt",
        # Without what some agents forbid in a line: substitutions.
        "read port < port.txt",
        f"curl -sS -m 5 http://other.test:$port/from-other.test; curl -sS -m 5 http://{agent.host}:$port/from-{agent.host}",
    ]
    answer = {"when": "try it", "calls": [agent.change("; ".join(lines))], "say": "tried"}
    with Place(t, agent, lambda _: answer) as place:
        place.write("secret.txt", "of the person\n")
        place.write("work/port.txt", str(place.port))
        turn = place.turn("try it")
        t.check("a person is asked", place.allow_all(turn) > 0, turn)
        t.same("exit", turn.end(), 0, turn)
        said = {name: (place.work / name).read_text() for name in ("env.txt", "read.txt") if (place.work / name).exists()}
        t.check("it ran", len(said) == 2, turn)
        env = said.get("env.txt", "")
        t.check("no variable of the caller", "SECRET_OF_THE_CALLER" not in env and "XDG_STATE_HOME" not in env, env)
        t.check("its home is its own", "HOME=" in env and f"HOME={place.home}\n" not in env, env)
        t.check("no file outside is read", "of the person" not in said.get("read.txt", ""), said)
        t.check("no file outside is written", not (place.root / "written.txt").exists())
        paths = [one["path"] for one in place.heard()]
        t.check("its model's host is reached", f"/from-{agent.host}" in paths, paths)
        t.check("no other host is", "/from-other.test" not in paths, paths)


def circle(t, agent):
    """The agent calls our own tool, which runs a confined program; the record shows all of it in order."""
    if agent.hides:
        return t.skip("the model would have to look for the tool first")
    call = {"tool": "cli", "arguments": {"command": "wc -l notes.txt"}}
    with Place(t, agent, lambda _: {"when": "count the lines", "calls": [call], "say": "three"}) as place:
        turn = place.turn("count the lines", "--with-tools")
        # Some agents ask for it in words that do not tell that it is our own tool.
        place.allow_all(turn)
        t.same("exit", turn.end(), 0, turn)
        t.well_formed("circle", turn)
        t.same("what it said", turn.text, "three", turn)
        results = [text for one in place.asked() for text in one["results"]]
        t.check("the model got our answer", any("3 notes.txt" in text and "success" in text for text in results), results)
        t.check("a call and its result are told", turn.of("tool-call") and turn.of("tool-result"), turn)
        recorded(t, place, agent)


# One after the other, with whatever else between them.
STEPS = ["agent.started", "agent.ready", "agent.turn", "cli.intended", "cli.invoked", "agent.returned", "agent.answered", "agent.ended"]


def recorded(t, place, agent):
    """The record: the agent starts, calls our tool, the program runs and ends, the agent gets it and answers."""
    entries = place.records()
    shown = "\n".join(f"        {json.dumps(entry)[:500]}" for entry in entries)
    actions = iter([entry["action"] for entry in entries])
    t.check("the record has every step in order", all(step in actions for step in STEPS), shown)
    actors = {entry["actor"]["id"] for entry in entries if entry["action"] in STEPS}
    t.check("all in the name of the session", len(actors) == 1 and min(actors).startswith(f"agent:{agent.name}@1/run-"), shown)
    ran = [entry["metadata"] for entry in entries if entry["action"] == "cli.invoked"]
    t.same("the program that ran", [(one["argv"][1:], one["success"]) for one in ran], [(["-l", "notes.txt"], True)], shown)
    text = json.dumps(entries)
    t.check("no prompt and no key is in it", "count the lines" not in text and KEY not in text, shown)
    t.check("the record is whole", place.run("audit", "verify")["data"]["ok"])


CASES = each(confined, circle)
