"""Runs a program on a terminal of its own, and may press Ctrl-C there.

usage: terminal.py WHEN PROGRAM [ARGUMENT...]

WHEN is `never`, `text:TEXT` for when the terminal shows that text, or `file:PATH` for when there is such a file.
What the terminal shows goes to standard output; a program that a signal ends makes 128 and its number of this exit.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

CTRL_C = b"\x03"


def happens(when, shown):
    kind, _, what = when.partition(":")
    return kind == "text" and what.encode() in shown or kind == "file" and os.path.exists(what)


def main(when, command):
    # A child with the terminal as its controlling one, so that the terminal itself makes a signal of the key.
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    shown, pressed = b"", False
    while True:
        if not pressed and happens(when, shown):
            os.write(terminal, CTRL_C)
            pressed = True
        if not select.select([terminal], [], [], 0.001)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            # Nobody holds the other end any more.
            break
        if not part:
            break
        shown += part
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.buffer.write(shown)
    return status if status >= 0 else 128 - status


sys.exit(main(sys.argv[1], sys.argv[2:]))
