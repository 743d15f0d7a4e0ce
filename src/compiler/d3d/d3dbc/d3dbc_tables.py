# SPDX-License-Identifier: MIT
"""Direct3D 9 shader bytecode ("d3dbc"), vs and ps 1.0 to 3.0, as rows.

Everything that reads, writes, prints, parses, checks or documents the format
takes its facts from here. Numbers: the Direct3D 9 shader code format of the
Windows Driver Kit reference and the instruction reference; both agree with
what an assembler writes (tests/listings.txt).

Versions are major * 10 + minor; 2_x is 21, 2_sw 22, 3_sw 31.
"""

from dataclasses import dataclass, field

STAGES = ('vs', 'ps')

# Text, stage, version, minor number in the version token.
PROFILES = [
    ('vs_1_0', 'vs', 10, 0), ('vs_1_1', 'vs', 11, 1), ('vs_2_0', 'vs', 20, 0),
    ('vs_2_x', 'vs', 21, 1), ('vs_2_sw', 'vs', 22, 0xff),
    ('vs_3_0', 'vs', 30, 0), ('vs_3_sw', 'vs', 31, 0xff),
    ('ps_1_0', 'ps', 10, 0), ('ps_1_1', 'ps', 11, 1), ('ps_1_2', 'ps', 12, 2),
    ('ps_1_3', 'ps', 13, 3), ('ps_1_4', 'ps', 14, 4), ('ps_2_0', 'ps', 20, 0),
    ('ps_2_x', 'ps', 21, 1), ('ps_2_sw', 'ps', 22, 0xff),
    ('ps_3_0', 'ps', 30, 0), ('ps_3_sw', 'ps', 31, 0xff),
]
# Instructions that a program may have: arithmetic, and texture where those are
# counted apart (else 0). From 2_x on the most that a device can offer.
SLOTS = {
    'vs_2_0': (256, 0), 'vs_2_x': (256, 0), 'vs_3_0': (32768, 0),
    'ps_2_0': (64, 32), 'ps_2_x': (512, 0), 'ps_3_0': (32768, 0),
}
VERSIONS = sorted({p[2] for p in PROFILES})
NEVER = (99, 0)
ALL = (10, 31)


@dataclass
class Op:
    """One instruction: what the token says and what may stand there.

    `operands`: d a destination, k a register that is read but encoded like a
    destination, s a source, l a label, i four dwords, b one dword (bool), u
    a declaration's usage; always in the order of the tokens.
    `control` names what bits 16 to 23 hold.
    `sem` is the class of the meaning: map (per component), scalar (one
    result in all components), dot, matrix, flow, tex, decl, special.
    `nir` builds the result from s[0], s[1]...
    """
    id: str
    name: str
    code: int
    operands: str
    vs: tuple = NEVER
    ps: tuple = NEVER
    control: str = 'none'       # none, cmp, tex
    sem: str = 'map'
    nir: str = None
    flags: frozenset = field(default_factory=frozenset)
    text: str = ''


def _op(id, code, operands, vs=NEVER, ps=NEVER, sem='map', nir=None,
        name=None, control='none', flags='', text=''):
    return Op(id, name or id, code, operands, vs, ps, control, sem, nir,
              frozenset(flags.split()), text)


# Flags: open, else and close: nesting of control flow; loop: what `break`
# leaves; pred: may be predicated (2_x on); mods: the destination may carry
# _sat, _pp; shift: and in ps_1_x a shift; addr: writes a0; short: operands
# from the third on may be missing, as one assembler leaves them out in ps.
_ARITH = 'pred mods shift'
VS2, VS2X, VS3 = (20, 31), (21, 31), (30, 31)
PS2, PS2X, PS3 = (20, 31), (21, 31), (30, 31)
PS1 = (10, 14)
PS13 = (10, 13)
PS14 = (14, 14)


def _arith(id, code, operands, vs, ps, sem, nir, text='', flags=''):
    return _op(id, code, operands, vs, ps, sem, nir, text=text,
               flags=_ARITH + ' ' + flags)


OPCODES = [
    _op('nop', 0x00, '', ALL, ALL, sem='special', text='nothing'),
    _arith('mov', 0x01, 'ds', ALL, ALL, 'map', 's[0]', 'a',
           flags='addr'),
    _arith('add', 0x02, 'dss', ALL, ALL, 'map',
           'nir_fadd(b, s[0], s[1])', 'a + b'),
    _arith('sub', 0x03, 'dss', ALL, ALL, 'map',
           'nir_fsub(b, s[0], s[1])', 'a - b'),
    _arith('mad', 0x04, 'dsss', ALL, ALL, 'map',
           'nir_fadd(b, d3dbc_mul(t, s[0], s[1]), s[2])', 'a * b + c'),
    _arith('mul', 0x05, 'dss', ALL, ALL, 'map',
           'd3dbc_mul(t, s[0], s[1])', 'a * b'),
    _arith('rcp', 0x06, 'ds', ALL, PS2, 'scalar',
           'nir_frcp(b, s[0])', '1 / a'),
    _arith('rsq', 0x07, 'ds', ALL, PS2, 'scalar',
           'nir_frsq(b, nir_fabs(b, s[0]))', '1 / sqrt(abs(a))'),
    _arith('dp3', 0x08, 'dss', ALL, ALL, 'dot',
           'd3dbc_dot(t, s[0], s[1], 3)', 'dot(a.xyz, b.xyz)'),
    _arith('dp4', 0x09, 'dss', ALL, (12, 31), 'dot',
           'd3dbc_dot(t, s[0], s[1], 4)', 'dot(a, b)'),
    _arith('min', 0x0a, 'dss', ALL, PS2, 'map',
           'nir_fmin(b, s[0], s[1])', 'min(a, b)'),
    _arith('max', 0x0b, 'dss', ALL, PS2, 'map',
           'nir_fmax(b, s[0], s[1])', 'max(a, b)'),
    _arith('slt', 0x0c, 'dss', ALL, NEVER, 'map',
           'nir_b2f32(b, nir_flt(b, s[0], s[1]))', 'a < b ? 1 : 0'),
    _arith('sge', 0x0d, 'dss', ALL, NEVER, 'map',
           'nir_b2f32(b, nir_fge(b, s[0], s[1]))', 'a >= b ? 1 : 0'),
    _arith('exp', 0x0e, 'ds', ALL, PS2, 'scalar',
           'nir_fexp2(b, s[0])', 'exp2(a)'),
    _arith('log', 0x0f, 'ds', ALL, PS2, 'scalar',
           'nir_flog2(b, nir_fabs(b, s[0]))', 'log2(abs(a))'),
    _arith('lit', 0x10, 'ds', ALL, NEVER, 'special', None,
           '(1, max(a.x, 0), a.xy > 0 ? a.y ^ a.w : 0, 1)'),
    _arith('dst', 0x11, 'dss', ALL, NEVER, 'special', None,
           '(1, a.y * b.y, a.z, b.w)'),
    _arith('lrp', 0x12, 'dsss', VS2, ALL, 'map',
           'nir_fadd(b, d3dbc_mul(t, s[0], nir_fsub(b, s[1], s[2])), s[2])',
           'a * (b - c) + c'),
    _arith('frc', 0x13, 'ds', ALL, PS2, 'map',
           'nir_fsub(b, s[0], nir_ffloor(b, s[0]))', 'a - floor(a)'),
    _arith('m4x4', 0x14, 'dss', ALL, PS2, 'matrix', None,
           'four dp4 with b, b + 1...'),
    _arith('m4x3', 0x15, 'dss', ALL, PS2, 'matrix', None, 'three dp4'),
    _arith('m3x4', 0x16, 'dss', ALL, PS2, 'matrix', None, 'four dp3'),
    _arith('m3x3', 0x17, 'dss', ALL, PS2, 'matrix', None, 'three dp3'),
    _arith('m3x2', 0x18, 'dss', ALL, PS2, 'matrix', None, 'two dp3'),
    _op('call', 0x19, 'l', VS2, PS2X, sem='flow', text='calls label a'),
    _op('callnz', 0x1a, 'ls', VS2, PS2X, sem='flow',
        text='calls a if b (b# or p0) holds'),
    _op('loop', 0x1b, 'ss', VS2, PS3, sem='flow', flags='open loop',
        text='b.x times, aL from b.y in steps of b.z'),
    _op('ret', 0x1c, '', VS2, PS2X, sem='flow', text='returns'),
    _op('endloop', 0x1d, '', VS2, PS3, sem='flow', flags='close loop'),
    _op('label', 0x1e, 'l', VS2, PS2X, sem='flow',
        text='begins a subroutine'),
    _op('dcl', 0x1f, 'ud', ALL, PS2, sem='decl',
        text='an input, output or sampler'),
    _arith('pow', 0x20, 'dss', VS2, PS2, 'scalar',
           'nir_fpow(b, nir_fabs(b, s[0]), s[1])', 'abs(a) ^ b'),
    _arith('crs', 0x21, 'dss', VS2, PS2, 'special', None,
           'cross product; w is not written'),
    _op('sgn2', 0x22, 'dsss', (20, 22), NEVER, 'map',
        'nir_fsign(b, s[0])', name='sgn', flags=_ARITH,
        text='sign(a); b and c are scratch registers'),
    _op('sgn', 0x22, 'dsss', VS3, NEVER, 'map', 'nir_fsign(b, s[0])',
        flags=_ARITH, text='sign(a)'),
    _arith('abs', 0x23, 'ds', VS2, PS2, 'map', 'nir_fabs(b, s[0])',
           'abs(a)'),
    _arith('nrm', 0x24, 'ds', VS2, PS2, 'special', None,
           'a / length(a.xyz)'),
    _op('sincos2', 0x25, 'dsss', (20, 22), (20, 22), 'special',
        name='sincos', flags=_ARITH + ' short',
        text='(cos(a), sin(a)); b and c hold the series'),
    _op('sincos', 0x25, 'ds', VS3, PS3, 'special', flags=_ARITH,
        text='(cos(a), sin(a))'),
    _op('rep', 0x26, 's', VS2, PS2X, sem='flow', flags='open loop',
        text='a.x times'),
    _op('endrep', 0x27, '', VS2, PS2X, sem='flow', flags='close loop'),
    _op('if', 0x28, 's', VS2, PS2X, sem='flow', flags='open',
        text='if a (b# or p0) holds'),
    _op('ifc', 0x29, 'ss', VS2X, PS2X, sem='flow', name='if',
        control='cmp', flags='open', text='if a compares with b'),
    _op('else', 0x2a, '', VS2, PS2X, sem='flow', flags='else'),
    _op('endif', 0x2b, '', VS2, PS2X, sem='flow', flags='close'),
    _op('break', 0x2c, '', VS2X, PS2X, sem='flow'),
    _op('breakc', 0x2d, 'ss', VS2X, PS2X, sem='flow', name='break',
        control='cmp', text='leaves the loop if a compares with b'),
    _op('mova', 0x2e, 'ds', VS2, NEVER, 'special', flags='pred addr',
        text='a0 = round(a)'),
    _op('defb', 0x2f, 'db', VS2, PS2X, sem='decl', text='a bool constant'),
    _op('defi', 0x30, 'di', VS2, PS2X, sem='decl', text='an int constant'),
    _op('texcoord', 0x40, 'd', NEVER, PS13, 'special', flags='mods shift',
        text='texture coordinates, clamped to 0..1'),
    _op('texcrd', 0x40, 'ds', NEVER, PS14, 'special', flags='mods shift',
        text='texture coordinates'),
    _op('texkill', 0x41, 'k', NEVER, ALL, 'special', flags='pred',
        text='ends the pixel if a component is below 0'),
    _op('tex', 0x42, 'd', NEVER, PS13, 'tex', flags='mods shift',
        text='samples stage d at t[d]'),
    _op('texld14', 0x42, 'ds', NEVER, PS14, 'tex', name='texld',
        flags='mods shift', text='samples stage d at a'),
    _op('texld', 0x42, 'dss', NEVER, PS2, 'tex', control='tex',
        flags='pred mods', text='samples b at a; p: divided by w, b: biased '
        'by it'),
    _op('texbem', 0x43, 'ds', NEVER, PS13, 'special', flags='mods',
        text='samples with coordinates moved by a bump map'),
    _op('texbeml', 0x44, 'ds', NEVER, PS13, 'special', flags='mods',
        text='texbem with luminance'),
    _op('texreg2ar', 0x45, 'ds', NEVER, PS13, 'tex', flags='mods',
        text='samples at (a.w, a.x)'),
    _op('texreg2gb', 0x46, 'ds', NEVER, PS13, 'tex', flags='mods',
        text='samples at (a.y, a.z)'),
    _op('texm3x2pad', 0x47, 'ds', NEVER, PS13, 'special', flags='mods',
        text='first row of a 3x2 product'),
    _op('texm3x2tex', 0x48, 'ds', NEVER, PS13, 'special', flags='mods',
        text='last row, and samples there'),
    _op('texm3x3pad', 0x49, 'ds', NEVER, PS13, 'special', flags='mods',
        text='first or second row of a 3x3 product'),
    _op('texm3x3tex', 0x4a, 'ds', NEVER, PS13, 'special', flags='mods',
        text='last row, and samples there'),
    _op('texm3x3spec', 0x4c, 'dss', NEVER, PS13, 'special', flags='mods',
        text='last row, reflects b, and samples there'),
    _op('texm3x3vspec', 0x4d, 'ds', NEVER, PS13, 'special', flags='mods',
        text='last row, reflects the eye ray, and samples there'),
    _arith('expp', 0x4e, 'ds', ALL, PS2, 'special', None,
           'exp2(a); in vs_1_x beside its parts'),
    _arith('logp', 0x4f, 'ds', ALL, PS2, 'special', None,
           'log2(abs(a)); in vs_1_x beside its parts'),
    _arith('cnd', 0x50, 'dsss', NEVER, PS1, 'map',
           'nir_bcsel(b, nir_flt(b, nir_imm_float(b, 0.5f), s[0]), s[1], '
           's[2])', 'a > 0.5 ? b : c'),
    _op('def', 0x51, 'di', ALL, ALL, sem='decl', text='a float constant'),
    _op('texreg2rgb', 0x52, 'ds', NEVER, (12, 13), 'tex', flags='mods',
        text='samples at a.xyz'),
    _op('texdp3tex', 0x53, 'ds', NEVER, (12, 13), 'special', flags='mods',
        text='samples at (dot(t, a), 0)'),
    _op('texm3x2depth', 0x54, 'ds', NEVER, (13, 13), 'special',
        flags='mods', text='last row; depth = z / w'),
    _op('texdp3', 0x55, 'ds', NEVER, (12, 13), 'special', flags='mods',
        text='dot(t, a)'),
    _op('texm3x3', 0x56, 'ds', NEVER, (12, 13), 'special', flags='mods',
        text='last row of a 3x3 product'),
    _op('texdepth', 0x57, 'd', NEVER, PS14, 'special', flags='mods',
        text='depth = d.x / d.y'),
    _arith('cmp', 0x58, 'dsss', NEVER, (12, 31), 'map',
           'nir_bcsel(b, nir_fge(b, s[0], nir_imm_float(b, 0.0f)), s[1], '
           's[2])', 'a >= 0 ? b : c'),
    _arith('bem', 0x59, 'dss', NEVER, PS14, 'special', None,
           'a + bump matrix * b'),
    _arith('dp2add', 0x5a, 'dsss', NEVER, PS2, 'dot',
           'nir_fadd(b, d3dbc_dot(t, s[0], s[1], 2), nir_channel(b, s[2], '
           '0))', 'dot(a.xy, b.xy) + c'),
    _arith('dsx', 0x5b, 'ds', NEVER, PS2X, 'map', 'nir_fddx(b, s[0])',
           'derivative along x'),
    _arith('dsy', 0x5c, 'ds', NEVER, PS2X, 'map', 'nir_fddy(b, s[0])',
           'derivative along y'),
    _op('texldd', 0x5d, 'dssss', NEVER, PS2X, 'tex', flags='pred mods',
        text='samples b at a with derivatives c, d'),
    _op('setp', 0x5e, 'dss', VS2X, PS2X, 'special', control='cmp',
        flags='pred', text='p0 = a compares with b'),
    _op('texldl', 0x5f, 'dss', VS3, PS3, 'tex', flags='pred mods',
        text='samples b at a, level a.w'),
    _op('breakp', 0x60, 's', VS2X, PS2X, sem='flow',
        text='leaves the loop if a holds'),
    _op('phase', 0xfffd, '', NEVER, PS14, sem='special',
        text='texture addresses end, arithmetic begins'),
]

# Register files: id, number in the token, text, stage, versions. More than
# one row may have a number where stage or version tell them apart.
@dataclass
class File:
    id: str
    code: int
    text: str
    stages: tuple
    versions: tuple
    read: bool
    write: bool
    # Registers by version: [(first version, count by vs), ...], or a count.
    limits: dict
    names: tuple = ()


def _limits(**by_stage):
    return by_stage


_VP = ('vs', 'ps')
FILES = [
    File('r', 0, 'r', _VP, ALL, True, True,
         dict(vs={10: 12, 21: 32}, ps={10: 2, 14: 6, 20: 12, 21: 32})),
    File('v', 1, 'v', _VP, ALL, True, False,
         dict(vs={10: 16}, ps={10: 2, 30: 10})),
    File('c', 2, 'c', _VP, ALL, True, False,
         dict(vs={10: 96, 20: 256, 22: 8192, 30: 256, 31: 8192},
              ps={10: 8, 20: 32, 22: 8192, 30: 224, 31: 8192})),
    File('a', 3, 'a', ('vs',), ALL, False, True, dict(vs={10: 1})),
    File('t', 3, 't', ('ps',), (10, 22), True, True,
         dict(ps={10: 4, 14: 6, 20: 8})),
    File('rastout', 4, '', ('vs',), (10, 22), False, True, dict(vs={10: 3}),
         ('oPos', 'oFog', 'oPts')),
    File('oD', 5, 'oD', ('vs',), (10, 22), False, True, dict(vs={10: 2})),
    File('oT', 6, 'oT', ('vs',), (10, 22), False, True, dict(vs={10: 8})),
    File('o', 6, 'o', ('vs',), (30, 31), False, True,
         dict(vs={30: 12, 31: 16})),
    File('i', 7, 'i', _VP, (20, 31), True, False,
         dict(vs={20: 16, 22: 2048, 30: 16, 31: 2048},
              ps={20: 16, 22: 2048, 30: 16, 31: 2048})),
    File('oC', 8, 'oC', ('ps',), (20, 31), False, True, dict(ps={20: 4})),
    File('oDepth', 9, '', ('ps',), (20, 31), False, True, dict(ps={20: 1}),
         ('oDepth',)),
    File('s', 10, 's', _VP, (20, 31), True, False,
         dict(vs={20: 0, 30: 4}, ps={20: 16})),
    File('b', 14, 'b', _VP, (20, 31), True, False,
         dict(vs={20: 16, 22: 2048, 30: 16, 31: 2048},
              ps={20: 16, 22: 2048, 30: 16, 31: 2048})),
    File('aL', 15, '', _VP, (20, 31), True, False, dict(vs={20: 1},
                                                        ps={20: 1}), ('aL',)),
    File('misc', 17, '', ('ps',), (30, 31), True, False, dict(ps={30: 2}),
         ('vPos', 'vFace')),
    File('l', 18, 'l', _VP, (20, 31), False, False,
         dict(vs={20: 16, 22: 2048, 30: 2048}, ps={20: 16, 22: 2048,
                                                   30: 2048})),
    File('p', 19, 'p', _VP, (20, 31), True, True, dict(vs={20: 1},
                                                       ps={20: 1})),
]
# c2048 to c8191 have register types of their own.
CONST_BANKS = (2, 11, 12, 13)

# Source modifiers: id, code, text in front, text after, versions of vs, ps.
SRC_MODS = [
    ('none', 0, '', '', ALL, ALL),
    ('neg', 1, '-', '', ALL, ALL),
    ('bias', 2, '', '_bias', NEVER, (10, 14)),
    ('neg_bias', 3, '-', '_bias', NEVER, (10, 14)),
    ('sign', 4, '', '_bx2', NEVER, (10, 14)),
    ('neg_sign', 5, '-', '_bx2', NEVER, (10, 14)),
    ('comp', 6, '1-', '', NEVER, (10, 14)),
    ('x2', 7, '', '_x2', NEVER, (14, 14)),
    ('neg_x2', 8, '-', '_x2', NEVER, (14, 14)),
    ('dz', 9, '', '_dz', NEVER, (14, 14)),
    ('dw', 10, '', '_dw', NEVER, (14, 14)),
    ('abs', 11, '', '_abs', (30, 31), (30, 31)),
    ('neg_abs', 12, '-', '_abs', (30, 31), (30, 31)),
    ('not', 13, '!', '', (20, 31), (20, 31)),
]

# Destination modifiers: id, bit, text.
DST_MODS = [('sat', 1, '_sat'), ('pp', 2, '_pp'),
            ('centroid', 4, '_centroid')]
# Result shifts of ps_1_x: code, text.
SHIFTS = [(1, '_x2'), (2, '_x4'), (3, '_x8'), (13, '_d8'), (14, '_d4'),
          (15, '_d2')]

COMPARES = [('gt', 1, 'nir_flt(b, y, x)'), ('eq', 2, 'nir_feq(b, x, y)'),
            ('ge', 3, 'nir_fge(b, x, y)'), ('lt', 4, 'nir_flt(b, x, y)'),
            ('ne', 5, 'nir_fneu(b, x, y)'), ('le', 6, 'nir_fge(b, y, x)')]
TEX_CONTROLS = [('', 0), ('p', 1), ('b', 2)]
SAMPLER_TYPES = [('2d', 2), ('cube', 3), ('volume', 4)]

# Usages of dcl: name, varying slots from VARYING_SLOT_VAR0 on that stand
# for its indices (first, count), or None where a slot has a meaning.
USAGES = [
    ('position', 27, 1), ('blendweight', 25, 1), ('blendindices', 26, 1),
    ('normal', 21, 2), ('psize', 31, 1), ('texcoord', 0, 16),
    ('tangent', 23, 1), ('binormal', 24, 1), ('tessfactor', 30, 1),
    ('positiont', None, 0), ('color', 16, 4), ('fog', 20, 1),
    ('depth', 28, 1), ('sample', 29, 1),
]


def limit(file, stage, version):
    """Registers of a file; 0 where it is not there."""
    if stage not in file.stages or \
       not file.versions[0] <= version <= file.versions[1]:
        return 0
    steps = [v for v in file.limits[stage] if v <= version]
    return file.limits[stage][max(steps)] if steps else 0


def _overlap(a, b):
    return a[0] <= b[1] and b[0] <= a[1]


def _check_opcodes():
    faults = []
    ids = [op.id for op in OPCODES]
    faults += ['opcode %s stands twice' % i for i in sorted(set(ids))
               if ids.count(i) > 1]
    for n, a in enumerate(OPCODES):
        if a.vs == NEVER and a.ps == NEVER:
            faults.append('opcode %s is in no profile' % a.id)
        if a.sem in ('map', 'scalar', 'dot') and not a.nir:
            faults.append('opcode %s has no meaning' % a.id)
        if set(a.operands) - set('dkslibu'):
            faults.append('opcode %s: operands %s' % (a.id, a.operands))
        for b in OPCODES[n + 1:]:
            for x, y, st in ((a.vs, b.vs, 'vs'), (a.ps, b.ps, 'ps')):
                if a.code == b.code and _overlap(x, y) and NEVER not in (x,
                                                                         y):
                    faults.append('opcodes %s and %s are both 0x%02x in %s' %
                                  (a.id, b.id, a.code, st))
    return faults


def _check_files():
    faults = []
    for stage in STAGES:
        for version in VERSIONS:
            here = [f for f in FILES if limit(f, stage, version)]
            codes = [f.code for f in here]
            faults += ['register type %d is two files in %s %d' %
                       (c, stage, version) for c in sorted(set(codes))
                       if codes.count(c) > 1]
    return faults


def check():
    """Sentences about what is wrong in the tables; empty if nothing is."""
    faults = _check_opcodes() + _check_files()
    slots = [s for _, first, n in USAGES if first is not None
             for s in range(first, first + n)]
    faults += ['varying slot %d has two usages' % s for s in sorted(set(slots))
               if slots.count(s) > 1]
    return faults
