#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static thread-local storage of shared objects stays small.

usage: thread_storage.py LIBRARY...

A library that is preloaded, or linked, takes its PT_TLS segment off the stack
of every thread of the process: with a hundred kilobytes of it pthread_create()
refuses stacks that programs use. Big tables are thread_memory()
(src/util/thread_memory.h).
"""
import struct
import sys
from pathlib import Path

LIMIT_B = 4096
PT_TLS = 7


def storage_B(path):
    """Bytes of the PT_TLS segment of a 64-bit ELF file, 0 without one; the
    header and program headers are as elf.h describes them."""
    data = Path(path).read_bytes()
    if data[:5] != b'\x7fELF\x02':
        raise ValueError(f'{path}: no 64-bit ELF file')
    offset, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<HH', data, 54)
    for i in range(count):
        kind, = struct.unpack_from('<I', data, offset + i * size)
        if kind == PT_TLS:
            return struct.unpack_from('<Q', data, offset + i * size + 40)[0]
    return 0


def main():
    """See the head of the file."""
    good = True
    for path in sys.argv[1:]:
        size_B = storage_B(path)
        print(f'{Path(path).name}: {size_B} bytes')
        if size_B > LIMIT_B:
            print(f'{path}: more than {LIMIT_B} bytes of thread-local '
                  'storage; see src/util/thread_memory.h', file=sys.stderr)
            good = False
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
