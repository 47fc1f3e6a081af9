"""A clone that is worked in, and whole processes of ctxhost over it."""
import os, shutil, subprocess, tempfile, threading, time

NAMES = (".pi-map.index.md", ".pi-map.md")
IDENTITY = ["-c", "user.name=follow", "-c", "user.email=follow@example.org", "-c", "commit.gpgsign=false"]


class Ran:
    """What a process came to."""

    def __init__(self, exit, out, seconds, usage):
        self.exit, self.out, self.seconds = exit, out, seconds
        self.cpu, self.megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run(command, cwd, environment):
    """Runs a whole process, and measures it alone."""
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
        out.seek(0)
        text = out.read().decode() + errors[0].decode()
        return Ran(process.returncode, text, seconds, usage)


class Clone:
    """A copy of a clone, below a folder of its own that is a home and a cache too."""

    def __init__(self, source, program, above):
        self.source, self.program, self.above = os.path.abspath(source), os.path.abspath(program), above
        self.name = os.path.basename(self.source)
        self.home = os.path.join(above, "home")
        self.cache = os.path.join(above, "cache")
        self.path = os.path.join(above, "work", self.name)
        for folder in (self.home, self.cache, os.path.dirname(self.path)):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        shutil.copytree(self.source, self.path, symlinks=True)
        for place in artifacts(self.path):
            os.remove(os.path.join(self.path, place))

    def environment(self, cache=None):
        return {"HOME": self.home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": self.home, "XDG_CACHE_HOME": cache or self.cache}

    def map(self, *args, cwd=None, cache=None):
        """Runs a command of the provider."""
        return run([self.program, "run", "project-map", *args], cwd or self.path, self.environment(cache))

    def host(self, *args):
        return run([self.program, *args], self.path, self.environment())

    def git(self, *args):
        done = subprocess.run(["git", *IDENTITY, *args], cwd=self.path, env=self.environment(), capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise SystemExit(f"git {' '.join(args)}: {done.stderr}")
        return done.stdout

    def files(self):
        return self.git("-c", "core.quotePath=false", "ls-files", "-z").split("\0")[:-1]


def artifacts(root):
    """All artifacts below a folder, and their bytes."""
    found = {}
    for folder, below, names in os.walk(root):
        if ".git" in below:
            below.remove(".git")
        for name in names:
            if name in NAMES:
                place = os.path.join(folder, name)
                with open(place, "rb") as file:
                    found[os.path.relpath(place, root)] = file.read()
    return found
