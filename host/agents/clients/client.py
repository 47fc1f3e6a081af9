"""A whole client of serve/v1: `client.py PROGRAM FOLDER TEXT` prints what ctxhost adds to a prompt."""
import json, os, sys, threading
from subprocess import PIPE, Popen


class Host:
    def __init__(self, program):
        # Standard error is for people, so it goes where ours goes.
        self.process = Popen([program, "serve", "--stdio"], stdin=PIPE, stdout=PIPE)
        # A host that hangs costs half a minute: more than a prompt's longest deadline.
        timer = threading.Timer(30, self.process.kill)
        timer.daemon = True
        timer.start()
        self.sent, self.results = 0, {}

    def send(self, method, params):
        self.sent += 1
        message = {"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self.sent

    def result(self, id):
        while id not in self.results:  # Results come in any order, with notifications between them.
            line = self.process.stdout.readline() or sys.exit("client: the host ended too early")
            message = json.loads(line)
            if "error" in message:
                sys.exit(f"client: {message['error']['message']}")
            self.results[message.get("id")] = message.get("result")
        return self.results.pop(id)


try:
    program, folder, text = sys.argv[1:] if len(sys.argv) == 4 else sys.exit("usage: PROGRAM FOLDER TEXT")
    host = Host(program)
    session = {"id": None, "cwd": os.path.abspath(folder)}  # A single question has no id.
    host.result(host.send("hello", {"v": 1, "agent": {"name": "example", "can": ["inject.prompt", "tools"]}}))
    prompt = host.send("event", {"event": "prompt", "session": session, "data": {"text": text}})
    tools = host.send("tools", {"session": session})  # Sent while the prompt is in flight.
    injection = host.result(prompt).get("injection") or {"text": ""}
    print(len(host.result(tools)["tools"]), "tools are offered", file=sys.stderr)
    sys.stdout.buffer.write(injection["text"].encode())
    host.process.stdin.close()  # That ends the host.
    sys.exit(host.process.wait() and "client: the host failed at its end")
except (OSError, ValueError) as error:
    sys.exit(f"client: {error}")
