"""From an empty home to an answer, by each method that works here; the second time no step is repeated."""

import os
import shutil
import subprocess
from pathlib import Path

from harness import Place, bundle, script
from server import Server, tarball


def brought(t, place, folder, method, command, wanted):
    """Adds a bundle twice, and calls its tool."""
    # Registries may be reached through a mirror of the machine's own network.
    first = place.add(folder, "--private-registry")
    t.check("added", first.ran, first)
    t.same("by its method", first.data.get("method"), method)
    t.check("in range", first.data.get("inRange") is True, first)
    answer = place.call(command)
    t.check("answers", answer.ran and wanted(answer.data), answer)
    before = place.installed()
    again = place.add(folder, "--private-registry")
    t.check("added again", again.ran and again.data.get("added") is False, again)
    t.same("nothing is done twice", place.installed(), before)
    listed = place.run("status", "--json")
    states = {state["id"]: state for state in listed.data.get("bundles", [])}
    state = states.get(f"{folder.name}@1", {})
    t.same("status", (state.get("installed"), state.get("inRange")), (True, True))


def there(t, *programs):
    """Whether all programs are there."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        t.skip(f"{missing[0]} is not installed")
    return not missing


def a_program_of_the_bundle(t):
    place = Place(t)
    folder = bundle(place, "mine", {"method": "vendored", "path": "./bin/mine"})
    (folder / "bin").mkdir()
    (folder / "bin/mine").write_text(script("mine"))
    (folder / "bin/mine").chmod(0o755)
    brought(t, place, folder, "vendored", "mine show --word hello", lambda data: data == {"said": "--word=hello"})


def a_program_from_npm(t):
    if not there(t, "npm", "node"):
        return
    place = Place(t)
    (place.work / "words.json5").write_text("{milk: 2, /* and */ bread: 1}")
    folder = bundle(
        place,
        "json5",
        {"method": "npm", "package": "json5@2.2.3"},
        range="^2.2.0",
        tool="read",
        argv='["${input.word}"]',
    )
    brought(t, place, folder, "npm", "json5 read words.json5", lambda data: data == {"milk": 2, "bread": 1})


def a_program_from_pip(t):
    if not has_pip(t):
        return
    place = Place(t)
    (place.work / "words.json5").write_text("{milk: 2, /* and */ bread: 1}")
    folder = bundle(
        place,
        "pyjson5",
        {"method": "pip", "package": "json5==0.9.25"},
        range="~0.9.0",
        tool="read",
        argv='["--as-json", "${input.word}"]',
    )
    brought(t, place, folder, "pip", "pyjson5 read --word words.json5", lambda data: data == {"milk": 2, "bread": 1})


def has_pip(t):
    """Whether pip is there."""
    asked = subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True, check=False)
    if asked.returncode != 0:
        t.skip("pip is not installed")
    return asked.returncode == 0


def only(place, *programs):
    """Leaves nothing on the search path but these programs."""
    folder = place.root / "bin"
    folder.mkdir()
    for program in programs:
        (folder / program).symlink_to(Path(shutil.which(program)).resolve())
    place.env["PATH"] = str(folder)


def ripgrep_comes_along_and_is_installed_by_pip(t):
    if not has_pip(t):
        return
    place = Place(t)
    only(place, "python3")
    (place.work / "words").write_text("milk\nbread\n")
    first = place.add("ripgrep", "--private-registry")
    t.check("added", first.ran and first.data.get("method") == "pip", first)
    answer = place.call("rg milk words")
    t.check("answers", answer.ran and "milk" in str(answer.data), answer)
    answer = place.call("ripgrep -i MILK words")
    t.check("answers to its own grammar", answer.ran and "milk" in str(answer.data), answer)
    before = place.installed()
    again = place.add("ripgrep", "--private-registry")
    t.check("nothing is done twice", again.ran and place.installed() == before, again)


def jq_comes_along_and_is_used_where_it_is(t):
    if not there(t, "jq"):
        return
    place = Place(t)
    (place.work / "words.json").write_text('{"milk": [1, 2]}')
    first = place.add("jq")
    t.check("added", first.ran and first.data.get("method") == "present", first)
    answer = place.call("jq .milk words.json")
    t.check("answers", answer.ran and answer.data == [1, 2], answer)


def fd_comes_along_and_is_compiled(t):
    if not there(t, "cargo", "rustc", "cc"):
        return
    if not os.environ.get("KILLS"):
        t.skip("it takes minutes: only in the long form")
        return
    place = Place(t)
    (place.work / "milk.txt").write_text("")
    first = place.add("fd", "--private-registry")
    t.check("added", first.ran and first.data.get("method") == "cargo", first)
    answer = place.call("fd milk")
    t.check("answers", answer.ran and "milk.txt" in str(answer.data), answer)


def a_program_from_cargo(t):
    if not there(t, "cargo", "rustc", "cc"):
        return
    place = Place(t)
    (place.work / "words.toml").write_text("milk = 2\nbread = 1\n")
    folder = bundle(
        place,
        "toml2json",
        {"method": "cargo", "package": "toml2json@1.4.0"},
        range="^1.4.0",
        tool="read",
        argv='["${input.word}"]',
    )
    brought(t, place, folder, "cargo", "toml2json read words.toml", lambda data: data == {"milk": 2, "bread": 1})


def a_program_by_download(t):
    place = Place(t)
    packed = tarball({"fetched-1.2.3/bin/fetched": (script("fetched"), 0o755), "fetched-1.2.3/README": ("x", 0o644)})
    with Server({"/fetched.tar.gz": packed}) as server:
        install = {
            "method": "download",
            "url": server.url("/fetched.tar.gz"),
            "extract_bin": "fetched-1.2.3/bin/fetched",
            "verify_sha256": packed.sha256,
        }
        folder = bundle(place, "fetched", install)
        brought(t, place, folder, "download", "fetched show --word a", lambda data: data == {"said": "--word=a"})
        t.same("downloaded once", server.whole, 1)


CASES = [
    a_program_of_the_bundle,
    a_program_by_download,
    a_program_from_npm,
    a_program_from_pip,
    a_program_from_cargo,
    jq_comes_along_and_is_used_where_it_is,
    ripgrep_comes_along_and_is_installed_by_pip,
    fd_comes_along_and_is_compiled,
]
