#!/usr/bin/env python3
"""Whether the maps of real repositories follow what happens to them.

usage: follow.py [--brief] PROGRAM CLONE [CLONE...]

PROGRAM is `target/release/ctxhost`.  Each CLONE is copied first and stays as it is.  After each step all artifacts are
compared, byte for byte, with what `reinit` writes in a copy of the tree with an empty cache; with `--brief`, which CI has
time for, only after a directory was moved and at the end.  Ends with 1 on any difference.
"""
import argparse, json, os, re, shutil, sys, tempfile
from clones import Clone, artifacts

# What is added to a file of each language, so that a map has to say something else.
ADDED = {
    ".rs": "\npub fn follow_added() {}\n",
    ".py": "\n\ndef follow_added():\n    pass\n",
    ".js": "\nexport function follow_added() {}\n",
    ".ts": "\nexport function follow_added() {}\n",
}
BACK = 50


class Follow:
    def __init__(self, clone, brief):
        self.clone, self.brief, self.steps = clone, brief, []

    def step(self, name, *commands, milestone=False):
        """Runs commands, each with the exit code and the words that it must come to; then compares."""
        trouble = []
        for args, exit, words in commands:
            ran = self.clone.map(*args)
            if ran.exit != exit or not all(word in ran.out for word in words):
                trouble.append(f"`{' '.join(args)}` ended with {ran.exit}: {ran.out.strip()[-400:]}")
        trouble += self.differences() if milestone or not self.brief else []
        self.steps.append((name, trouble))
        print(f"  {self.clone.name}: {name}: {'ok' if not trouble else '; '.join(trouble)}", file=sys.stderr, flush=True)

    def differences(self):
        """Where `reinit` in a copy, which nobody has seen before, writes something else."""
        with tempfile.TemporaryDirectory(dir=self.clone.above) as above:
            copy = os.path.join(above, "elsewhere")
            shutil.copytree(self.clone.path, copy, symlinks=True)
            ran = self.clone.map("reinit", cwd=copy, cache=os.path.join(above, "cache"))
            if ran.exit != 0:
                return [f"reinit in a copy ended with {ran.exit}: {ran.out[-400:]}"]
            ours, theirs = artifacts(self.clone.path), artifacts(copy)
        places = sorted(set(ours) | set(theirs))
        return [f"{place} differs from what reinit writes" for place in places if ours.get(place) != theirs.get(place)][:5]


def source(clone):
    """A source file in the middle of the list that is described, not only counted, in a map."""
    names = [name for name in clone.files() if os.path.splitext(name)[1] in ADDED and not os.path.islink(os.path.join(clone.path, name))]
    told = b"".join(artifacts(clone.path).values()).decode()
    names = [name for name in names if f"`{name}`" in told]
    return names[len(names) // 2]


def moved(clone):
    """A directory with a map that is no root's child alone, as large as there is below a tenth of all."""
    files = clone.files()
    dirs = [os.path.dirname(place) for place in artifacts(clone.path) if "/" in place]
    size = lambda dir: sum(name.startswith(dir + "/") for name in files)
    return max((dir for dir in set(dirs) if size(dir) < len(files) / 10), key=lambda dir: (size(dir), dir))


def follow(clone, brief):
    it = Follow(clone, brief)
    clean = (["validate"], 0, ["clean"])
    made = clone.map("init", "--json")
    figures = json.loads(made.out)["data"] if made.exit == 0 else sys.exit(f"init ended with {made.exit}: {made.out}")
    it.step("init, again refused, validate", (["init"], 2, ["validate", "reinit"]), clean)
    languages = re.search(r"by language: (.*)", artifacts(clone.path)[".pi-map.md"].decode())

    file = source(clone)
    with open(os.path.join(clone.path, file), "a") as to:
        to.write(ADDED[os.path.splitext(file)[1]])
    it.step("edit, patch", (["patch", file], 0, []), clean)
    new = os.path.join(os.path.dirname(file), "follow_new" + os.path.splitext(file)[1])
    with open(os.path.join(clone.path, new), "w") as to:
        to.write(ADDED[os.path.splitext(file)[1]].lstrip())
    it.step("new file, patch", (["patch", new], 0, []), clean)
    gone = source(clone)
    os.remove(os.path.join(clone.path, gone))
    it.step("delete, patch", (["patch", gone], 0, []), clean)
    clone.git("add", "-A")
    clone.git("commit", "-q", "--no-verify", "-m", "steps")
    dir = moved(clone)
    clone.git("mv", dir, dir + "_moved")
    it.step("git mv of a directory, patch --git", (["patch", "--git"], 0, []), clean, milestone=True)
    clone.git("commit", "-q", "--no-verify", "-m", "moved")
    # A checkout without all of its history goes back as far as it can.
    back = min(BACK, int(clone.git("rev-list", "--count", "--first-parent", "HEAD")) - 1)
    clone.git("checkout", "-q", "-B", "follow-old", f"HEAD~{back}")
    it.step("older branch, validate --fix", (["validate"], 1, ["stale"]), (["validate", "--fix"], 0, []), clean)
    clone.git("checkout", "-q", "-")
    it.step("back again, validate --fix", (["validate", "--fix"], 0, []), clean, milestone=True)
    ignored = clone.git("status", "--porcelain")
    if ignored:
        it.steps.append(("git sees nothing of it", [ignored]))
    return figures, languages.group(1).count(",") + 1 if languages else 0, it.steps


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--brief", action="store_true")
    arguments.add_argument("program")
    arguments.add_argument("clones", nargs="+")
    chosen = arguments.parse_args()
    bad = 0
    print("| clone | files | languages shown | pairs | artifacts | tokens | the root's | steps ok |\n|---|---|---|---|---|---|---|---|")
    for source in chosen.clones:
        with tempfile.TemporaryDirectory() as above:
            figures, languages, steps = follow(Clone(source, chosen.program, above), chosen.brief)
        fine = sum(not trouble for _, trouble in steps)
        bad += len(steps) - fine
        print(f"| {os.path.basename(os.path.abspath(source))} | {figures['files']} | {languages} | {figures['pairs']} | {figures['written']} | {figures['tokens']} | {figures['root_tokens']} | {fine} of {len(steps)} |", flush=True)
    sys.exit(bad > 0)


main()
