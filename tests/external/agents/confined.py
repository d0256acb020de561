"""What an agent cannot do, tried by the agent itself; and the whole circle through our own tool."""

import json

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
        question = turn.wait_for("agent-prompt") and place.question()
        t.check("a person is asked", question, turn)
        if question:
            place.decide("approve", question)
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
    call = {"tool": "cli", "arguments": {"command": "wc -l notes.txt"}}
    with Place(t, agent, lambda _: {"when": "count the lines", "calls": [call], "say": "three"}) as place:
        turn = place.turn("count the lines", "--with-tools")
        while turn.child.poll() is None:
            for question in place.pending():
                place.decide("approve", question)
        t.same("exit", turn.end(), 0, turn)
        t.well_formed("circle", turn)
        t.same("what it said", turn.text, "three", turn)
        results = [text for one in place.asked() for text in one["results"]]
        t.check("the model got our answer", any("3 notes.txt" in text and "success" in text for text in results), results)
        t.check("a call and its result are told", turn.of("tool-call") and turn.of("tool-result"), turn)
        recorded(t, place, agent)


def recorded(t, place, agent):
    """The record: the agent starts, our tool is called by it, the program runs, the turn ends."""
    lines = [json.dumps(entry) for entry in place.records()]
    started = next((at for at, line in enumerate(lines) if agent.name in line), None)
    called = next((at for at, line in enumerate(lines) if "wc -l notes.txt" in line or '"wc"' in line), None)
    shown = "\n".join(f"        {line[:500]}" for line in lines)
    t.check("the record has the agent", started is not None, shown)
    t.check("then the call of our tool", called is not None and started is not None and called > started, shown)
    t.check("then what came of it", called is not None and called < len(lines) - 1, shown)
    t.check("no prompt and no key is in it", not any("count the lines" in line or "key-of-the-test" in line for line in lines), shown)
    t.check("the record is whole", place.run("audit", "verify")["data"]["ok"])


CASES = each(confined, circle)
