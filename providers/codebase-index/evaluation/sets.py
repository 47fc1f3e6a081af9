#!/usr/bin/env python3
"""Makes a set of questions from a repository: the first sentence of a doc comment asks for its function.

Usage: sets.py --out FOLDER NAME=CLONE...

`FOLDER/NAME/NAME` is the repository's code, without tests and all comments, on the same lines; a git repository.
`FOLDER/NAME/set.json` has all functions, the questions, and names and paths that are there once.
"""

import argparse
import json
import random
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

import functions

QUESTIONS, NAMES, PATHS = 300, 200, 100
TESTS = {"test", "tests", "testing", "testdata", "__tests__", "benches", "bench", "benchmark", "benchmarks", "fuzz",
         "examples", "example", "docs", "docs_src", "vendor", "node_modules", "stress-test", "tests-build",
         "tests-integration", "playground", "dts-test", "packages-private", "extra", "scripts"}


def is_test(path):
    parts = PurePosixPath(path).parts
    name = parts[-1]
    return any(part in TESTS for part in parts[:-1]) or re.search(
        r"(^|[._-])(test|tests|spec|bench)([._]|$)|^test_|_test\.|^conftest\.py$|\.d\.ts$", name) is not None


def build(name, clone, out, seed):
    tree = out / name / name
    shutil.rmtree(out / name, ignore_errors=True)
    tree.mkdir(parents=True)
    everything, unread = [], []
    for path in sorted(_tracked(clone)):
        language = functions.LANGUAGES.get(PurePosixPath(path).suffix)
        source = clone / path
        if language is None or is_test(path) or source.is_symlink() or not source.is_file():
            continue
        text = source.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        try:
            code, found = functions.read(path, text, language)
        except SyntaxError:
            unread.append(path)
            continue
        assert code.count("\n") == text.count("\n"), path
        if code.strip():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(code, encoding="utf-8")
        everything += found
    _commit(tree)
    drawn = _draw(everything, tree, seed)
    drawn["commit"] = _git(clone, "rev-parse", "HEAD").strip()
    (out / name / "set.json").write_text(json.dumps(drawn, indent=1), encoding="utf-8")
    print(f"{name}: {len(list(_tracked(tree)))} files, {len(everything)} functions, {drawn['asked']} with a sentence, "
          f"{len(drawn['questions'])} questions, {len(drawn['names'])} names, {len(drawn['paths'])} paths, "
          f"not read: {unread}")


def _draw(everything, tree, seed):
    sentences = defaultdict(list)
    for at, one in enumerate(everything):
        text = functions.sentence(one.doc, one.name)
        if 5 <= len(text.split()) <= 30:
            sentences[text].append(at)
    chance = random.Random(seed)
    # Where one sentence documents several functions, each of them is right.
    asked = [{"query": text, "right": right} for text, right in sorted(sentences.items())]
    questions = chance.sample(asked, min(QUESTIONS, len(asked)))
    counts = Counter(one.name for one in everything)
    text = "\n".join((tree / path).read_text(encoding="utf-8") for path in _tracked(tree))
    others = set(re.findall(
        r"\b(?:struct|enum|union|trait|mod|type|class|interface|namespace|const|static|let|var|macro_rules!)\s+(?:mut\s+)?([\w$]+)", text))
    once = [at for at, one in enumerate(everything) if counts[one.name] == 1 and one.name not in others and len(one.name) > 2]
    names = [{"query": everything[at].name, "right": [at]} for at in chance.sample(once, min(NAMES, len(once)))]
    paths = list(_tracked(tree))
    paths = chance.sample(paths, min(PATHS, len(paths)))
    listed = [{"path": one.path, "name": one.name, "first": one.first, "last": one.last} for one in everything]
    return {"functions": listed, "asked": len(asked), "questions": questions, "names": names, "paths": paths}


def _git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True).stdout


def _tracked(folder):
    return [path for path in _git(folder, "ls-files", "-z").split("\0") if path]


def _commit(tree):
    _git(tree, "init", "-q")
    _git(tree, "add", "-A", "-f")
    _git(tree, "-c", "user.name=set", "-c", "user.email=set@example.org", "commit", "-q", "-m", "without comments")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("repositories", nargs="+", metavar="NAME=CLONE")
    arguments = parser.parse_args()
    for one in arguments.repositories:
        name, _, clone = one.partition("=")
        build(name, Path(clone), arguments.out, arguments.seed)


if __name__ == "__main__":
    main()
