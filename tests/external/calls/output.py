"""200 MB of output: an answer of bounded size, bounded memory, and the rest in pages."""

from pathlib import Path

from harness import Client, Place

LAST = 25_200_000
MOST_KB = 60 * 1024


def a_flood_is_bounded(t):
    """Counts far, and reads the end."""
    place = Place(t, {"timeouts": {"call": "10m"}})
    with Client(place) as client:
        answer = client.call(f"seq {LAST}")
        data = answer.data or {}
        t.check("it is cut", data.get("truncated") is True and len(str(answer.envelope)) < 300_000, answer)
        t.check("it is long", data.get("bytes", 0) > 200_000_000, data.get("bytes"))
        page = client.call(f"x-output {data.get('output')} --offset {data.get('bytes', 0) - 9}")
        t.check("its end is kept", (page.data or {}).get("text") == f"{LAST}\n", page)
        other = place.call(f"x-output {data.get('output')}")
        t.check("for its caller alone", "no such output" in other.error.get("message", ""), other)
        status = Path(f"/proc/{client.child.pid}/status").read_text()
        peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
        t.check("the server stays small", peak < MOST_KB, f"{peak} kB")


CASES = [a_flood_is_bounded]
