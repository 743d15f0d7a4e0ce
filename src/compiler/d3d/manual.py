# SPDX-License-Identifier: MIT
"""What the scripts share that write tables of opcodes for the manual."""

import sys


def table(rows):
    """A simple table of reStructuredText; the first row is the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rule = ' '.join('=' * w for w in widths)
    lines = [rule]
    for n, row in enumerate(rows):
        lines.append(' '.join(c.ljust(w) for c, w in zip(row, widths))
                     .rstrip())
        if n == 0:
            lines.append(rule)
    return '\n'.join(lines + [rule]) + '\n'


def main(text):
    """Prints the text; with --check FILE, exits with a sentence unless that
    file has it already."""
    if len(sys.argv) == 3 and sys.argv[1] == '--check':
        with open(sys.argv[2], encoding='utf-8') as f:
            if f.read() != text:
                sys.exit('%s is out of date: write it anew with %s' %
                         (sys.argv[2], sys.argv[0]))
    else:
        sys.stdout.write(text)
