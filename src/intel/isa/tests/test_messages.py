# SPDX-License-Identifier: MIT
"""Compares the table of messages with the descriptor decoder of Intel's
assembler (iga64 -Xdsd), which knows many messages of Gen7.5 to Gen9.

For each message and each value of each of its fields: both call it the same,
the field lies where iga64 says that it does, and iga64 sees no bit that means
nothing. Skipped (77) where iga64 is not installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import isa_messages as table  # noqa: E402
from isa_opcodes import SFIDS  # noqa: E402

SKIP = 77
IGA = {'hsw': '7p5', 'bdw': '8', 'skl': '9'}

# What iga64 calls them.
NAMES = {
    'sample': 'sample', 'sample_b': 'sample+LOD bias',
    'sample_l': 'sample override LOD', 'sample_c': 'sample compare',
    'sample_d': 'sample gradient', 'sample_b_c': 'sample compare+LOD bias',
    'sample_l_c': 'sample compare+override LOD', 'ld': 'sample load',
    'gather4': 'sample gather4', 'lod': 'sample override lod',
    'resinfo': 'sample res info', 'sampleinfo': 'sample info',
    'gather4_c': 'sample gather4+compare',
    'gather4_po': 'sample gather4+pixel offset',
    'gather4_po_c': 'sample gather4 pixel offset+compare',
    'sample_d_c': 'sample derivatives+compare',
    'sample_lz': 'sample with lod forced to 0',
    'sample_c_lz': 'sample compare+with lod forced to 0',
    'ld_lz': 'sample load with lod forced to 0',
    'ld2dms_w': 'sample ld2 multi-sample wide',
    'ld_mcs': 'sample load mcs auxiliary data',
    'ld2dms': 'sample load multi-sample',
    'ld2dss': 'sample multi-sample without mcs',
    'oword_block_read': 'oword block read',
    'oword_block_read_unaligned': 'aligned (oword )?block read',
    'dword_scattered_read': 'dword gathering read',
    'byte_scattered_read': 'byte gathering read',
    'oword_block_write': 'oword block write',
    'dword_scattered_write': 'dword scattering write',
    'byte_scattered_write': 'byte scattering write',
    'fence': 'fence',
    'scratch_read': 'hword scratch block read',
    'scratch_write': 'hword scratch block write',
    'untyped_read': 'untyped surface read',
    'untyped_write': 'untyped surface write',
    'untyped_atomic': 'untyped atomic int32',
    'untyped_float_atomic': 'float atomic',
    'typed_read': 'typed surface read', 'typed_write': 'typed surface write',
    'typed_atomic': 'typed atomic 32-bit integer',
    'a64_scattered_read': 'a64 (byte )?gathering read',
    'a64_scattered_write': 'a64 (byte )?scattering write',
    'a64_untyped_read': 'a64 untyped surface read',
    'a64_untyped_write': 'a64 untyped surface write',
    'a64_atomic': 'untyped a64 atomic int(32|64)',
    'a64_float_atomic': 'a64 float atomic',
    'a64_block_read': 'a64 block read', 'a64_block_write': 'a64 block write',
    'rt_write': 'render target write', 'rt_read': 'render target read',
    'urb_simd8_write': 'MSDUW_DWS .*', 'urb_simd8_read': 'MSDUR_DWS .*',
    'barrier': 'signal barrier',
}
# Of which it knows nothing, or what later generations made of the number.
NAMELESS = {
    'oword_dual_block_read', 'oword_dual_block_write', 'render_fence',
    'untyped_atomic_4x2', 'typed_atomic_4x2', 'a64_atomic_4x2',
    'media_block_read', 'media_block_write', 'urb_write_hword',
    'urb_write_oword', 'urb_read_hword', 'urb_read_oword', 'thread_end',
    'interp_shared_offset', 'interp_sample', 'interp_centroid',
    'interp_slot_offset',
}
# It does not know the SIMD4x2 forms of Gen7.5 and Gen8, a part of the atomic
# operations, the cache control of these and dwords in scratch messages; and of
# barriers only the number.
UNKNOWN = {
    'invalidate': {'oword_block_read', 'oword_block_read_unaligned',
                   'oword_block_write', 'scratch_read', 'scratch_write'},
    'channel_mode': {'scratch_read', 'scratch_write'},
    'notify': {'barrier'}, 'ack': {'barrier'},
    'channel_mask': {'urb_simd8_read'},
    'last_rt': {'rt_read'},
    'subtype': {'a64_block_read', 'a64_block_write'},
}
LINE = re.compile(
    r'^  Desc\[(\d+)(?::(\d+))?\]\s+(\S.*?)  +0x([0-9A-F]+) *(.*)$',
    re.MULTILINE)
NUMBER = re.compile(r'type|opcode', re.IGNORECASE)


def decode(gen, sfid, desc):
    """([(high, low, name, value, text)], complaints) of iga64."""
    done = subprocess.run(
        ['iga64', '-p=' + IGA[gen], '-Xdsd', hex(dict(SFIDS)[sfid]),
         hex(desc)], capture_output=True, text=True, check=False)
    fields = [(int(high), int(low or high), name, int(value, 16),
               text.strip())
              for high, low, name, value, text in LINE.findall(done.stdout)]
    return fields, [line for line in done.stderr.split('\n')
                    if 'undefined field' in line or 'header' in line]


def spread(parts, code):
    """The bits of a field's code in a descriptor."""
    desc = 0
    for high, low in reversed(parts):
        size = high - low + 1
        desc |= (code & ((1 << size) - 1)) << low
        code >>= size
    return desc


def codes(name, parts, gen):
    values = table.FIELDS[name].values
    if values:
        return [code for _, code in table.value_codes(values, gen)]
    size = table.width(parts)
    return sorted({0, 1, (1 << size) - 1})


def usual(row, gen):
    """A descriptor of the message with values that all know."""
    fields = table.LAYOUTS[row.layout][gen]
    desc = 1 << 25 | (1 << 19 if row.header == 'needed' else 0)
    for name, parts in table.shown_fields(fields):
        values = table.FIELDS[name].values
        if values:
            known = table.value_codes(values, gen)
            code = dict(known).get(8, known[-1][1])
            desc |= spread(parts, code)
        if row.name.startswith('a64') and name == 'bti':
            desc |= spread(parts, 255)
    return desc


def check_field(gen, sfid, row, desc, name, parts):
    faults = []
    for code in codes(name, parts, gen):
        mask = spread(parts, (1 << table.width(parts)) - 1)
        d = desc & ~mask | spread(parts, code)
        found, undefined = decode(gen, sfid, d)
        who = '%s %s %s "%s" = %d (0x%08x)' % (gen, sfid, row.name, name,
                                              code, d)
        faults += ['%s: %s' % (who, line) for line in undefined]
        for high, low in parts:
            inside = [f for f in found if low <= f[1] and f[0] <= high]
            if sum(f[0] - f[1] + 1 for f in inside) != high - low + 1:
                faults.append('%s: iga64 has no field or another one in '
                              '%d:%d' % (who, high, low))
    return faults


def check_message(gen, sfid, row):
    fields = table.LAYOUTS[row.layout][gen]
    number = row.codes[sfid][gen]
    desc = usual(row, gen) | number << fields['type'][1]
    found, undefined = decode(gen, sfid, desc)
    who = '%s %s %s (0x%08x)' % (gen, sfid, row.name, desc)
    faults = ['%s: %s' % (who, line) for line in undefined]
    texts = [f[4] for f in found if NUMBER.search(f[2])]
    pattern = '(constant )?' + NAMES[row.name].replace('+', '[+]')
    if not any(re.fullmatch(pattern, text) for text in texts):
        faults.append('%s: iga64 calls it %s' % (who, texts))
    tried = 1
    for name, parts in table.shown_fields(fields):
        if row.name in UNKNOWN.get(name, ()):
            continue
        faults += check_field(gen, sfid, row, desc, name, parts)
        tried += len(codes(name, parts, gen))
    return faults, tried


def main():
    if not shutil.which('iga64'):
        return SKIP
    faults = ['%s is neither in NAMES nor in NAMELESS' % row.name
              for row in table.MESSAGES
              if (row.name in NAMES) == (row.name in NAMELESS)]
    tried, messages = 0, 0
    for gen in sys.argv[1:] or IGA:
        for row in table.MESSAGES:
            for sfid in row.codes:
                if row.name not in NAMES or row.codes[sfid][gen] is None or \
                        sfid == 'sampler_cache':
                    continue
                found, n = check_message(gen, sfid, row)
                faults += found
                tried += n
                messages += 1
    print('\n'.join(faults))
    print('%d messages, %d descriptors, %d differ from iga64' % (
        messages, tried, len(faults)))
    return 1 if faults or not tried else 0


if __name__ == '__main__':
    sys.exit(main())
