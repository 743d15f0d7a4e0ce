# SPDX-License-Identifier: MIT
"""The opcodes of the back end's IR, one row each: those of the EU, with what
isa_opcodes.py says of them and what the back end has to know besides, and
virtual ones, which become a few instructions of the EU or none.

usage: eu_opcodes.py ISA_FOLDER TEMPLATE OUTPUT

reads    how many bytes of a source are read:
         region     what its region covers
         message    mlen and ex_mlen registers; the descriptor is a dword
         plane      four coefficients; two registers for eight channels
         indirect   source 0: as many as immediate source 2 says
         broadcast  source 0: the channels that it may be taken from
latency  class of eu_cycles.c: alu, wide (the long pipeline of three-source
         instructions), math, message, none
width    how many channels at a time: fits (operands of two registers at
         most), eight (at most), whole (as it is)
emit     the function of eu_generate.c that makes instructions of it
mixes    how sources may change places: no, yes, same_size, minmax
flags    virtual    not an opcode of the EU
         send       is a message
         flow       control flow
         start, end of a basic block
         open, close   of a nested list of instructions
         no_code    makes no instruction
         whole      the destination is size_written bytes, whatever its
                    stride: all of them are written
         selects    a predicate or condition selects between sources: it
                    neither leaves channels of dst alone nor writes a flag
         moves      dst is bits of source 0, or of one of two that a predicate
                    selects from
         crosses    reads all components of a vector for each that it writes
         wraps      the low bits of an integer result are made of the same
                    low bits of its sources alone
         and those of isa_opcodes.py
"""

import importlib
import sys
from collections import namedtuple

from mako.template import Template

Row = namedtuple('Row', 'name text doc srcs dst reads latency width emit '
                 'mixes flags dst_types src_types')

READS = ('region', 'message', 'plane', 'indirect', 'broadcast')
LATENCY = ('alu', 'math', 'message', 'none')
WIDTH = ('fits', 'eight', 'whole')
EMIT = ('alu', 'send', 'flow', 'wait', 'nothing', 'broadcast',
        'mov_indirect', 'halt_target', 'call', 'return', 'never')
MIXES = ('no', 'yes', 'same_size', 'minmax')
CLASSES = {'reads': READS, 'latency': LATENCY, 'width': WIDTH, 'emit': EMIT,
           'mixes': MIXES}
FLAGS = {  # and the member of struct eu_opcode_info
    'virtual': 'is_virtual', 'send': 'is_send', 'flow': 'is_flow',
    'src3': 'is_src3', 'logic': 'is_logic', 'start': 'starts_block',
    'end': 'ends_block', 'open': 'opens', 'close': 'closes',
    'no_code': 'no_code', 'whole': 'whole_dst', 'selects': 'selects',
    'crosses': 'crosses', 'moves': 'moves_bits', 'wraps': 'wraps',
    'acc_read': 'reads_acc', 'acc_write': 'writes_acc',
    'pred': 'may_predicate', 'sat': 'may_saturate', 'cmod': 'may_cond_mod',
    'cmodreq': 'needs_cond_mod', 'mods': 'may_src_mods',
}

# What differs from a plain ALU instruction, by opcode of the EU.
HARDWARE = {
    'mov': dict(flags='moves wraps'),
    'sel': dict(mixes='minmax', flags='selects moves wraps'),
    'csel': dict(flags='selects'),
    'and': dict(mixes='yes'),
    'or': dict(mixes='yes'),
    'xor': dict(mixes='yes'),
    'add': dict(mixes='yes', flags='wraps'),
    'mul': dict(mixes='same_size', flags='wraps'), # D x W has a fixed order
    'shl': dict(flags='wraps'),
    'dp2': dict(flags='crosses'),
    'dp3': dict(flags='crosses'),
    'dp4': dict(flags='crosses'),
    'dph': dict(flags='crosses'),
    'pln': dict(reads='plane', width='whole'),
    'math': dict(latency='math'),
    'wait': dict(emit='wait'),
    'if': dict(flags='end open'),
    'else': dict(flags='end open close'),
    'endif': dict(flags='start close'),
    'while': dict(flags='start end close'),
    'break': dict(flags='end'),
    'cont': dict(flags='end'),
    'halt': dict(flags='end'),
}


def virtual(name, doc, srcs, dst, emit, flags='', **kw):
    return Row(name, name, doc, srcs, dst, kw.get('reads', 'region'),
               kw.get('latency', 'alu'), kw.get('width', 'fits'), emit, 'no',
               ['virtual'] + flags.split(), [], [])


VIRTUAL = [
    virtual('undef', """No code. dst is defined, with no particular value:
starts the live range of a register that is written in parts.""", 0, True,
            'nothing', 'no_code whole', latency='none', width='whole'),
    virtual('do', 'No code. Head of a loop, the target of its WHILE.', 0,
            False, 'nothing', 'flow start open no_code', latency='none',
            width='whole'),
    virtual('halt_target', """Where HALTed channels go on: a HALT of its own
when there were any.""", 0, False, 'halt_target', 'flow start',
            width='whole'),
    virtual('find_live_channel', """dst (scalar UD) = index of the first
enabled channel. fs_lower_misc.c.""", 0, True, 'never', width='whole'),
    virtual('broadcast', 'dst = component src1 (scalar UD) of src0; NoMask.',
            2, True, 'broadcast', 'moves', reads='broadcast',
            width='whole'),
    virtual('mov_indirect', """dst = element of VGRF/UNIFORM src0 at byte
offset src1 (per channel or scalar UD); src2 immediate: bytes of src0 that may
be read.""", 3, True, 'mov_indirect', 'pred moves', reads='indirect',
            width='eight'),
    virtual('argument', """No code. Begins routine src0 (immediate), or comes
after another of its own: dst is what calls have put there.""", 1, True,
            'nothing', 'no_code whole', latency='none', width='whole'),
    virtual('call_routine', """Routine src2 (immediate) with what src0 and
src1 hold. dst is all that it returns, and in its last register the way
back.""", 3, True, 'call', 'end whole', width='whole'),
    virtual('return', """End of a routine, to where src1 (scalar UD) says.
src0 is its result.""", 2, False, 'return', 'end', width='whole'),
]


def hardware(isa):
    """A row for each opcode of the EU."""
    rows = []
    for op in isa.OPCODES:
        own = HARDWARE.get(op.name, {})
        flags = own.get('flags', '').split()
        flags += [f for f in op.flags if f in FLAGS and f not in flags]
        send = op.fmt in ('send', 'sends')
        flow = 'flow' in flags
        if send:
            flags += ['send', 'whole']
        if op.fmt == 'src3':
            flags.append('src3')
        rows.append(Row(
            op.name, op.text, None, 3 if send else op.nsrc,
            not flow and op.fmt not in ('none', 'wait'),
            'message' if send else own.get('reads', 'region'),
            'message' if send else own.get('latency', 'alu'),
            'whole' if send or flow else own.get('width', 'fits'),
            'send' if send else 'flow' if flow else own.get('emit', 'alu'),
            own.get('mixes', 'no'), flags, isa.destinations(op),
            isa.sources(op)))
    return rows


def check(rows, isa):
    """Faults of the tables as sentences."""
    faults = []
    names = [r.name for r in rows]
    faults += ['opcode "%s" has two rows' % n for n in sorted(set(names))
               if names.count(n) > 1]
    known = {op.name for op in isa.OPCODES}
    faults += ['"%s" is no opcode of the EU' % n for n in HARDWARE
               if n not in known]
    for r in rows:
        for column, allowed in CLASSES.items():
            value = getattr(r, column)
            if value not in allowed:
                faults.append('opcode "%s": unknown %s "%s"' % (
                    r.name, column, value))
        faults += ['opcode "%s": unknown flag "%s"' % (r.name, f)
                   for f in r.flags if f not in FLAGS]
        if 'flow' in r.flags and r.dst:
            faults.append('opcode "%s": control flow with a destination' %
                          r.name)
    return faults


def enum_name(row):
    return ('EU_OP_' if 'virtual' in row.flags else 'ISA_OPCODE_') + \
        row.name.upper()


def main(isa_folder, template, output):
    sys.path.insert(0, isa_folder)
    isa = importlib.import_module('isa_opcodes')
    rows = hardware(isa) + VIRTUAL
    faults = check(rows, isa)
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    types = [t.name for t in isa.TYPES]
    text = Template(source, strict_undefined=True).render(
        isa=isa, rows=rows, t=sys.modules[__name__], enum_name=enum_name,
        type_mask=lambda names: hex(sum(1 << types.index(n) for n in names)))
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
