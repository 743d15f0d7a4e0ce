# SPDX-License-Identifier: MIT
"""Fills a Mako template from the tables: isa_generate.py TEMPLATE OUTPUT.

A table with a fault stops the build with one line for each fault.
"""

import sys

from mako.template import Template

import isa_compact
import isa_fields
import isa_messages
import isa_opcodes
import isa_rules


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


def value_prefixes():
    """Prefixes of the enumerators of message fields, in order."""
    return list(dict.fromkeys(f.prefix for f in isa_messages.FIELDS.values()
                              if f.prefix))


def named_values(prefix):
    """(name, value) of the enumerators with a prefix."""
    return [(name, value) for f in isa_messages.FIELDS.values()
            if f.prefix == prefix for name, _, value, _ in f.values if name]


def message_field(name, parts, gen):
    """C initialiser of struct isa_message_field."""
    f = isa_messages.FIELDS[name]
    low = parts[-1]
    high = parts[0] if len(parts) > 1 else (-1, 0)
    values = '&values_%s_%s' % (name, gen) if f.values else 'NULL'
    return '{ ISA_MEMBER_%s, %d, %d, %d, %d, ISA_SHOW_%s, "%s", %s }' % (
        f.member.upper(), low[1], low[0] - low[1] + 1, high[1],
        high[0] - high[1] + 1, f.show.upper(), f.text, values)


HELPERS = {f.__name__: f for f in (type_codes, pred_codes, opcode_codes,
                                   codes, invert, value_prefixes,
                                   named_values, message_field)}


def main(template, output):
    faults = (isa_opcodes.check() + isa_fields.check() +
              isa_compact.check() + isa_messages.check() + isa_rules.check())
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(
        t=isa_opcodes, f=isa_fields, c=isa_compact, m=isa_messages,
        r=isa_rules, **HELPERS)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
