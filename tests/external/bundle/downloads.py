"""Downloads that lie, end early, burst or lead out: refused, nothing installed, nothing left, and the next try works."""

import hashlib
import tarfile

from harness import Place, bundle, ended, script
from server import Packed, Server, tarball, zipped

NAME = "fetched"
BIN = f"{NAME}/bin/{NAME}"


def good():
    """An archive as it should be, with something beside the program that makes it long."""
    noise = b"".join(hashlib.sha256(str(number).encode()).digest() for number in range(40_000))
    return tarball({BIN: (script(NAME), 0o755), f"{NAME}/data": (noise, 0o644)})


def of(server, packed, path="/file.tar.gz", **more):
    """The entry of a manifest for a file of the server."""
    return {
        "method": "download",
        "url": server.url(path),
        "extract_bin": BIN,
        "verify_sha256": packed.sha256,
        **more,
    }


def refused(t, place, folder, name, needle):
    """Adds a bundle that cannot be installed."""
    answer = place.add(folder)
    t.same(f"{name}: refused", answer.code, "INSTALL_FAILED")
    t.check(f"{name}: says why", needle in str(answer), answer)
    t.same(f"{name}: nothing is left", place.programs(), [])
    t.same(f"{name}: not ready", place.call(f"{NAME} show").code, "SETUP_REQUIRED")


def a_wrong_hash_stops_everything(t):
    place, packed = Place(t), good()
    with Server({"/file.tar.gz": packed}) as server:
        wrong = hashlib.sha256(b"another file").hexdigest()
        folder = bundle(place, NAME, of(server, packed, verify_sha256=wrong))
        text = (folder / "CLI.md").read_text()
        # A method that would work comes after it, and is not tried.
        (folder / "bin").mkdir()
        (folder / "bin/x").write_text(script(NAME))
        (folder / "bin/x").chmod(0o755)
        (folder / "CLI.md").write_text(text.replace("version_check:", "  - { method: vendored, path: ./bin/x }\nversion_check:"))
        refused(t, place, folder, "hash", wrong)
        answer = place.add(folder)
        t.check("tells both hashes", packed.sha256 in str(answer) and wrong in str(answer), answer)
        folder = bundle(place, NAME, of(server, packed))
        t.check("the next try works", place.add(folder).ran)
        t.check("and answers", place.call(f"{NAME} show").ran)


def hostile_archives_leave_nothing(t):
    place = Place(t)
    program = (script(NAME), 0o755)

    def kind(kind, target="/etc/hostname"):
        def change(entry):
            if entry.name != BIN:
                entry.type = kind
                entry.linkname = target
                entry.size = 0

        return change

    def setuid(entry):
        entry.mode |= 0o4000

    whole = good()
    hostile = {
        "traversal": tarball({BIN: program, "../evil": ("x", 0o644)}),
        "absolute": tarball({BIN: program, "/tmp/evil": ("x", 0o644)}),
        "symlink": tarball({BIN: program, f"{NAME}/link": ("", 0o777)}, change=kind(tarfile.SYMTYPE)),
        "hard link": tarball({BIN: program, f"{NAME}/link": ("", 0o644)}, change=kind(tarfile.LNKTYPE)),
        "device": tarball({BIN: program, f"{NAME}/dev": ("", 0o644)}, change=kind(tarfile.CHRTYPE)),
        "fifo": tarball({BIN: program, f"{NAME}/fifo": ("", 0o644)}, change=kind(tarfile.FIFOTYPE)),
        "setuid": tarball({BIN: program}, change=setuid),
        "truncated": Packed(whole[: len(whole) // 2]),
        "bomb": tarball({BIN: program, f"{NAME}/zeros": (b"\0" * (512 << 20), 0o644)}),
        "no program": tarball({f"{NAME}/other": program}),
        "no archive": Packed(b"\x1f\x8bnothing of the kind"),
        "zip traversal": zipped({BIN: script(NAME), "../../evil": "x"}),
    }
    with Server({f"/{name.replace(' ', '-')}": packed for name, packed in hostile.items()}) as server:
        for name, packed in hostile.items():
            folder = bundle(place, NAME, of(server, packed, path=f"/{name.replace(' ', '-')}"))
            refused(t, place, folder, name, "download")
        server.files["/good"] = whole
        folder = bundle(place, NAME, of(server, whole, path="/good"))
        t.check("the next try works", place.add(folder).ran)
    outside = [path for path in (place.root.parent / "evil", place.home / "evil") if path.exists()]
    t.same("nothing lies outside", outside, [])


def archives_of_every_kind(t):
    program = {BIN: (script(NAME), 0o755)}
    kinds = {
        "tar": tarball(program, ""),
        "tar.gz": tarball(program, "gz"),
        "tar.xz": tarball(program, "xz"),
        "zip": zipped({BIN: script(NAME)}),
    }
    with Server({f"/file.{name}": packed for name, packed in kinds.items()}) as server:
        for name, packed in kinds.items():
            place = Place(t)
            answer = place.add(bundle(place, NAME, of(server, packed, path=f"/file.{name}")))
            t.check(f"{name}: added", answer.ran, answer)
            t.check(f"{name}: answers", place.call(f"{NAME} show").ran)


def a_download_goes_on_where_it_was_cut_off(t):
    place, packed = Place(t), good()

    class Cut(Exception):
        """Ends a connection."""

    def cut(at):
        if at > 400_000 and not server.ranges:
            raise OSError("cut off")

    with Server({"/file.tar.gz": packed}, pause=cut) as server:
        folder = bundle(place, NAME, of(server, packed))
        answer = place.add(folder)
        if not answer.ran:
            answer = place.add(folder)
        t.check("added in the end", answer.ran, answer)
        t.check("the rest was asked for", any(not wanted.startswith("bytes=0-") for wanted in server.ranges), server.ranges)


def without_a_hash_nobody_is_there_to_say_yes(t):
    place, packed = Place(t), good()
    with Server({"/file.tar.gz": packed}) as server:
        install = of(server, packed)
        del install["verify_sha256"]
        folder = bundle(place, NAME, install)
        answer = place.add(folder)
        t.check("refused", not answer.ran and "https" in str(answer), answer)
        # Without a hash the address must at least be one that cannot be tampered with on the way.
        install["url"] = install["url"].replace("http:", "https:")
        folder = bundle(place, NAME, install)
        answer = place.add(folder)
        t.same("nobody said yes", answer.code, "INSTALL_FAILED")
        t.check("says how one says yes", "--unverified" in str(answer), answer)
        t.same("nothing was fetched", server.whole, 0)


def eight_at_once_install_once(t):
    place, packed = Place(t), good()
    with Server({"/file.tar.gz": packed}) as server:
        folder = bundle(place, NAME, of(server, packed))
        children = [place.start("add", "--json", "--yes", folder) for _ in range(8)]
        answers = [ended(child) for child in children]
        for answer in answers:
            t.check("ready", answer.ran and answer.data.get("inRange") is True, answer)
        t.same("one program", len({answer.data.get("program") for answer in answers}), 1)
        t.same("downloaded once", server.whole, 1)
        t.check("answers", place.call(f"{NAME} show").ran)


CASES = [
    a_wrong_hash_stops_everything,
    hostile_archives_leave_nothing,
    archives_of_every_kind,
    a_download_goes_on_where_it_was_cut_off,
    without_a_hash_nobody_is_there_to_say_yes,
    eight_at_once_install_once,
]
