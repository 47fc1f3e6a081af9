#!/usr/bin/env python3
"""Searches with many clients while others sync, and holds what is left against an index that was filled in peace.

Usage: load.py --programs FOLDER [--backend FOLDER] [--seconds 60] [--searching 32] [--syncing 4] TREE

Each syncing client has a work tree and a repository of its own, a part of TREE. It changes a tenth of its files, takes
the changes back, and syncs each time. At the end every tree is synced once more, and each repository's rows of views,
files, blobs and chunks are compared with those of a second backend that saw only the last state.
"""

import argparse
import http.client
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from running import Backend

QUESTIONS = ["where is the timer driver woken", "read lines from a buffered reader", "spawn a blocking task",
             "close the channel when all senders are gone", "shutdown of the runtime", "acquire a permit of a semaphore",
             "poll the next item of a stream", "accept a connection", "write all of a buffer", "cancel a token"]


def workspace(source, folder, number, of):
    tree = folder / f"part{number}"
    files = subprocess.run(["git", "-C", source, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    for at, path in enumerate(sorted(one for one in files.split("\0") if one)):
        if at % of == number and (source / path).is_file():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, tree / path)
    for command in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", tree, *command], check=True)
    return tree


class Load:
    def __init__(self, backend, seconds):
        self.backend, self.until = backend, time.monotonic() + seconds
        self.lock, self.times, self.errors, self.synced = threading.Lock(), [], [], []

    def search(self, seed):
        chance, connection = random.Random(seed), self.backend.connection()
        while time.monotonic() < self.until:
            begin = time.monotonic()
            try:
                status, answer = connection.post("search", {"query": chance.choice(QUESTIONS), "limit": 10})
                error = None if status == 200 else f"search {status}: {answer}"
            except (OSError, ValueError, http.client.HTTPException) as caught:
                connection.close()
                error = f"search: {caught!r}"
            with self.lock:
                self.times.append(time.monotonic() - begin)
                if error:
                    self.errors.append(error)

    def sync(self, tree, seed):
        chance = random.Random(seed)
        files = sorted(one for one in tree.rglob("*") if one.is_file() and ".git" not in one.parts)
        while time.monotonic() < self.until:
            kept = {one: one.read_bytes() for one in chance.sample(files, max(1, len(files) // 10))}
            for number, (one, content) in enumerate(kept.items()):
                one.write_bytes(content + f"\n// {chance.random()} {number}\n".encode())
            self._sync_once(tree)
            for one, content in kept.items():
                one.write_bytes(content)
            self._sync_once(tree)

    def _sync_once(self, tree):
        begin = time.monotonic()
        try:
            self.backend.sync(tree)
        except SystemExit as refused:
            self.errors.append(str(refused))
        self.synced.append(time.monotonic() - begin)


def shown(backend):
    """What every repository shows, without ids, as the answers of one search tell no more than a few of them.

    The tables are read with the programs' own engine: `ctxhost-index` writes a kind of table that older ones refuse,
    so only ordinary tables are named here.
    """
    import sqlite3

    with sqlite3.connect(f"file:{backend.database}?mode=ro", uri=True) as database:
        return sorted(database.execute(
            "SELECT v.repo, f.path, b.hash, b.complete, b.expected, t.symbol, t.content, c.lang, c.line_start, c.line_end"
            " FROM view v JOIN file f ON f.view = v.id JOIN blob b ON b.id = f.shown"
            " LEFT JOIN chunk c ON c.blob = b.id LEFT JOIN text t ON t.id = c.text"), key=repr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--backend", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--searching", type=int, default=32)
    parser.add_argument("--syncing", type=int, default=4)
    parser.add_argument("tree", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ctxhost-load-") as folder:
        trees = [workspace(arguments.tree, Path(folder), number, arguments.syncing) for number in range(arguments.syncing)]
        with Backend(arguments.backend or arguments.programs, arguments.programs) as backend:
            for tree in trees:
                backend.sync(tree)
            load = Load(backend, arguments.seconds)
            threads = [threading.Thread(target=load.search, args=(seed,)) for seed in range(arguments.searching)]
            threads += [threading.Thread(target=load.sync, args=(tree, 100 + at)) for at, tree in enumerate(trees)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for tree in trees:
                backend.sync(tree)
            rows = shown(backend)
        with Backend(arguments.backend or arguments.programs, arguments.programs) as clean:
            for tree in trees:
                clean.sync(tree)
            expected = shown(clean)
    cuts = statistics.quantiles(load.times, n=100)
    print(f"{len(load.times)} searches, p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms; "
          f"{len(load.synced)} syncs, median {statistics.median(load.synced) * 1000:.0f} ms; {len(load.errors)} errors")
    print(f"{len(rows)} rows, {len(expected)} in a clean index, {'the same' if rows == expected else 'NOT the same'}")
    for error in load.errors[:5]:
        print(error)
    sys.exit(1 if load.errors or rows != expected else 0)


if __name__ == "__main__":
    main()
