#!/usr/bin/env python3
"""One table of retrieval quality: ours, a BM25 floor, and the figures recorded of the npm package.

usage: compare.py --rank BINARY --grammars FOLDER --floor BM25_EVAL NAME=GIT_DIR,ROWS,EXT[+EXT...] ...

BINARY is the example `rank` of this crate, BM25_EVAL the floor's script (`SCRIPT GIT_DIR ROWS EXTS OUT`). README.md
says what is measured. Needs nothing but Python.
"""
import argparse, json, os, random, subprocess, sys, tempfile

# Of @jtregunna/pi-lot 0.4.0, with grammars compiled locally, files in the order of its snippets. On the development
# rows only the mean of the three repositories was recorded for files; all files: over all rows, development half and other.
RECORDED = [("npm package, recorded", {"non-test": .554, "all (all rows)": .375, "symbols": .237})]
SAMPLES = 2000


def rows_of(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def gold(row, keep):
    return {file["path"] for file in row["files"] if keep(file)}


def is_hard(row):
    return not row["names_file"] and not row["names_symbol"]


def recall(wanted, found):
    return len(wanted & set(found)) / len(wanted)


def reciprocal(wanted, found):
    return next((1 / (at + 1) for at, path in enumerate(found) if path in wanted), 0.0)


def figures(rows, ranked, symbols):
    """Gives the values of each measure, one for each row that it applies to."""
    values = {"non-test": [], "all": [], "hard": [], "MRR": [], "MRR all": [], "symbols": []}
    for row in rows:
        answer = ranked.get(row["id"], {"files": []})
        others, every = gold(row, lambda file: not file["test"]), gold(row, lambda file: True)
        if others:
            values["non-test"].append(recall(others, answer["files"][:10]))
            values["MRR"].append(reciprocal(others, answer["files"]))
            if is_hard(row):
                values["hard"].append(values["non-test"][-1])
        values["all"].append(recall(every, answer["files"][:10]))
        values["MRR all"].append(reciprocal(every, answer["files"]))
        wanted = {(file["path"], symbol["line"]) for file in row["files"] if not file["test"] for symbol in file["symbols"]}
        if wanted and symbols in answer:
            found = [(symbol["file"], symbol["line"]) for symbol in answer[symbols][:30]]
            values["symbols"].append(recall(wanted, found))
    return values


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def interval(lists):
    """Gives the bootstrap interval (95 %) of the mean of the repositories' means."""
    lists, draw = [values for values in lists if values], random.Random(1)
    if not lists:
        return None
    means = sorted(mean([mean(draw.choices(values, k=len(values))) for values in lists]) for _ in range(SAMPLES))
    return means[SAMPLES * 25 // 1000], means[SAMPLES * 975 // 1000]


def run(command):
    subprocess.run([str(part) for part in command], check=True, stdout=sys.stderr)


def ranked_by(command, folder, name):
    out = os.path.join(folder, name)
    run(command(out))
    return {row["id"]: row for row in rows_of(out)}


COLUMNS = ["non-test", "all", "hard", "MRR", "MRR all", "symbols"]


def print_table(names, all_figures):
    """Prints the mean of the repositories with its interval, then each repository."""
    print("| ranking | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|")
    for label, by_name in all_figures:
        cells = []
        for column in COLUMNS:
            lists = [by_name[name][column] for name in names]
            bounds = interval(lists)
            cells.append(f"{mean([mean(v) for v in lists if v]):.3f} ({bounds[0]:.2f}-{bounds[1]:.2f})" if bounds else "-")
        print(f"| **{label}** | " + " | ".join(cells) + " |")
        for name in names:
            values = by_name[name]
            cells = [f"{mean(values[column]):.3f}" if values[column] else "-" for column in COLUMNS]
            print(f"| {label}: {name} | " + " | ".join(cells) + " |")
    for label, known in RECORDED:
        cells = [f"{known[column]:.3f}" if column in known else "-" for column in COLUMNS]
        cells[1] = f"{known['all (all rows)']:.3f} (all rows)"
        print(f"| {label} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", required=True)
    parser.add_argument("--grammars", required=True)
    parser.add_argument("--floor", required=True)
    parser.add_argument("repositories", nargs="+")
    arguments = parser.parse_args()
    ours, floor, names, times = {}, {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        for repository in arguments.repositories:
            name, rest = repository.split("=", 1)
            git, rows_file, extensions = rest.split(",")
            extensions, rows = extensions.replace("+", ","), rows_of(rows_file)
            mine = ranked_by(
                lambda out: [arguments.rank, git, rows_file, extensions, out, arguments.grammars], folder, f"{name}.ours")
            plain = ranked_by(
                lambda out: [sys.executable, arguments.floor, git, rows_file, extensions, out], folder, f"{name}.floor")
            for row in mine.values():
                times.append(row["ms"])
                plain.setdefault(row["id"], {"files": []})["floor_syms"] = row["floor_syms"]
            names.append(name)
            ours[name], floor[name] = figures(rows, mine, "syms"), figures(rows, plain, "floor_syms")
    print_table(names, [("ours", ours), ("BM25 floor", floor)])
    times.sort()
    print(f"\nms a question: median {times[len(times) // 2]}, 95 of 100 {times[len(times) * 95 // 100]}, most {times[-1]}")


main()
