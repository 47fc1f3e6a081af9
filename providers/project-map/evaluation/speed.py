#!/usr/bin/env python3
"""Time and memory of whole processes beside universal-ctags, over equal file sets, in one run.

usage: speed.py PROGRAM CLONE [CLONE...] [--before PROGRAM] [--rounds N]

PROGRAM is `target/release/ctxhost`; `ctags` is on the path.  Each CLONE is copied.  A tree of its own has those of its files
alone that ctags knows a language for and that git tracks, so that both sides read the same ones: `ctags -R` and `init` run
there.  What follows a tree that is mapped (`patch` of one file, `context`, `validate`) runs in the whole copy.  Programs take
turns, and the median of N rounds counts; the minimum tells what is left on a machine that does other things too, and so does
CPU time.  `--before` names an older build, which takes turns with PROGRAM in a copy of its own.
"""
import argparse, os, shutil, statistics, subprocess, sys, tempfile
from clones import Clone, artifacts, run

# What the issue asks for: how many times the time of ctags, milliseconds, or megabytes.
AIMS = {"init, cold": 6.0, "init, warm": 1.0}
LIMITS = {"patch of one file": 20, "context": 30, "validate, unchanged": 200}
ALL, MEMORY = "init, cold, all files, once", 150
ADDED = {".rs": "\npub fn speed_%d() {}\n", ".py": "\n\ndef speed_%d():\n    pass\n"}
OTHER = "\nexport function speed_%d() {}\n"


def known(clone):
    """The tracked files that ctags has a language for."""
    names = [name for name in clone.files() if os.path.isfile(os.path.join(clone.path, name)) and not os.path.islink(os.path.join(clone.path, name))]
    listed = subprocess.run(["ctags", "--print-language", "-L", "-"], cwd=clone.path, input="\n".join(names), capture_output=True, text=True, check=True)
    lines = [line.rsplit(": ", 1) for line in listed.stdout.splitlines()]
    return [name for name, language in lines if language != "NONE"]


def tree_of(clone, names):
    """A repository of these files alone."""
    tree = os.path.join(clone.above, "equal", clone.name)
    for name in names:
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        shutil.copy2(os.path.join(clone.path, name), os.path.join(tree, name))
    subprocess.run(["git", "init", "-q", tree], check=True, env=clone.environment())
    return tree


def bare(tree):
    """Takes all maps out of a tree."""
    for place in artifacts(tree):
        os.remove(os.path.join(tree, place))


def must(ran, exits=(0,)):
    if ran.exit not in exits:
        sys.exit(f"speed: ended with {ran.exit}: {ran.out[-600:]}")
    return ran.seconds, ran.cpu, ran.megabytes


class Measured:
    """A program in a copy of a clone, and what each of its rounds took."""

    def __init__(self, clone):
        self.clone, self.names = clone, known(clone)
        self.tree = tree_of(clone, self.names)
        self.cache = os.path.join(clone.above, "other-cache")
        self.rows = {name: [] for name in ["ctags -R", *AIMS, ALL, *LIMITS, "host alone: list"]}
        self.add(ALL, clone.map("init"))
        # By a path that is in the list of what is mapped, in the middle of it.
        files = [name for name in self.names if os.path.splitext(name)[1] in (*ADDED, ".js", ".ts")]
        self.file = files[len(files) // 2]

    def add(self, what, ran, exits=(0,)):
        self.rows[what].append(must(ran, exits))

    def round(self, turn):
        clone, tree = self.clone, self.tree
        self.add("ctags -R", run(["ctags", "-R", "-f", os.path.join(clone.above, "tags"), "."], tree, clone.environment()))
        shutil.rmtree(self.cache, ignore_errors=True)
        bare(tree)
        self.add("init, cold", clone.map("init", cwd=tree, cache=self.cache))
        bare(tree)
        self.add("init, warm", clone.map("init", cwd=tree, cache=self.cache))
        with open(os.path.join(clone.path, self.file), "a") as to:
            to.write(ADDED.get(os.path.splitext(self.file)[1], OTHER) % turn)
        self.add("patch of one file", clone.map("patch", self.file))
        self.add("context", clone.map("context", "where are the settings read"), (0, 3))
        # The first look after a change reads what changed.
        must(clone.map("validate"))
        self.add("validate, unchanged", clone.map("validate"))
        self.add("host alone: list", clone.host("list"))

    def table(self):
        median = {what: [statistics.median(row[at] for row in rows) for at in (0, 1)] for what, rows in self.rows.items()}
        base, work = median["ctags -R"]
        print("| what | ms, least | ms | to ctags | aim | CPU ms | to ctags | peak MB |\n|---|---|---|---|---|---|---|---|")
        for what, rows in self.rows.items():
            (seconds, cpu), least, megabytes = median[what], min(row[0] for row in rows), max(row[2] for row in rows)
            aim = f"{AIMS[what]:.0f} times ctags" if what in AIMS else f"{LIMITS[what]} ms" if what in LIMITS else ""
            aim += f"{MEMORY} MB" if what == ALL else ""
            ratios = (f"{seconds / base:.2f}", f"{cpu / work:.2f}") if what in ("ctags -R", *AIMS) else ("", "")
            print(f"| {what} | {least * 1000:.0f} | {seconds * 1000:.0f} | {ratios[0]} | {aim} | {cpu * 1000:.0f} | {ratios[1]} | {megabytes:.0f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("clones", nargs="+")
    arguments.add_argument("--before")
    arguments.add_argument("--rounds", type=int, default=5)
    chosen = arguments.parse_args()
    if not shutil.which("ctags"):
        sys.exit("speed: `ctags` is not on the path")
    programs = {"now": chosen.program, **({"before": chosen.before} if chosen.before else {})}
    for source in chosen.clones:
        with tempfile.TemporaryDirectory() as above:
            measured = {name: Measured(Clone(source, program, os.path.join(above, name))) for name, program in programs.items()}
            for turn in range(chosen.rounds):
                for one in measured.values():
                    one.round(turn)
            for name, one in measured.items():
                print(f"\n### {one.clone.name}, {name}: {len(one.names)} files that both know, {len(one.clone.files())} in all, {chosen.rounds} rounds\n")
                one.table()


main()
