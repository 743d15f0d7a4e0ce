# SPDX-License-Identifier: MIT
"""Fills a Mako template from the tables: isa_generate.py TEMPLATE OUTPUT.

A table with a fault stops the build with one line for each fault.
"""

import sys

from mako.template import Template

import isa_compact
import isa_fields
import isa_opcodes


def type_codes(gen, kind):
    """(enumerator, code or None) of each type, in order."""
    return [('ISA_TYPE_' + ty.name.upper(), getattr(ty, kind)[gen])
            for ty in isa_opcodes.TYPES]


def pred_codes(column):
    return [('ISA_PRED_' + row[0].upper(), row[column])
            for row in isa_opcodes.PREDICATES]


def opcode_codes(gen):
    return [('ISA_OPCODE_' + op.name.upper(), op.hw.get(gen))
            for op in isa_opcodes.OPCODES]


def codes(rows):
    """C initialiser: the codes in order."""
    return ', '.join('ISA_NO_CODE' if code is None else str(code)
                     for _, code in rows)


def invert(rows, size, missing):
    """C initialiser: the enumerator of each code below `size`."""
    back = {code: name for name, code in rows}
    return ', '.join(back.get(i, missing) for i in range(size))


HELPERS = {f.__name__: f for f in (type_codes, pred_codes, opcode_codes,
                                   codes, invert)}


def main(template, output):
    faults = (isa_opcodes.check() + isa_fields.check() +
              isa_compact.check())
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(
        t=isa_opcodes, f=isa_fields, c=isa_compact, **HELPERS)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
