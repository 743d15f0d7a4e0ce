# SPDX-License-Identifier: MIT
"""Programs of the EU inside libraries of x86-64, which name none of them.

Rows of tables have the address of a program, which the loader relocates, and
behind it its size: those are exact. What code alone refers to is found by
decoding, from each place where a compiler puts an array, and is longer than
what decodes by accident.
"""
import struct
import subprocess
import tempfile
from pathlib import Path

SECTION = struct.Struct('<IIQQQQIIQQ')
RELOCATION = struct.Struct('<QQq')
PROGBITS, RELA = 1, 4
EXECUTED = 4
RELATIVE = 8  # R_X86_64_RELATIVE
INST_B = 16
MIN_FOUND_B, MAX_PROGRAM_B = 64, 1 << 20
SENDS = (0x31, 0x32, 0x33, 0x34)


class Library:
    def __init__(self, path):
        self.bytes = Path(path).read_bytes()
        if self.bytes[:5] != b'\x7fELF\x02':
            raise ValueError(f'{path} is no library of 64 bits')
        at = struct.unpack_from('<Q', self.bytes, 40)[0]
        count = struct.unpack_from('<H', self.bytes, 60)[0]
        self.sections = [SECTION.unpack_from(self.bytes, at + SECTION.size * i)
                         for i in range(count)]

    def place(self, address, data_only=False):
        """(offset in the file, what is left of the section), or None."""
        for _, kind, flags, start, offset, size, *_ in self.sections:
            if kind == PROGBITS and start and start <= address < start + size \
                    and not (data_only and flags & EXECUTED):
                return offset + address - start, start + size - address
        return None

    def rows(self):
        """(program, its offset) of each row of a table."""
        for _, kind, _, _, offset, size, *_ in self.sections:
            if kind != RELA:
                continue
            for at in range(offset, offset + size, RELOCATION.size):
                where, info, target = RELOCATION.unpack_from(self.bytes, at)
                row = self.place(where)
                code = self.place(target, data_only=True)
                if info & 0xffffffff != RELATIVE or not row or not code or \
                        row[1] < 12:
                    continue
                size_B = struct.unpack_from('<I', self.bytes, row[0] + 8)[0]
                program = self.bytes[code[0]:code[0] + size_B]
                if INST_B <= size_B <= min(MAX_PROGRAM_B, code[1]) and \
                        size_B % INST_B == 0 and ends_a_thread(program):
                    yield program, code[0]

    def found(self, tool, gen):
        """(program, its offset) of what decodes as one."""
        for name, kind, flags, start, offset, size, *_ in self.sections:
            if kind != PROGBITS or flags & EXECUTED or not start:
                continue
            with tempfile.NamedTemporaryFile() as f:
                f.write(self.bytes[offset:offset + size])
                f.flush()
                done = subprocess.run([tool, '--find', '--gen=' + gen, f.name],
                                      stdout=subprocess.PIPE, text=True,
                                      check=True)
            for line in done.stdout.splitlines():
                at, size_B = map(int, line.split())
                at += offset
                if size_B >= MIN_FOUND_B:
                    yield self.bytes[at:at + size_B], at


def ends_a_thread(program):
    """Whether a message with EOT is among its long instructions."""
    for at in range(0, len(program) - INST_B + 1, INST_B):
        if program[at] & 0x7f in SENDS and program[at + 15] & 0x80:
            return True
    return False


def programs(path, tool, gen):
    """Different programs of a library that may be of this generation."""
    library = Library(path)
    rows = {at: code for code, at in library.rows()}
    taken = [(at, at + len(code)) for at, code in rows.items()]
    for code, at in library.found(tool, gen):
        if not any(begin < at + len(code) and at < end
                   for begin, end in taken):
            rows[at] = code
    return sorted(set(rows.values()))
