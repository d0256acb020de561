"""Whole turns: what is said, tools that are used, and questions that a person answers."""

from agents import KEY
from harness import Place, each


def text(t, agent):
    """The agent says what the model says, and ends."""
    with Place(t, agent, lambda _: {"when": "greet me", "say": "hello from the model"}) as place:
        turn = place.turn("greet me")
        t.same("exit", turn.end(), 0, turn)
        t.well_formed("text", turn)
        t.same("what it said", turn.text, "hello from the model", turn)
        t.same("how it ended", (turn.last.get("type"), turn.last.get("reason")), ("turn-end", "end_turn"), turn)
        # Some agents ask for more on their own afterwards.
        t.same("what the model was asked for", [one["answer"] for one in place.asked()][:1], ["text"])
        asked = (place.asked() or [{"host": "", "key": ""}])[0]
        t.check("by its name", asked["host"].startswith(agent.host), asked)
        t.check("with the key", KEY in asked["key"], asked)
        t.gone("text", place)


def tool(t, agent):
    """A tool that asks nobody: its call and its result are told, and the model hears of it."""
    def make(place):
        return {"when": "look around", "calls": [agent.looking(place.work)], "say": "there are notes"}

    with Place(t, agent, make) as place:
        turn = place.turn("look around", *agent.free)
        t.same("exit", turn.end(), 0, turn)
        t.well_formed("tool", turn)
        calls, results = turn.of("tool-call"), turn.of("tool-result")
        t.same("one call, one result", (len(calls), len(results)), (1, 1), turn)
        if calls and results:
            t.same("of the same id", results[0]["id"], calls[0]["id"], turn)
            t.same("it worked", results[0]["isError"], False, turn)
        t.same("what it said", turn.text, "there are notes", turn)
        t.same("the model saw it", [one["answer"] for one in place.asked()][:2], ["call", "text"])


def allowed(t, agent):
    """A change is asked for, a person says yes, and it happens."""
    answered(t, agent, "approve", "allowed", "made\n")


def refused(t, agent):
    """A change is asked for, a person says no, and it does not happen; the turn goes on."""
    answered(t, agent, "deny", "refused", None)


def answered(t, agent, verb, ruling, wanted):
    """One question, answered in another process."""
    turn = {"when": "make the file", "calls": [agent.change("echo made > made.txt")], "say": "that was all"}
    with Place(t, agent, lambda _: turn) as place:
        turn = place.turn("make the file")
        t.check("the agent's question is told", turn.wait_for("agent-prompt"), turn)
        question = place.question(turn)
        t.check("a person is asked", question, turn)
        if question:
            t.check("nothing happened before", not (place.work / "made.txt").exists())
            t.check("the answer is taken", place.decide(verb, question)["success"], turn)
        t.same("exit", turn.end(), 0, turn)
        t.well_formed(verb, turn)
        made = place.work / "made.txt"
        t.same("the file", made.read_text() if made.exists() else None, wanted, turn)
        t.same("what it said", turn.text, "" if agent.gives_up and wanted is None else "that was all", turn)
        told = [kind for kind in turn.kinds if kind in ("tool-call", "agent-prompt")]
        t.same("a call is told before the question", told[:2], ["tool-call", "agent-prompt"], turn)
        rulings = [entry["metadata"].get("ruling") for entry in place.records() if entry["action"] == "agent.permitted"]
        t.same("what is recorded", rulings, [ruling])
        t.check("the record is whole", place.run("audit", "verify")["data"]["ok"])


CASES = each(text, tool, allowed, refused)
