# SPDX-License-Identifier: MIT
"""Rewrites golden/*.hex from golden/*.asm with Intel's assembler.

Run it after changing an .asm file that iga64 knows, and read the difference
in review. ivb.hex and align16.hex are not made by it: iga64 has neither.
"""

import subprocess
import tempfile
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent / 'golden'
PLATFORMS = {'hsw': '7p5', 'bdw': '8', 'skl': '9'}


def lines_of(code):
    """One instruction a line, 8 bytes for the compact ones."""
    at = 0
    while at < len(code):
        size = 8 if code[at + 3] & 0x20 else 16
        yield ' '.join(code[i:i + 4].hex()
                       for i in range(at, at + size, 4))
        at += size


def main():
    for gen, platform in PLATFORMS.items():
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / 'code.krn'
            subprocess.run(['iga64', '-q', '-p=' + platform, '-a',
                            GOLDEN / (gen + '.asm'), '-o', target],
                           check=True)
            text = '\n'.join(lines_of(target.read_bytes())) + '\n'
            (GOLDEN / (gen + '.hex')).write_text(text)


if __name__ == '__main__':
    main()
