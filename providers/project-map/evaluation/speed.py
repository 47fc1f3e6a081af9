#!/usr/bin/env python3
"""Time and memory of whole processes beside universal-ctags, over equal file sets, in one run.

usage: speed.py PROGRAM CLONE [CLONE...] [--rounds N]

PROGRAM is `target/release/ctxhost`; `ctags` is on the path.  Each CLONE is copied.  A tree of its own has those of its files
alone that ctags knows a language for and that git tracks, so that both sides read the same ones: `ctags -R` and `init` run
there.  What follows a tree that is mapped (`patch` of one file, `context`, `validate`) runs in the whole copy.  Programs take
turns, and the median of N rounds counts.  CPU time is what is left of it on a machine that does other things too.
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


def measure(clone, rounds):
    names = known(clone)
    tree = tree_of(clone, names)
    found = {name: [] for name in ["ctags -R", *AIMS, ALL, *LIMITS, "host alone: list"]}
    cache = os.path.join(clone.above, "other-cache")
    found[ALL].append(must(clone.map("init")))
    # By a path that is in the list of what is mapped, in the middle of it.
    file = [name for name in names if os.path.splitext(name)[1] in (*ADDED, ".js", ".ts")]
    file = file[len(file) // 2]
    for turn in range(rounds):
        found["ctags -R"].append(must(run(["ctags", "-R", "-f", os.path.join(clone.above, "tags"), "."], tree, clone.environment())))
        shutil.rmtree(cache, ignore_errors=True)
        bare(tree)
        found["init, cold"].append(must(clone.map("init", cwd=tree, cache=cache)))
        bare(tree)
        found["init, warm"].append(must(clone.map("init", cwd=tree, cache=cache)))
        with open(os.path.join(clone.path, file), "a") as to:
            to.write(ADDED.get(os.path.splitext(file)[1], OTHER) % turn)
        found["patch of one file"].append(must(clone.map("patch", file)))
        found["context"].append(must(clone.map("context", "where are the settings read"), (0, 3)))
        # The first look after a change reads what changed.
        must(clone.map("validate"))
        found["validate, unchanged"].append(must(clone.map("validate")))
        found["host alone: list"].append(must(clone.host("list")))
    return len(names), len(clone.files()), {name: (statistics.median(s for s, _, _ in rows), statistics.median(c for _, c, _ in rows), max(m for _, _, m in rows)) for name, rows in found.items()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("clones", nargs="+")
    arguments.add_argument("--rounds", type=int, default=5)
    chosen = arguments.parse_args()
    if not shutil.which("ctags"):
        sys.exit("speed: `ctags` is not on the path")
    for source in chosen.clones:
        with tempfile.TemporaryDirectory() as above:
            equal, all, found = measure(Clone(source, chosen.program, above), chosen.rounds)
        base, work, _ = found["ctags -R"]
        name = os.path.basename(os.path.abspath(source))
        print(f"\n### {name}: {equal} files that both know, {all} in all, {chosen.rounds} rounds\n")
        print("| what | ms | to ctags | aim | CPU ms | to ctags | peak MB |\n|---|---|---|---|---|---|---|")
        for what, (seconds, cpu, megabytes) in found.items():
            aim = f"{AIMS[what]:.0f} times ctags" if what in AIMS else f"{LIMITS[what]} ms" if what in LIMITS else ""
            aim += f"{MEMORY} MB" if what == ALL else ""
            ratios = (f"{seconds / base:.2f}", f"{cpu / work:.2f}") if what in ("ctags -R", *AIMS) else ("", "")
            print(f"| {what} | {seconds * 1000:.0f} | {ratios[0]} | {aim} | {cpu * 1000:.0f} | {ratios[1]} | {megabytes:.0f} |", flush=True)


main()
