#!/usr/bin/env python3
"""The share of questions that are answered in the first five files: ours, and plain `rg` by number of hits.

usage: golden.py --ctxhost BINARY [--init] [--misses] [--home FOLDER] NAME=CLONE ...

NAME is the first column of golden.tsv, CLONE a clone of that repository. README.md says what is measured. Needs Python,
ripgrep, and nothing else.
"""
import argparse, json, os, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = 5

# What a person would not type into a search: the words of English that no question can do without.
STOP = set("""a about all an and any are as at be because before but by can could did do does done for from had has have how i
if in into is it its may me my no not of on one only or other our out over said so some such than that the their them then
there these they this those to too under until up use was way we were what when where which while who why will with without
would you your""".split())


def questions(names):
    with open(os.path.join(HERE, "golden.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    return [(repository, query, answers.split(",")) for repository, query, answers in rows if repository in names]


def kind(query):
    """Of what kind a question is, by its form alone."""
    words = query.split()
    if len(words) <= 2 and any(mark in query for mark in "/.") or len(words) == 2:
        return "path"
    if len(words) == 1 or re.search(r"defined\?$", query):
        return "name"
    return "words"


def environment(home):
    keep = {"PATH": os.environ["PATH"], "HOME": home}
    return keep | {f"XDG_{which}_HOME": os.path.join(home, which.lower()) for which in ("CACHE", "STATE", "CONFIG", "DATA")}


def ctxhost(binary, clone, home, args):
    command = [binary, "run", "project-map", *args]
    return subprocess.run(command, cwd=clone, env=environment(home), capture_output=True, text=True, check=False)


def ours(binary, clone, home, query):
    start = time.monotonic()
    done = ctxhost(binary, clone, home, ["context", "--json", query])
    took = time.monotonic() - start
    if done.returncode not in (0, 3):
        sys.exit(f"{query!r}: exit {done.returncode}: {done.stderr}{done.stdout}")
    document = json.loads(done.stdout)["data"]
    return [file["path"] for file in document["files"]], took, document["tokens"]


def plain(clone, query):
    """Files by the number of hits of the question's words."""
    words = [word for word in re.findall(r"[^\W_][\w$]*|[_$]\w+", query) if len(word) >= 3 and word.lower() not in STOP]
    if not words:
        return []
    pattern = "|".join(re.escape(word) for word in words)
    # `-il` says which; how often, `--count-matches` does.
    done = subprocess.run(
        ["rg", "-i", "--count-matches", "--hidden", "-g", "!.git", "--no-messages", "-e", pattern, "."],
        cwd=clone, capture_output=True, text=True, check=False)
    counted = [line.rpartition(":") for line in done.stdout.splitlines()]
    ranked = sorted(((-int(count), path.removeprefix("./")) for path, _, count in counted))
    return [path for _, path in ranked]


def place(answers, files):
    return next((at for at, path in enumerate(files, 1) if path in answers), None)


def row(title, places):
    if not places:
        return
    def figures(which):
        at = [pair[which] for pair in places]
        share = sum(1 for place in at if place and place <= FIRST) / len(at)
        return f"{share:.2f} | {sum(1 / place for place in at if place) / len(at):.2f}"
    print(f"| {title} | {len(places)} | {figures(0)} | {figures(1)} |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--ctxhost", required=True)
    arguments.add_argument("--init", action="store_true", help="make the maps first")
    arguments.add_argument("--misses", action="store_true", help="list what is not among the first five")
    arguments.add_argument("--home", help="keeps the cache here, not in a folder for this run alone")
    arguments.add_argument("clones", nargs="+")
    options = arguments.parse_args()
    clones = dict(clone.split("=", 1) for clone in options.clones)
    home = options.home or tempfile.mkdtemp()
    if options.init or not options.home:
        for clone in clones.values():
            done = ctxhost(options.ctxhost, clone, home, ["init"])
            print(done.stdout.strip() or done.stderr.strip(), file=sys.stderr)
    results, times, sizes = [], [], []
    for repository, query, answers in questions(clones):
        clone = clones[repository]
        found, took, tokens = ours(options.ctxhost, clone, home, query)
        times.append(took)
        sizes.append(tokens)
        places = (place(answers, found), place(answers, plain(clone, query)))
        results.append((repository, kind(query), places))
        if options.misses and (not places[0] or places[0] > FIRST):
            print(f"{repository}: {query}\n  wants {', '.join(answers)} at {places[0]} (rg {places[1]})", file=sys.stderr)
            print("".join(f"    {path}\n" for path in found[:FIRST]), file=sys.stderr)
    print(f"| questions | number | ours: first {FIRST} | ours: MRR | rg: first {FIRST} | rg: MRR |\n|---|---|---|---|---|---|")
    for repository in clones:
        mine = [result for result in results if result[0] == repository]
        row(repository, [result[2] for result in mine])
        for which in ("words", "name", "path"):
            row(f"{repository}: {which}", [result[2] for result in mine if result[1] == which])
    row("all", [result[2] for result in results])
    times.sort()
    print(f"\nEach question takes {1000 * times[len(times) // 2]:.0f} ms as a whole process (median; at most "
          f"{1000 * times[-1]:.0f} ms), and the largest bundle {max(sizes)} tokens.")


if __name__ == "__main__":
    main()
