# SPDX-License-Identifier: MIT
"""What the scripts share that write tables of opcodes for the reference."""


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
