# SPDX-License-Identifier: MIT
"""A small assembler of SM4 and SM5 listings, for tests only.

It shares nothing with tpf_tables.py: numbers are those of the Direct3D 11
tokenized program format. What it knows is what the listings of stages.txt
use. A container has signatures that follow from the declarations; its digest
is left to `tpf_compare digest`.
"""

import re
import struct

STAGES = {'ps': 0, 'vs': 1, 'gs': 2, 'hs': 3, 'ds': 4, 'cs': 5}
PLAIN = {
    'add': 0, 'and': 1, 'break': 2, 'call': 4, 'case': 6, 'continue': 7,
    'cut': 9, 'default': 10, 'div': 14, 'dp2': 15, 'dp3': 16, 'dp4': 17,
    'else': 18, 'emit': 19, 'emit_then_cut': 20, 'endif': 21, 'endloop': 22,
    'endswitch': 23, 'frc': 26, 'ftoi': 27, 'ge': 29, 'iadd': 30, 'ieq': 32,
    'ige': 33, 'ilt': 34, 'imad': 35, 'itof': 43, 'label': 44, 'loop': 48,
    'lt': 49, 'mad': 50, 'min': 51, 'max': 52, 'mov': 54, 'movc': 55,
    'mul': 56, 'nop': 58, 'or': 60, 'ret': 62, 'rsq': 68, 'sqrt': 75,
    'switch': 76, 'udiv': 78, 'umad': 82, 'utof': 86, 'hs_decls': 113,
    'hs_control_point_phase': 114, 'hs_fork_phase': 115,
    'hs_join_phase': 116, 'emit_stream': 117, 'cut_stream': 118,
    'emit_then_cut_stream': 119, 'bufinfo': 121, 'bfi': 140, 'swapc': 142,
    'dcl_stream': 143, 'ld_raw': 165, 'store_raw': 166, 'ld_structured': 167,
    'store_structured': 168, 'atomic_and': 169, 'atomic_or': 170,
    'atomic_xor': 171, 'atomic_cmp_store': 172, 'atomic_iadd': 173,
    'atomic_imax': 174, 'atomic_imin': 175, 'atomic_umax': 176,
    'atomic_umin': 177, 'imm_atomic_iadd': 180, 'imm_atomic_and': 181,
    'imm_atomic_or': 182, 'imm_atomic_xor': 183, 'imm_atomic_exch': 184,
    'imm_atomic_cmp_exch': 185, 'imm_atomic_imax': 186,
    'imm_atomic_imin': 187, 'imm_atomic_umax': 188, 'imm_atomic_umin': 189,
    'dmax': 192, 'dmin': 193, 'dmovc': 200, 'dtof': 201, 'ftod': 202,
    'dlt': 197,
}
TESTED = {'breakc': 3, 'callc': 5, 'continuec': 8, 'if': 31, 'retc': 63}
# Declarations: opcode, and what stands in bits 11 and up.
COUNTS = {'dcl_input_control_point_count': 147,
          'dcl_output_control_point_count': 148}
WORDS = {
    'dcl_tessellator_domain': (149, [None, 'domain_isoline', 'domain_tri',
                                     'domain_quad']),
    'dcl_tessellator_partitioning': (
        150, [None, 'partitioning_integer', 'partitioning_pow2',
              'partitioning_fractional_odd',
              'partitioning_fractional_even']),
    'dcl_tessellator_output_primitive': (
        151, [None, 'output_point', 'output_line', 'output_triangle_cw',
              'output_triangle_ccw']),
    'dcl_outputtopology': (92, [None, 'pointlist', 'linelist', 'linestrip',
                                'trianglelist', 'trianglestrip']),
    'dcl_inputprimitive': (93, [None, 'point', 'line', 'triangle', None,
                                None, 'lineadj', 'triangleadj']),
    'dcl_globalFlags': (106, [None, 'refactoringAllowed']),
}
NUMBERS = {'dcl_maxout': 94, 'dcl_temps': 104,
           'dcl_hs_fork_phase_instance_count': 153,
           'dcl_hs_join_phase_instance_count': 154, 'dcl_gsinstances': 206}
REGISTERS = {'dcl_input': 95, 'dcl_output': 101, 'dcl_uav_raw': 157,
             'dcl_resource_raw': 161}
# A register, and numbers.
SIZED = {'dcl_uav_structured': 158, 'dcl_tgsm_raw': 159,
         'dcl_tgsm_structured': 160, 'dcl_resource_structured': 162}
NAMED = {'dcl_input_sgv': 96, 'dcl_input_siv': 97, 'dcl_output_sgv': 102,
         'dcl_output_siv': 103}
NAMES = {'position': 1, 'rendertarget_array_index': 4, 'vertex_id': 6,
         'primitive_id': 7, 'instance_id': 8}
for i, name in enumerate(
        ['finalQuad%sTessFactor' % s for s in (
            'Ueq0Edge', 'Veq0Edge', 'Ueq1Edge', 'Veq1Edge', 'UInside',
            'VInside')] +
        ['finalTri%sTessFactor' % s for s in (
            'Ueq0Edge', 'Veq0Edge', 'Weq0Edge', 'Inside')] +
        ['finalLineDetailTessFactor', 'finalLineDensityTessFactor']):
    NAMES[name] = 11 + i
FILES = {'r': 0, 'v': 1, 'o': 2, 'x': 3, 'cb': 8, 'label': 10, 'vPrim': 11, 'null': 13,
         'm': 16, 'vOutputControlPointID': 22, 'vForkInstanceID': 23,
         'vJoinInstanceID': 24, 'vicp': 25, 'vocp': 26, 'vpc': 27,
         'vDomain': 28, 'u': 30, 'g': 31, 'vThreadID': 32,
         'vThreadGroupID': 33, 'vThreadIDInGroup': 34, 't': 7,
         'vThreadIDInGroupFlattened': 36, 'vGSInstanceID': 37}
INT_OPS = ('iadd', 'and', 'ieq', 'ige', 'ilt', 'imad', 'itof', 'udiv', 'case',
           'umad', 'bfi', 'or')
TWO_RESULTS = ('udiv', 'swapc')
# Instructions without one: of memory the first operand is where.
NO_RESULT = ('switch', 'case')


def literal(text, is_int):
    text = text.strip()
    if is_int or not re.search(r'[.e]', text):
        # A whole number without a point is an integer's bits, as fxc has it.
        return int(text) & 0xffffffff
    return struct.unpack('<I', struct.pack('<f', float(text)))[0]


def index(text):
    """(representation, dwords) of what stands in brackets."""
    m = re.fullmatch(r'(r\d+\.[xyzw]|vOutputControlPointID|'
                     r'vForkInstanceID\.x)(?: \+ (\d+))?', text)
    if not m:
        return 0, [int(text)]
    reg = operand(m[1], False, True)
    if m[2] and int(m[2]):
        return 3, [int(m[2])] + reg
    return 2, reg


def selection(text, is_dest):
    """Bits 0 to 11 of an operand with these components."""
    comps = ['xyzw'.index(c) for c in text]
    if is_dest:
        return 2 | sum(1 << c for c in comps) << 4
    if len(comps) == 1:
        return 2 | 2 << 2 | comps[0] << 4
    comps += [comps[-1]] * (4 - len(comps))
    return 2 | 1 << 2 | sum(c << 2 * n for n, c in enumerate(comps)) << 4


def operand(text, is_dest, scalar=False, is_int=False):
    m = re.fullmatch(r'l\((.*)\)', text)
    if m:
        words = [literal(w, is_int) for w in m[1].split(',')]
        return [0x4001 if len(words) == 1 else 0x4002] + words
    neg = text.startswith('-')
    text = text.lstrip('-')
    absolute = text.startswith('|')
    text = text.strip('|')
    m = re.fullmatch(r'([A-Za-z]+)(\d*)((?:\[[^\]]*\])*)(?:\.([xyzw]+))?',
                     text)
    if not m:
        raise ValueError(text)
    indices = ([index(m[2])] if m[2] else []) + [
        index(i) for i in re.findall(r'\[([^\]]*)\]', m[3])]
    token = FILES[m[1]] << 12 | len(indices) << 20
    if m[4]:
        token |= selection(m[4], is_dest)
    elif not scalar and m[1] in ('v', 'r', 'o', 'cb', 'vicp'):
        raise ValueError(text)
    elif m[1].startswith('v') and not scalar and not is_dest:
        token |= 1
    for n, (kind, _) in enumerate(indices):
        token |= kind << 22 + 3 * n
    extended = []
    if neg or absolute:
        token |= 1 << 31
        extended = [1 | (neg + 2 * absolute) << 6]
    return [token] + extended + [w for _, words in indices for w in words]


def arguments(text):
    """Split at the commas that stand outside of l()."""
    return [a.strip() for a in re.split(r',(?![^(]*\))', text) if a.strip()]


def instruction(line):
    op, _, rest = line.partition(' ')
    args = arguments(rest)
    if op in COUNTS:
        return COUNTS[op], int(rest) << 11, []
    if op in WORDS:
        return WORDS[op][0], WORDS[op][1].index(rest) << 11, []
    if op in NUMBERS:
        return NUMBERS[op], 0, [int(rest)]
    if op == 'dcl_hs_max_tessfactor':
        return 152, 0, [literal(rest[2:-1], False)]
    if op == 'dcl_indexrange':
        reg, number = rest.split()
        return 91, 0, operand(reg, True) + [int(number)]
    if op == 'dcl_constantbuffer':
        m = re.fullmatch(r'CB(\d+)\[(\d+)\], (\w+)', rest)
        return 89, (m[3] == 'dynamicIndexed') << 11, [0x00208e46, int(m[1]),
                                                      int(m[2])]
    if op == 'dcl_thread_group':
        return 155, 0, [int(a) for a in args]
    if op == 'sync_g_t':
        return 190, 3 << 11, []
    if op in SIZED:
        return SIZED[op], 0, operand(args[0], True, True) + [
            int(a) for a in args[1:]]
    if op in REGISTERS:
        return REGISTERS[op], 0, operand(rest, True, True)
    if op in NAMED:
        return NAMED[op], 0, operand(args[0], True) + [NAMES[args[1]]]
    base, _, test = op.rpartition('_')
    if base in TESTED:
        return (TESTED[base], (test == 'nz') << 18,
                [w for a in args for w in operand(a, False, a == args[-1] and
                                                  base == 'callc')])
    if op in ('dcl_stream', 'emit_stream', 'cut_stream',
              'emit_then_cut_stream', 'call', 'label'):
        return PLAIN[op], 0, operand(rest, True, True)
    dests = 0 if op in NO_RESULT else 2 if op in TWO_RESULTS else 1
    if op.startswith('imm_atomic'):
        dests = 2
    words = []
    for n, a in enumerate(args):
        dest = n < dests and base not in TESTED
        words += operand(a, dest, a == 'null' or dest and a[0] in 'ug',
                         (op in INT_OPS or 'atomic' in op) and not dest)
    return PLAIN[op], 0, words


def assemble(lines):
    stage, major, minor = lines[0].split('_')
    words = [STAGES[stage] << 16 | int(major) << 4 | int(minor), 0]
    for line in lines[1:]:
        try:
            code, bits, rest = instruction(line)
        except (KeyError, ValueError, TypeError) as fault:
            raise ValueError('%s: %r' % (line, fault))
        words += [code | bits | (len(rest) + 1) << 24] + rest
    words[1] = len(words)
    return words


# --- Containers -------------------------------------------------------------

FACTORS = [(11, 'SV_TessFactor')] * 4 + [(12, 'SV_InsideTessFactor')] * 2 + \
          [(13, 'SV_TessFactor')] * 3 + [(14, 'SV_InsideTessFactor')] + \
          [(15, 'SV_TessFactor'), (16, 'SV_TessFactor')]


def signature(elements, with_streams=False):
    """Elements: {(stream, register, name): mask}."""
    out, strings = b'', b''
    seen = {}
    start = 8 + (28 if with_streams else 24) * len(elements)
    for (stream, reg, name), mask in sorted(elements.items()):
        value, semantic = 0, 'TEXCOORD'
        if name == 1:
            value, semantic = 1, 'SV_Position'
        elif name >= 11:
            value, semantic = FACTORS[name - 11]
        number = reg
        if value:
            number = seen.get(semantic, 0)
            seen[semantic] = number + 1
        if with_streams:
            out += struct.pack('<I', stream)
        out += struct.pack('<IIIIIBBH', start + len(strings), number, value,
                           3, reg, mask, mask, 0)
        strings += semantic.encode() + b'\0'
    strings += b'\0' * (-len(strings) % 4)
    return struct.pack('<II', len(elements), 8) + out + strings


def signatures(lines):
    """What the declarations say: of inputs, outputs and the patch."""
    stage = lines[0][:2]
    inputs, outputs, patch = {}, {}, {}
    into, phase, stream = outputs, '', 0
    for line in lines:
        if line.startswith('dcl_stream'):
            stream = int(line[12:])
        phase = line if line.startswith('hs_') else phase
        m = re.match(r'dcl_(input|output)(?:_s[ig]v)? (v|o|vicp|vpc)(\d*)'
                     r'((?:\[\d+\])*)\.(\w+)(?:, (\w+))?$', line)
        if not m:
            continue
        into = patch if m[2] == 'vpc' or (
            stage == 'hs' and m[2] == 'o' and
            phase != 'hs_control_point_phase') else \
            inputs if m[1] == 'input' else outputs
        if stage == 'hs' and m[2] == 'vpc':
            continue
        reg = int(m[3] or re.findall(r'\d+', m[4])[-1])
        key = (stream if into is outputs else 0, reg, NAMES.get(m[6], 0))
        into[key] = into.get(key, 0) | sum(1 << 'xyzw'.index(c)
                                           for c in m[5])
    if stage == 'hs' and 'hs_control_point_phase' not in lines:
        outputs = dict(inputs)
    return inputs, outputs, patch


def container(lines):
    """Bytes, without a digest."""
    inputs, outputs, patch = signatures(lines)
    code = assemble(lines)
    streams = 'dcl_stream m1' in lines
    chunks = [(b'ISGN', signature(inputs)),
              (b'OSG5' if streams else b'OSGN', signature(outputs, streams))]
    if lines[0][:2] in ('hs', 'ds'):
        chunks.append((b'PCSG', signature(patch)))
    chunks.append((b'SHEX' if lines[0][3] == '5' else b'SHDR',
                   struct.pack('<%dI' % len(code), *code)))
    at = 32 + 4 * len(chunks)
    offsets, body = [], b''
    for tag, data in chunks:
        offsets.append(at + len(body))
        body += tag + struct.pack('<I', len(data)) + data
    return (b'DXBC' + b'\0' * 16 +
            struct.pack('<III', 1, at + len(body), len(chunks)) +
            struct.pack('<%dI' % len(chunks), *offsets) + body)
