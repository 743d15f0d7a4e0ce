# SPDX-License-Identifier: MIT
"""The table of opcodes for the reference, from the rows, to standard
output."""

import pathlib
import sys

import d3dbc_tables as t

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import manual

HEAD = """==============================
Opcodes of Direct3D 9 bytecode
==============================

Operands: ``d`` destination, ``k`` a register that is read but written like a
destination, ``s`` source, ``l`` label, ``i`` four values, ``b`` a bool, ``u``
a usage. In the last column a, b, c are the sources.

"""


def text_of(version):
    """As the profiles are called; 31 is the software 3_0."""
    return {21: '2_x', 22: '2_sw', 31: '3_sw'}.get(
        version, '%d_%d' % divmod(version, 10))


def versions(span):
    if span == t.NEVER:
        return '--'
    first, last = text_of(span[0]), text_of(min(span[1], 31))
    if span[1] >= 31:
        return '%s on' % first
    return first if first == last else '%s-%s' % (first, last)


def document():
    rows = [('Opcode', 'Name', 'vs', 'ps', 'Op.', 'What it does')]
    for op in t.OPCODES:
        name = op.name + {'cmp': '_gt', 'tex': ''}.get(op.control, '')
        rows.append(('0x%02x' % op.code, '``%s``' % name, versions(op.vs),
                     versions(op.ps), op.operands or '--', op.text or '--'))
    return HEAD + manual.table(rows)


if __name__ == '__main__':
    sys.stdout.write(document())
