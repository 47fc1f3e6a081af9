"""A real backend with nothing in it, a real client that fills it, and a connection to ask through."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path


class Backend:
    """`ctxhost-index serve` with a home of its own, on a free port."""

    def __init__(self, programs, sync_programs=None):
        self.programs, self.sync_programs = Path(programs).resolve(), Path(sync_programs or programs).resolve()
        self.home = tempfile.TemporaryDirectory(prefix="ctxhost-evaluation-")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home.name,
                            "CTXHOST_PROVIDER_PATH": str(self.sync_programs)}
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith("TUNE_")}
        self.process = subprocess.Popen([self.programs / "ctxhost-index", "serve", "--listen", "127.0.0.1:0"],
                                        env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.log, self.port = [], None
        for line in self.process.stderr:
            self.log.append(line)
            if place := re.search(r"listens on \S*?127\.0\.0\.1:(\d+)", line):
                self.port = int(place[1])
                break
        if self.port is None:
            raise SystemExit("the backend did not start: " + "".join(self.log))
        # The address is said on standard output and the log on standard error; both must be read to the end.
        for stream in (self.process.stderr, self.process.stdout):
            threading.Thread(target=self._drain, args=(stream,), daemon=True).start()
        note = Path(self.home.name) / ".local/state/ctxhost/providers/codebase-index/development.json"
        self.token = json.loads(note.read_text(encoding="utf-8"))["token"]

    def _drain(self, stream):
        for line in stream:
            self.log.append(line)

    @property
    def database(self):
        return Path(self.home.name) / ".local/share/ctxhost-index/index.sqlite"

    def sync(self, tree):
        done = subprocess.run([self.sync_programs / "ctxhost", "run", "codebase-index", "sync", "--cwd", tree],
                              env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"sync of {tree} failed: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def connection(self):
        return Connection(self.port, self.token)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.home.cleanup()


class Connection:
    def __init__(self, port, token):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def post(self, route, body):
        """The status and the answer."""
        self.http.request("POST", f"/codebase-index/{route}", json.dumps(body).encode(), self.headers)
        answer = self.http.getresponse()
        return answer.status, json.loads(answer.read())

    def close(self):
        # The next request opens another; a backend ends connections on which nothing is asked for a while.
        self.http.close()

    def search(self, query, limit=10):
        status, answer = self.post("search", {"query": query, "limit": limit})
        if status != 200:
            raise SystemExit(f"search for {query!r}: {status} {answer}")
        return answer["results"]
