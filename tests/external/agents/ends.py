"""Turns that somebody ends: a cancel, and a kill of either side."""

import os
import signal
import time

from harness import SOON, Place, each, until

SLOW = {"when": "take your time", "say": "word after word ", "repeat": 2000, "pauseMs": 40}
STALLED = {"when": "take your time", "say": "let me", "stall": True}


def cancelled(t, agent):
    """Ctrl-C in the middle of a stream: the turn ends at once, and says so."""
    cancel(t, agent, SLOW)


def cancelled_while_nothing_comes(t, agent):
    """Ctrl-C while the model says nothing more."""
    cancel(t, agent, STALLED)


def cancel(t, agent, answer):
    """One turn that is cancelled after its first words."""
    with Place(t, agent, lambda _: answer) as place:
        turn = place.turn("take your time")
        t.check("it speaks", turn.wait_for("text-delta"), turn)
        asked = time.monotonic()
        turn.child.send_signal(signal.SIGINT)
        until(lambda: turn.of("turn-end") or turn.of("error"), SOON)
        took = time.monotonic() - asked
        # That it is a second is shown with a clock of its own, in the tests of sessions; here nothing else would end it.
        t.check("the end is told", took < 30, f"        {took:.2f} s\n{turn}")
        t.same("exit", turn.end(), 130, turn)
        t.well_formed("cancel", turn)
        t.same("how it ended", (turn.last.get("type"), turn.last.get("reason")), ("turn-end", "cancelled"), turn)
        t.gone("cancel", place)


def agent_killed(t, agent):
    """The agent dies in the middle of a turn: that is an error, and told."""
    with Place(t, agent, lambda _: SLOW) as place:
        turn = place.turn("take your time")
        t.check("it speaks", turn.wait_for("text-delta"), turn)
        t.check("its process is there", place.kill_agent(), place.left())
        t.check("exit", turn.end(20) not in (0, None), turn)
        t.well_formed("killed", turn)
        t.same("how it ended", turn.last.get("type"), "error", turn)
        t.gone("killed", place)


def argrail_killed(t, agent):
    """argrail dies in the middle of a turn: the agent dies with it."""
    with Place(t, agent, lambda _: SLOW) as place:
        turn = place.turn("take your time")
        t.check("it speaks", turn.wait_for("text-delta"), turn)
        os.kill(turn.child.pid, signal.SIGKILL)
        t.same("exit", turn.end(20), -signal.SIGKILL, turn)
        t.gone("argrail killed", place)
        t.check("the record is whole", place.run("audit", "verify")["data"]["ok"])


CASES = each(cancelled, cancelled_while_nothing_comes, agent_killed, argrail_killed)
