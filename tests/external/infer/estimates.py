"""Effects that are estimated, beside what the catalogue knows."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor

# Programs whose own help is read, where they are installed, and how deep: as deep as in real.py, which comes
# before, so that what was learned there is remembered.
PROGRAMS = [
    ("apt", 1),
    ("apt-get", 1),
    ("docker", 2),
    ("gh", 2),
    ("git", 2),
    ("go", 2),
    ("helm", 2),
    ("kubectl", 2),
    ("npm", 1),
    ("pip", 2),
    ("podman", 2),
    ("systemctl", 1),
    ("terraform", 2),
    ("rm", 0),
    ("tar", 0),
    ("cp", 0),
    ("cat", 0),
    ("sort", 0),
]


def the_words_of_the_catalogue(suite):
    """The catalogue's names and descriptions, without its effects."""
    rows = suite.of_catalogue()
    suite.check("there are commands", len(rows) > 1000, str(len(rows)))
    suite.table(rows)


def the_words_of_recorded_help(suite):
    """Help texts as they were recorded, of tools that the catalogue knows."""
    if not (suite.corpus / "dev").is_dir():
        return suite.skip("no recorded help texts beside the project")
    if not suite.infers():
        return suite.skip("argrail does not infer")
    known = suite.known()
    tools = {title.split(" ")[0] for title in known}
    folders = [folder for folder in sorted((suite.corpus / "dev").iterdir()) if folder.name in tools]
    pages = [page for folder in folders for page in sorted(folder.glob("help*.txt"))]

    def read(page):
        sub = page.stem.removeprefix("help").strip("-").replace("-", " ")
        return suite.inferred("--name", page.parent.name, "--sub", sub, "--from-file", str(page))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        learned = [metadata for metadata in pool.map(read, pages) if metadata]
    suite.check("the texts are read", len(learned) == len(pages), f"{len(learned)} of {len(pages)}")
    best = {}
    for row in suite.compare(learned, known):
        # A page of its own comes after the line in its parent's list, and knows more.
        best[row.title] = row
    suite.table(list(best.values()))


def the_words_of_programs_here(suite):
    """What programs of this machine say about themselves."""
    if not suite.infers():
        return suite.skip("argrail does not infer")
    known, learned = suite.known(), []

    def learn(program):
        name, depth = program
        return suite.inferred(name, "--depth", str(depth), "--timeout", "60s") if shutil.which(name) else None

    with ThreadPoolExecutor(2) as pool:
        for (name, _), metadata in zip(PROGRAMS, pool.map(learn, PROGRAMS)):
            if metadata is None:
                suite.skip(f"{name} is not installed, or could not be learned")
            else:
                learned.append(metadata)
    rows = suite.compare(learned, known)
    for metadata in learned:
        name = metadata["name"]
        found = [row for row in rows if row.title.split(" ")[0] == name]
        print(f"        {name}: {len(found)} commands that the catalogue knows, too")
    suite.table(rows)


CASES = [the_words_of_the_catalogue, the_words_of_recorded_help, the_words_of_programs_here]
