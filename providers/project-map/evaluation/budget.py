#!/usr/bin/env python3
"""Whether what is injected stays within its budget, on real repositories, at windows of every size.

usage: budget.py PROGRAM CLONE [CLONE...]

PROGRAM is `target/release/ctxhost`.  Each CLONE is copied and mapped first.  For each window and prompt it sums the tokens
of all sections, which may be at most 15 % of the window and at most 100,000, and looks for both halves of the root's pair.
Ends with 1 when a budget is exceeded, or when a half is missing that nobody says was left out.
"""
import argparse, json, os, sys, tempfile
from clones import Clone

WINDOWS = [8_000, 32_000, 128_000, 200_000, 1_000_000, None]
CAP = 100_000
SHARE = 0.15


def prompts(clone):
    """In words, by a path, by a name, about everything, long, and about nothing here."""
    path = sorted(clone.files(), key=lambda name: (-name.count("/"), name))[0]
    return [
        "where are the settings read, and what happens when one is missing?",
        f"change {path} so that it says more",
        f"rename {os.path.splitext(os.path.basename(path))[0]} everywhere",
        "explain the architecture of this project and refactor every module of it",
        "implement a feature. " + " ".join(sorted({name.split("/")[-1] for name in clone.files()})[:2_000]),
        "improve it",
    ]


def ask(clone, prompt, window):
    size = [] if window is None else ["--context-window", str(window)]
    ran = clone.host("inject", "--provider", "project-map", "--prompt", prompt, "--format", "json", *size)
    if ran.exit != 0:
        raise SystemExit(f"inject ended with {ran.exit}: {ran.out[-400:]}")
    return json.loads(ran.out)


def measure(clone, window):
    cap = CAP if window is None else min(int(window * SHARE), CAP)
    most, pairs, halves, trouble = 0, 0, set(), []
    for prompt in prompts(clone):
        said = ask(clone, prompt, window)
        tokens = sum(section["tokens"] for section in said["sections"])
        keys = {section["key"] for section in said["sections"]}
        left = {dropped.get("key") for dropped in said["dropped"]}
        most, pairs = max(most, tokens), max(pairs, sum(key.startswith("pair/") for key in keys))
        halves.add(" + ".join(half for half in ("index", "map") if half in keys) or "none")
        if tokens > cap:
            trouble.append(f"{tokens} of {cap} tokens for {prompt[:60]!r}")
        if missing := {"index", "map"} - keys - left:
            trouble.append(f"{sorted(missing)} missing without a word for {prompt[:60]!r}")
        if left:
            halves.add("left out by the host: " + ", ".join(sorted(map(str, left))))
    return cap, most, pairs, halves, trouble


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("clones", nargs="+")
    chosen = arguments.parse_args()
    bad = 0
    print("| clone | window | budget | most tokens | most pairs beside the root's | the root's pair |\n|---|---|---|---|---|---|")
    for source in chosen.clones:
        with tempfile.TemporaryDirectory() as above:
            clone = Clone(source, chosen.program, above)
            clone.map("init")
            for window in WINDOWS:
                cap, most, pairs, halves, trouble = measure(clone, window)
                bad += len(trouble)
                print(f"| {clone.name} | {window or 'unknown'} | {cap} | {most} | {pairs} | {'; '.join(sorted(halves))} |", flush=True)
                for one in trouble:
                    print(f"{clone.name} at {window}: {one}", file=sys.stderr)
    sys.exit(bad > 0)


main()
