#!/usr/bin/env python3
"""Measures how well a backend finds the functions of sets that `sets.py` made, beside plain BM25 and plain `rg`.

Usage: measure.py --programs FOLDER --sets FOLDER [--misses] [--only-ours] NAME...

`--programs` holds `ctxhost`, `ctxhost-index`, `libcodebase_index.so` and `libctxhost_grammars.so`; `--backend` may name
another folder for `ctxhost-index`.
"""

import argparse
import json
import math
import random
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from running import Backend

DEPTH = 10
RESAMPLES = 2000
K1, B = 1.2, 0.75


class Repository:
    def __init__(self, sets, name):
        self.name, self.tree = name, sets / name / name
        for key, value in json.loads((sets / name / "set.json").read_text(encoding="utf-8")).items():
            setattr(self, key, value)
        self.lines = defaultdict(list)
        for path in {one["path"] for one in self.functions}:
            self.lines[path] = (self.tree / path).read_text(encoding="utf-8").split("\n")

    def text(self, function):
        return "\n".join(self.lines[function["path"]][function["first"] - 1 : function["last"]])

    def is_right(self, hit, right):
        """Whether most of a hit's lines that are not blank are the function's: the same rule for every ranking."""
        path, first, last = hit
        lines = self.lines.get(path)
        if lines is None:
            return False
        full = [line for line in range(first, min(last, len(lines)) + 1) if lines[line - 1].strip()]
        for at in right:
            function = self.functions[at]
            inside = [line for line in full if function["first"] <= line <= function["last"]]
            if path == function["path"] and 2 * len(inside) > len(full):
                return True
        return False


def words(text):
    return re.findall(r"\w+", text.lower())


class Bm25:
    """Whole functions, plain words in lower case."""

    def __init__(self, repository):
        self.repository = repository
        counted = [Counter(words(repository.text(one))) for one in repository.functions]
        self.lengths = [sum(one.values()) for one in counted]
        self.average = sum(self.lengths) / len(self.lengths)
        self.postings = defaultdict(list)
        for at, counts in enumerate(counted):
            for word, count in counts.items():
                self.postings[word].append((at, count))

    def search(self, query):
        scores, total = defaultdict(float), len(self.lengths)
        for word in sorted(set(words(query))):
            found = self.postings.get(word, [])
            weight = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            for at, count in found:
                norm = K1 * (1 - B + B * self.lengths[at] / self.average)
                scores[at] += weight * count * (K1 + 1) / (count + norm)
        best = sorted(scores, key=lambda at: (-scores[at], at))[:DEPTH]
        return [_place(self.repository.functions[at]) for at in best]


class Ripgrep:
    """`rg -i` for each word over one file for each function: most words first, then most hits."""

    def __init__(self, repository):
        self.repository, self.counts = repository, {}
        self.folder = tempfile.TemporaryDirectory(prefix="ctxhost-evaluation-rg-")
        for at, one in enumerate(repository.functions):
            Path(self.folder.name, str(at)).write_text(repository.text(one), encoding="utf-8")

    def search(self, query):
        matching, hits = Counter(), Counter()
        for word in set(words(query)):
            for at, count in self._count(word).items():
                matching[at] += 1
                hits[at] += count
        best = sorted(matching, key=lambda at: (-matching[at], -hits[at], at))[:DEPTH]
        return [_place(self.repository.functions[at]) for at in best]

    def _count(self, word):
        if word not in self.counts:
            found = subprocess.run(["rg", "-iF", "--no-ignore", "--count-matches", "--no-heading", "--", word, self.folder.name],
                                   capture_output=True, text=True, check=False).stdout
            rows = (line.rpartition(":") for line in found.splitlines())
            self.counts[word] = {int(Path(file).name): int(count) for file, _, count in rows}
        return self.counts[word]


class Ours:
    """The backend over HTTP."""

    def __init__(self, connection):
        self.connection = connection

    def search(self, query):
        return [(hit["path"], hit.get("lineStart", 0), hit.get("lineEnd", 0)) for hit in self.connection.search(query, DEPTH)]


def _place(function):
    return function["path"], function["first"], function["last"]


def ranks(repository, ranking, questions):
    """For each question the place of the first right hit, from 1; 0 when there is none."""
    found = []
    for question in questions:
        hits = ranking.search(question["query"])[:DEPTH]
        found.append(next((at for at, hit in enumerate(hits, 1) if repository.is_right(hit, question["right"])), 0))
    return found


def reciprocal(rank):
    return 1 / rank if rank else 0.0


def mean(values):
    return sum(values) / len(values) if values else 0.0


def resampled(groups, figure):
    """The interval of 95 % of a figure when the questions of each repository are drawn again."""
    chance, figures = random.Random(7), []
    for _ in range(RESAMPLES):
        drawn = [chance.choices(group, k=len(group)) for group in groups]
        figures.append(figure(drawn))
    figures.sort()
    return figures[int(0.025 * RESAMPLES)], figures[int(0.975 * RESAMPLES) - 1]


def pooled(groups, value):
    """Each repository counts the same."""
    return mean([mean([value(row) for row in group]) for group in groups])


def table(groups, names, label):
    for name in names:
        mrr = lambda drawn: pooled(drawn, lambda row: reciprocal(row[name]))
        recall = lambda drawn: pooled(drawn, lambda row: float(row[name] > 0))
        cells = [f"{figure(groups):.3f} ({low:.3f}-{high:.3f})" for figure in (mrr, recall)
                 for low, high in [resampled(groups, figure)]]
        print(f"| {label} | {name} | " + " | ".join(cells) + " |")
    for name in names[1:]:
        ratio = lambda drawn: pooled(drawn, lambda row: reciprocal(row[names[0]])) / max(
            1e-9, pooled(drawn, lambda row: reciprocal(row[name])))
        low, high = resampled(groups, ratio)
        print(f"| {label} | MRR of {names[0]} / {name} | {ratio(groups):.2f} ({low:.2f}-{high:.2f}) | |")


def exact(repository, connection):
    """The names and paths whose first hit is another: it must show the definition's first line, or be of the file."""

    def first(query):
        hits = connection.search(query, 1)
        return (hits[0]["path"], hits[0].get("lineStart", 0), hits[0].get("lineEnd", 0)) if hits else ("", 0, 0)

    def shows(hit, at):
        path, begin, end = hit
        function = repository.functions[at]
        lines = range(function["first"], function["last"] + 1)
        named = next((line for line in lines if function["name"] in repository.lines[function["path"]][line - 1]), lines[0])
        return path == function["path"] and begin <= named <= end

    wrong = [one["query"] for one in repository.names if not shows(first(one["query"]), one["right"][0])]
    lost = [path for path in repository.paths if first(path)[0] != path]
    return wrong, lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--backend", type=Path)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--misses", action="store_true", help="show what was not found")
    parser.add_argument("--only-ours", action="store_true")
    parser.add_argument("names", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    groups, rankings = [], ["ours"] if arguments.only_ours else ["ours", "BM25", "rg"]
    print("| repository | ranking | MRR@10 | R@10 |\n|---|---|---|---|")
    exacts = []
    for name in arguments.names:
        repository = Repository(arguments.sets, name)
        with Backend(arguments.backend or arguments.programs, arguments.programs) as backend:
            synced = backend.sync(repository.tree)
            connection = backend.connection()
            makers = {"ours": lambda: Ours(connection), "BM25": lambda: Bm25(repository), "rg": lambda: Ripgrep(repository)}
            found = {ranking: ranks(repository, makers[ranking](), repository.questions) for ranking in rankings}
            connection.close()
            wrong, lost = exact(repository, connection)
        group = [dict(zip(rankings, row)) for row in zip(*(found[ranking] for ranking in rankings))]
        groups.append(group)
        table([group], rankings, f"{name} ({len(group)})")
        exacts.append(f"{synced}\n{name}: {len(repository.names) - len(wrong)} of {len(repository.names)} names, "
                      f"{len(repository.paths) - len(lost)} of {len(repository.paths)} paths first; wrong: {wrong} {lost}")
        if arguments.misses:
            for question, row in zip(repository.questions, group):
                if row["ours"] != 1:
                    right = repository.functions[question["right"][0]]
                    exacts.append(f"  {row['ours']:2} {question['query']} -> {right['path']} {right['name']}")
    if len(groups) > 1:
        table(groups, rankings, "together")
    print("\n" + "\n".join(exacts))


if __name__ == "__main__":
    main()
