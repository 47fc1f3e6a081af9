#!/usr/bin/env python3
"""Time and memory of whole processes, ours beside others' over the same files, in one run.

usage: speed.py PROGRAM YARDSTICK TREE [TREE...] [--rounds N] [--growth N,N,...]

PROGRAM is `target/release/ctxhost`, YARDSTICK is `target/release/examples/yardstick` (it walks, parses and runs the same
symbol queries on as many threads, and keeps nothing).  Each TREE is a folder of sources; every tool sees all of it.
universal-ctags is measured too when `ctags` is on the path.  Programs take turns, and the median of N rounds counts.

With --growth the first N files of the first TREE are indexed for each N, in folders of their own; where the tree has
fewer, it is taken again under another folder's name.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile, threading, time

QUESTION = "where are the default settings read, and what happens when a value is missing?"


def run(command, home, cwd):
    """Seconds, peak memory in MB and standard output of a whole process."""
    environment = {"HOME": home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": home}
    with tempfile.TemporaryFile() as out:
        begun = time.monotonic()
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
        reader.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begun
        reader.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} ended with {process.returncode}: {errors[0].decode()[-2000:]}")
        out.seek(0)
        return seconds, usage.ru_maxrss / 1024, out.read().decode()


class Serve:
    """A warm host, as an agent keeps it."""

    def __init__(self, program, home, cwd):
        environment = {"HOME": home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": home}
        self.process = subprocess.Popen([program, "serve", "--stdio"], cwd=cwd, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.sent, self.session = 0, {"id": "speed", "cwd": cwd}
        self.ask("hello", {"v": 1, "agent": {"name": "speed", "can": ["inject.prompt", "inject.session", "tools"]}})
        self.ask("event", {"event": "session.start", "session": self.session, "data": {"reason": "startup"}})

    def ask(self, method, params):
        self.sent += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.sent:
                return message.get("result") or sys.exit(f"speed: {message}")

    def prompt(self, text):
        begun = time.monotonic()
        self.ask("event", {"event": "prompt", "session": self.session, "data": {"text": text}})
        return time.monotonic() - begun

    def end(self):
        self.process.stdin.close()
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        return usage.ru_maxrss / 1024


def questions(tree, wanted):
    """Prompts out of the tree's own words, so that each has something to find; always the same ones."""
    words, files = [], sorted(os.path.join(d, f) for d, _, fs in os.walk(tree) for f in fs)
    for path in files[:: max(1, len(files) // wanted)]:
        stem = os.path.splitext(os.path.basename(path))[0].replace("_", " ").replace("-", " ")
        if len(stem) > 3:
            words.append(stem)
    return [f"why does {a} fail when {b} is changed?" for a, b in zip(words, words[1:] + words[:1])][:wanted]


def measure(program, yardstick, tree, rounds):
    tree = os.path.abspath(tree)
    names = ["yardstick", "ours: cold, full index", "ours: cold, first answer", "ours: again, answer", "ours: again, no change"]
    if shutil.which("ctags"):
        names.append("universal-ctags")
    found = {name: [] for name in names}
    notes = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as home:
            os.chmod(home, 0o700)
            found["yardstick"].append(run([yardstick, tree], home, tree)[:2])
            inject = [program, "inject", "--provider", "pilot-index", "--prompt", QUESTION, "--format", "json"]
            first = run(inject, home, tree)
            found["ours: cold, first answer"].append(first[:2])
            notes["first answer"] = len(json.loads(first[2])["sections"])
            shutil.rmtree(os.path.join(home, ".cache"), ignore_errors=True)
            full = run([program, "run", "pilot-index", "reindex"], home, tree)
            found["ours: cold, full index"].append(full[:2])
            notes["index"] = full[2].strip().splitlines()[0]
            again = run(inject, home, tree)
            found["ours: again, answer"].append(again[:2])
            notes["again"] = len(json.loads(again[2])["sections"])
            found["ours: again, no change"].append(run([program, "run", "pilot-index", "watcher-sync"], home, tree)[:2])
            if "universal-ctags" in found:
                found["universal-ctags"].append(run(["ctags", "-R", "-f", os.path.join(home, "tags"), tree], home, tree)[:2])
            index_size = sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(os.path.join(home, ".cache")) for f in fs)
            serve = Serve(program, home, tree)
            times = sorted(serve.prompt(text) for text in questions(tree, 200))
            memory = serve.end()
    median = {name: (statistics.median(s for s, _ in rows), max(m for _, m in rows)) for name, rows in found.items()}
    base = median["yardstick"][0]
    print(f"\n### {os.path.basename(tree)}: {notes['index']}\n")
    print("| what | seconds | to the yardstick | peak MB |\n|---|---|---|---|")
    for name in names:
        seconds, peak = median[name]
        print(f"| {name} | {seconds:.3f} | {seconds / base:.2f} | {peak:.0f} |")
    full = median["ours: cold, full index"][0]
    print(f"\nfirst answer / full index: {median['ours: cold, first answer'][0] / full:.2f} ({notes['first answer']} sections, {notes['again']} with the index)")
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))] * 1000
    print(f"a warm prompt, {len(times)} of them: p50 {at(.5):.1f} ms, p95 {at(.95):.1f} ms, longest {times[-1] * 1000:.1f} ms; {memory:.0f} MB; index {index_size / 1e6:.1f} MB")


def growth(program, yardstick, tree, sizes):
    """Time and memory for more and more files of one kind."""
    files = sorted(os.path.join(d, f) for d, _, fs in os.walk(tree) for f in fs)
    print("\n| files | MB | yardstick s | index s | to the yardstick | ms a file | peak MB | index on disk MB |\n|---|---|---|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as copy:
            os.chmod(home, 0o700)
            total = 0
            for at in range(size):
                source = files[at % len(files)]
                target = os.path.join(copy, f"part{at // len(files)}", os.path.relpath(source, tree))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(source, target)
                total += os.path.getsize(target)
            base, _, _ = run([yardstick, copy], home, copy)
            seconds, peak, _ = run([program, "run", "pilot-index", "reindex"], home, copy)
            disk = sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(os.path.join(home, ".cache")) for f in fs)
            print(f"| {size} | {total / 1e6:.0f} | {base:.2f} | {seconds:.2f} | {seconds / base:.2f} | {seconds / size * 1000:.2f} | {peak:.0f} | {disk / 1e6:.1f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("yardstick")
    arguments.add_argument("trees", nargs="+")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--growth", type=lambda text: [int(one) for one in text.split(",")])
    chosen = arguments.parse_args()
    if chosen.growth:
        return growth(os.path.abspath(chosen.program), os.path.abspath(chosen.yardstick), os.path.abspath(chosen.trees[0]), chosen.growth)
    for tree in chosen.trees:
        measure(os.path.abspath(chosen.program), os.path.abspath(chosen.yardstick), tree, chosen.rounds)


main()
