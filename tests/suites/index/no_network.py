"""Runs a program that is killed when it opens a socket to anywhere: no_network.py PROGRAM ARGUMENTS…

A filter of system calls does this for every user and inside containers, where a network of one's own is often refused,
and it shows an attempt as well, which an absent network would let pass.
"""

import ctypes
import os
import platform
import struct
import sys

# The kernel's numbers: of the machine, and of `socket` on it.
MACHINE, SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}[platform.machine()]
UNIX = 1
# Steps of a filter: load a word of the call, compare it and skip so many steps, return.
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
KILL, ALLOW = 0x80000000, 0x7FFF0000
# Where in a call its number, its machine and its first argument stand.
NUMBER, OF_MACHINE, FIRST = 0, 4, 16
NO_NEW_PRIVILEGES, SET_FILTER, BY_FILTER = 38, 22, 2


def step(code: int, word: int, when: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, when, otherwise, word)


steps = [
    step(LOAD, OF_MACHINE),
    step(EQUAL, MACHINE, when=1),
    step(RETURN, KILL),
    step(LOAD, NUMBER),
    step(EQUAL, SOCKET, otherwise=3),
    step(LOAD, FIRST),
    step(EQUAL, UNIX, when=1),
    step(RETURN, KILL),
    step(RETURN, ALLOW),
]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


libc = ctypes.CDLL(None, use_errno=True)
of_steps = Filter(len(steps), b"".join(steps))
for arguments in [(NO_NEW_PRIVILEGES, 1, 0, 0, 0), (SET_FILTER, BY_FILTER, ctypes.byref(of_steps), 0, 0)]:
    if libc.prctl(*arguments) != 0:
        sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
os.execvp(sys.argv[1], sys.argv[1:])
