#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs on the driver, on each generation, beside another driver
(lavapipe), many in one process: where the languages promise bits, all words
that a program writes must be equal.

usage: bin/saffron fuzz --programs [--gen=G[,G...]] [--count=N] [--first=N]
                                   [--statements=N] [--stage=S[,S...]]
                                   [--rewrites=N] [--keep=DIR]

What a program is made of follows from its number alone: in which stage it runs
(the others hand on what it gets and puts out, in blocks with arrays and
structures), and whether it has types of 8 and 16 bits (where a generation has
them), too. It uses 32- and 64-bit integers, floats, doubles, booleans, vectors,
small matrices, arrays with computed indices, structures, functions with inout
parameters and early returns, loops with break and continue, switch, shared
memory, subgroups, a uniform block and push constants. What GLSL leaves open is
not in it: divisions by zero, conversions that do not fit, shifts by more than
there are bits, the bits of NaNs, signs of zeros, subnormal floats; sums and
products of floats are `precise`.

With --rewrites each program runs in N other forms as well, which mean the
same: rewrite.py, and passes of spirv-opt chosen at random. So it has what GLSL
does not write: phis, selections of composites, copies of objects, switches
and loops around anything, blocks in any order.

Where lavapipe differs from us, it is asked again with other forms of the
program, whose conditions and constants its optimizer cannot know: if each word
that we give, for all of them, comes from one of them, lavapipe contradicts
itself; that is printed, and is no difference. (That of Mesa 22.3 takes
int64_t(i) > 0 for true if the int is negative.)

A program that differs is made smaller as long as it differs, by leaving out
statements and putting constants for expressions; it is printed, and kept in
DIR with its .spv. How far it is, it says as it goes, and when it is
interrupted (Ctrl-C, SIGTERM).
"""
import argparse
import contextlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import rewrite
import stages
from progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
LAVAPIPE = Path('/usr/share/vulkan/icd.d/lvp_icd.x86_64.json')
SKIPPED = 77
GENS = ('skl', 'bdw', 'hsw', 'ivb')
SMALL_GENS = ('skl', 'bdw') # with types of 8 and 16 bits
PEER_FORMS = 32
MEMORY_B = 4 << 30  # of a driver; lavapipe's threads reserve a part of it
LIMIT_S = 120
VERSION = '''#version 450
#extension GL_ARB_gpu_shader_int64 : require
'''
SMALL = '''#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
float16_t fix(float16_t x)
{ return isnan(x) || isinf(x) ? 1.0hf : abs(x) < 0.001hf ? 0.0hf : x; }
'''
SUBGROUPS = '''#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
'''
HEAD = '''layout(constant_id = 0) const int K = 3;
layout(std430, set = 0, binding = 0) readonly buffer I { uint inp[256]; };
layout(std430, set = 0, binding = 1) buffer O { uint outp[256]; };
layout(std140, set = 0, binding = 2) uniform U { uvec4 uni[16]; };
layout(push_constant) uniform P { uint pc[16]; };
struct S { int i; vec2 f; uint u[3]; int64_t l; };
float fix(float x)
{ return isnan(x) || isinf(x) ? 1.0 : abs(x) < 1e-30 ? 0.0 : x; }
double fix(double x)
{ return isnan(x) || isinf(x) ? 1.0LF : x == 0.0LF ? 0.0LF : x; }
double other(double x) { return x == 0.0LF ? 3.0LF : x; }
int toInt(float x) { return int(clamp(x, -1e9, 1e9)); }
int toInt(double x) { return int(clamp(x, -1e9LF, 1e9LF)); }
int l32(int64_t x) { return int(x) ^ int(x >> 32); }
'''
# Variables of each type.
NAMES = {t: [f'{t[0]}{n}' for n in range(3)]
         for t in ('int', 'uint', 'float', 'double', 'bool', 'long')}
SPELLED = {'long': 'int64_t', 'short': 'int16_t', 'byte': 'int8_t',
           'half': 'float16_t'}
SMALL_KINDS = ('short', 'byte', 'half')
NAMES.update({t: [f'{t}{n}' for n in range(2)] for t in SMALL_KINDS})
# {a}, {b}, {c} are operands: of the type itself, if none is named.
FORMS = {
    'int': ['({a} + {b})', '({a} - {b})', '({a} * {b})', '(- {a})', '(~{a})',
            '({a} & {b})', '({a} | {b})', '({a} ^ {b})', 'abs({a})',
            '({a} << ({u} & 31u))', '({a} >> ({u} & 31u))', 'min({a}, {b})',
            'max({a}, {b})', 'clamp({a}, min({b}, {c}), max({b}, {c}))',
            'sign({a})', '({a} / (({b} & 127) + 1))', 'int({u})',
            'toInt({f})', 'toInt({d})', 'int({l})', 'l32({l})', '({q} ? {a} : {b})',
            'int({q})', 'findMSB({a})', 'findLSB({a})', 'bitCount({a})',
            'bitfieldExtract({a}, int({u} & 15u), int({u} & 15u))',
            'bitfieldInsert({a}, {b}, int({u} & 15u), int({u} & 15u))',
            'arr[{a} & 3]', 'st.i', 'sh[{a} & 7]', 'dot3({a}, {b}, {c})',
            'ivec4({a}, {b}, {c}, 1)[{u} & 3u]', 'K',
            'floatBitsToInt(fix({f}))', 'helper({a}, {u})'],
    'uint': ['({a} + {b})', '({a} - {b})', '({a} * {b})', '({a} / ({b} | 1u))',
             '({a} % ({b} | 1u))', '({a} & {b})', '({a} ^ {b})',
             '({a} << ({b} & 31u))', '({a} >> ({b} & 31u))', 'uint({i})',
             'min({a}, {b})', 'max({a}, {b})', 'bitfieldReverse({a})',
             'uni[{a} & 15u][{b} & 3u]', 'pc[{num}]',
             'pc[(pc[{num}] + uint(K)) & 15u]', 'inp[{a} & 255u]',
             'st.u[{a} % 3u]', 'uint({q})', '({q} ? {a} : {b})',
             'uint({l})', 'uvec3({a}, {b}, {c}).{swz}',
             'unpackDouble2x32(fix({d})).y', 'uint(bitCount({a}))'],
    'long': ['({a} + {b})', '({a} - {b})', '({a} * {b})', '(- {a})',
             '({a} & {b})', '({a} | {b})', '({a} ^ {b})', '(~{a})',
             'int64_t({i})', 'int64_t({u})', 'int64_t(uint64_t({u}) << 31)',
             '({a} << ({i} & 63))', '({a} >> ({i} & 63))', 'min({a}, {b})',
             'max({a}, {b})', 'abs({a})', 'sign({a})', '({q} ? {a} : {b})',
             '({a} / int64_t(({i} & 1023) + 1))', 'st.l', 'larr[{i} & 3]'],
    'float': ['fix({a} + {b})', 'fix({a} - {b})', 'fix({a} * {b})', '(- {a})',
              'abs({a})', 'float({i} & 0xffff)', 'float({i} >> 9)',
              'float({u} >> 9)', 'min({a}, {b})', 'max({a}, {b})',
              'floor({a})', 'trunc({a})', 'ceil({a})', '({q} ? {a} : {b})',
              'float({q})', 'sign({a})', 'st.f[{u} & 1u]',
              'fix(intBitsToFloat({i}))', 'vec3({a}, {b}, {c}).{swz}',
              '(mat2(vec4(ivec4({i}, {i}, {u}, 3) & 7)) * '
              'vec2(ivec2({i}, {i}) & 7)).x'],
    'double': ['fix({a} + {b})', 'fix({a} - {b})', 'fix({a} * {b})', '(- {a})',
               'abs({a})', 'double({i})', 'double({u})', 'double({f})',
               'min({a}, {b})', 'max({a}, {b})', 'floor({a})', 'trunc({a})',
               'ceil({a})', 'fix({a} / other({b}))', '({q} ? {a} : {b})',
               'fix(sqrt(abs({a})))', 'darr[{i} & 3]', 'double({l} >> 12)',
               'dvec3({a}, {b}, {c}).{swz}', 'sign({a})',
               'determinant(dmat2(dvec4(ivec4({i}, {i}, {u}, 5) & 15)))'],
    'bool': ['({i} {rel} {i})', '({u} {rel} {u})', '({l} {rel} {l})',
             '({f} {rel} {f})', '({d} {rel} {d})', '(!{a})', '({a} && {b})',
             '({a} || {b})', '({a} ^^ {b})', '!({f} {rel} sqrt({f}))',
             'any(lessThan(ivec2({i}, {i}), ivec2({i})))'],
}
INTEGER = ['({a} + {b})', '({a} - {b})', '({a} * {b})', '(- {a})', '(~{a})',
           '({a} & {b})', '({a} | {b})', '({a} ^ {b})', 'abs({a})',
           'min({a}, {b})', 'max({a}, {b})', '({q} ? {a} : {b})']
FORMS['short'] = INTEGER + ['int16_t({i})', 'int16_t({y})', 'int16_t({u})',
                            '({a} << ({i} & 15))', '({a} >> ({i} & 15))',
                            'int16_t({l})', 'int16_t({q})', 'sarr[{i} & 3]']
FORMS['byte'] = INTEGER + ['int8_t({i})', 'int8_t({s})', 'int8_t({l})',
                           '({a} << ({i} & 7))', '({a} >> ({i} & 7))',
                           'yarr[{i} & 3]']
FORMS['half'] = ['fix({a} + {b})', 'fix({a} - {b})', 'fix({a} * {b})',
                 '(- {a})', 'abs({a})', 'float16_t({i} & 1023)',
                 'float16_t({y})', 'min({a}, {b})', 'max({a}, {b})',
                 'floor({a})', '({q} ? {a} : {b})']
# More forms of the others then.
SMALL_FORMS = {
    'int': ['int({s})', 'int({y})', 'int(uint8_t({y}))', 'int(uint16_t({s}))',
            'int({h})'],
    'uint': ['uint({s})', 'uint({y})', 'uint(uint8_t({u}))'],
    'float': ['float({h})', 'float({s})'],
    'double': ['double({h})', 'double({y})'],
    'long': ['int64_t({s})', 'int64_t({y})'],
    'bool': ['({s} {rel} {s})', '({y} {rel} {y})', '({h} {rel} {h})'],
}
# Of all lanes, in statements that all reach.
SUBGROUP_FORMS = {
    'int': ['subgroupAdd({a})', 'subgroupMin({a})', 'subgroupMax({a})',
            'subgroupExclusiveAdd({a})', 'subgroupInclusiveMax({a})',
            'subgroupShuffle({a}, {u} & 7u)', 'subgroupShuffleXor({a}, 5u)',
            'subgroupBroadcastFirst({a})', 'subgroupBroadcast({a}, 3u)',
            'subgroupQuadSwapHorizontal({a})', 'int(subgroupAll({q}))',
            'int(subgroupAllEqual({a}))',
            'int(subgroupBallotBitCount(subgroupBallot({q})))'],
    'uint': ['subgroupAnd({a})', 'subgroupOr({a})', 'subgroupXor({a})',
             'subgroupInclusiveXor({a})', 'subgroupMul({a})',
             'subgroupMax({a})', 'subgroupBallot({q}).x',
             'subgroupQuadBroadcast({a}, 2u)',
             'subgroupBallotExclusiveBitCount(subgroupBallot({q}))'],
    'bool': ['subgroupAny({a})', 'subgroupInverseBallot(subgroupBallot({a}))',
             'subgroupElect()'],
    'float': ['subgroupShuffleXor({a}, 3u)', 'subgroupMin({a})',
              'subgroupMax({a})'],
    'double': ['subgroupShuffleXor({a}, 1u)', 'subgroupMax({a})',
               'subgroupShuffle({a}, {u} & 7u)'],
    'long': ['subgroupAdd({a})', 'subgroupMin({a})',
             'subgroupShuffle({a}, {u} & 7u)', 'subgroupInclusiveAdd({a})'],
}
LEAVES = {
    'short': ['int16_t(0)', 'int16_t(-1)', 'int16_t(-32768)',
              'int16_t(32767)'],
    'byte': ['int8_t(0)', 'int8_t(-1)', 'int8_t(-128)', 'int8_t(127)'],
    'half': ['0.0hf', '1.0hf', '-0.5hf', '2048.0hf'],
    'int': ['0', '1', '-1', '2147483647', '(-2147483647 - 1)', '7', '-128'],
    'uint': ['0u', '1u', '0xffffffffu', '0x80000000u', '31u', '255u'],
    'long': ['0L', '1L', '-1L', '0x7fffffffffffffffL', '0x123456789abL',
             '(-0x7fffffffffffffffL - 1L)', '0x80000000L'],
    'float': ['0.0', '1.0', '-0.5', '16777216.0', '3.0e9', '-1.0'],
    'double': ['0.0LF', '1.0LF', '-0.5LF', '1e300LF', '4503599627370497.0LF',
               '0.1LF'],
    'bool': ['true', 'false'],
}
LETTER = {'i': 'int', 'u': 'uint', 'f': 'float', 'd': 'double', 'q': 'bool',
          'l': 'long', 's': 'short', 'y': 'byte', 'h': 'half'}
STORED = {'int': '{0}', 'uint': 'int({0})', 'float': 'floatBitsToInt(fix({0}))',
          'double': 'l32(int64_t(packInt2x32(ivec2(unpackDouble2x32(fix({0}))))))',
          'bool': 'int({0})', 'long': 'l32({0})', 'short': 'int({0})',
          'byte': 'int({0})', 'half': 'floatBitsToInt(float(fix({0})))'}
INITIAL = {'int': 'int({0})', 'uint': '{0}',
           'float': 'fix(float(int({0}) >> 8))', 'double': 'double(int({0}))',
           'bool': '({0} & 1u) != 0u', 'long': 'int64_t(int({0})) * 0x10001L',
           'short': 'int16_t({0})', 'byte': 'int8_t({0})',
           'half': 'float16_t({0} & 1023u)'}


class Program:
    """A tree: statements are strings, or [head, body, tail]."""

    def __init__(self, number, statements, allowed=stages.STAGES):
        self.rnd = random.Random(number)
        self.stage = self.rnd.choice(allowed)
        self.small = self.rnd.random() < 0.25
        self.kinds = [t for t in NAMES if self.small or t not in SMALL_KINDS]
        self.left = statements
        self.loops = 0
        self.body = []
        while self.left > 0:
            self.body.append(self.statement(0, False))

    def leaf(self, kind):
        if self.rnd.random() < 0.3:
            return self.rnd.choice(LEAVES[kind])
        return self.rnd.choice(NAMES[kind])

    def expression(self, kind, depth):
        if depth <= 0 or self.rnd.random() < 0.15:
            return self.leaf(kind)
        forms = FORMS[kind]
        if self.small:
            forms = forms + SMALL_FORMS.get(kind, [])
        return self.filled(self.rnd.choice(forms), kind, depth)

    def filled(self, form, kind, depth):
        """Of a form, with operands."""
        out, at = '', 0
        while True:
            brace = form.find('{', at)
            if brace < 0:
                return out + form[at:]
            end = form.index('}', brace)
            out += form[at:brace] + self.hole(form[brace + 1:end], kind,
                                              depth)
            at = end + 1

    def hole(self, name, kind, depth):
        if name == 'rel':
            return self.rnd.choice(('<', '>', '<=', '>=', '==', '!='))
        if name == 'num': # push constants: dynamically uniform indices only
            return f'{self.rnd.randrange(16)}'
        if name == 'swz':
            return self.rnd.choice('xyz')
        return self.expression(LETTER.get(name, kind), depth - 1)

    def assignment(self):
        kind = self.rnd.choice(self.kinds)
        value = self.expression(kind, 3)
        target = self.rnd.choice(NAMES[kind])
        places = {'int': [f'arr[{self.leaf("int")} & 3]', 'st.i'],
                  'uint': [f'st.u[{self.leaf("uint")} % 3u]'],
                  'long': ['st.l', f'larr[{self.leaf("int")} & 3]'],
                  'double': [f'darr[{self.leaf("int")} & 3]'],
                  'float': [f'st.f[{self.leaf("uint")} & 1u]'],
                  'short': [f'sarr[{self.leaf("int")} & 3]'],
                  'byte': [f'yarr[{self.leaf("int")} & 3]']}
        if kind in places and self.rnd.random() < 0.3:
            target = self.rnd.choice(places[kind])
        return f'{target} = {value};'

    def of_subgroup(self):
        kind = self.rnd.choice(list(SUBGROUP_FORMS))
        form = self.rnd.choice(SUBGROUP_FORMS[kind])
        return f'{self.rnd.choice(NAMES[kind])} = ' \
            f'{self.filled(form, kind, 2)};'

    def block(self, depth, in_loop):
        return [self.statement(depth + 1, in_loop)
                for _ in range(self.rnd.randint(1, 4))]

    def statement(self, depth, in_loop):
        self.left -= 1
        pick = self.rnd.random()
        if depth == 0 and pick < 0.15 and self.stage == 'comp':
            return self.of_subgroup()
        if depth > 3 or pick < 0.55:
            return self.assignment()
        cond = self.expression('bool', 2)
        if pick < 0.68:
            return [f'if ({cond}) {{', self.block(depth, in_loop), '}']
        if pick < 0.76:
            return [f'if ({cond}) {{', self.block(depth, in_loop) + ['} else {']
                    + self.block(depth, in_loop), '}']
        if pick < 0.86:
            self.loops += 1
            n = f'n{self.loops}'
            head = (f'for (int {n} = 0; {n} < ({self.leaf("int")} & 3) + 1 && '
                    f'{n} < 5; {n}++) {{')
            return [head, self.block(depth, True), '}']
        if pick < 0.92:
            cases = []
            for i in range(self.rnd.randint(2, 5)):
                cases += [f'case {i}:'] + self.block(depth, False) + \
                    (['break;'] if self.rnd.random() < 0.7 else [])
            return [f'switch ({self.expression("int", 1)} & 7) {{',
                    cases + ['default: ;'], '}']
        if pick < 0.95 and in_loop:
            return [f'if ({cond}) {{',
                    [self.rnd.choice(('break;', 'continue;'))], '}']
        if pick < 0.97:
            return f'swap({self.rnd.choice(NAMES["int"])}, st, {cond});'
        return f'work({self.rnd.choice(NAMES["long"])}, {cond});'


def flat(body, indent='   '):
    lines = []
    for s in body:
        if isinstance(s, str):
            lines.append(indent + s)
        else:
            lines += [indent + s[0]] + flat(s[1], indent + '   ') + \
                [indent + s[2]]
    return lines


def text_of(program, body):
    """GLSL of a tree of statements."""
    stage = program.stage
    lines = ['int dot3(int x, int y, int z) { return x * y + y * z - x; }',
             'int helper(int x, uint y) { for (int i = 0; i < 4; i++) { '
             'if ((y >> i & 1u) != 0u) return x - i; x = x * 3 + 1; } '
             'return -x; }',
             'void swap(inout int x, inout S s, bool c) { int t = x; '
             'if (c) { x = s.i; s.i = t; return; } s.u[1] += uint(t); }',
             'void work(inout int64_t x, bool c) { do { x = x * 5L - 1L; '
             'if (c) break; x ^= x >> 7; } while (x < 1000L && x > 0L); }',
             'void main() {', f'   uint id = {stages.LANE[stage]};']
    lines += stages.begin(stage)
    for kind in program.kinds:
        for k, name in enumerate(NAMES[kind]):
            precise = 'precise ' if kind in ('float', 'double', 'half') else ''
            word = stages.word(stage, (k + 3 * len(kind)) % 18)
            lines.append(f'   {precise}{SPELLED.get(kind, kind)} {name} = '
                         + INITIAL[kind].format(word) + ';')
    lines += ['   int arr[4] = int[4](i0, i1, i2, K);',
              '   int64_t larr[4] = int64_t[4](l0, l1, 5L, -1L);',
              '   precise double darr[4] = double[4](d0, d1, d2, 2.5LF);',
              '   precise S st = S(i1, vec2(f0, f1), uint[3](u0, u1, u2), l2);']
    if program.small:
        lines += ['   int16_t sarr[4] = int16_t[4](short0, short1, '
                  'int16_t(7), int16_t(-9));',
                  '   int8_t yarr[4] = int8_t[4](byte0, byte1, int8_t(3), '
                  'int8_t(-1));']
    if stage == 'comp':
        lines += ['   sh[id] = i2; barrier();']
    lines += flat(body)
    lines.append('   uint at = id * 32u;')
    values = [STORED[kind].format(n) for kind in program.kinds
              for n in NAMES[kind]]
    values += [f'arr[{k}]' for k in range(4)]
    values += [STORED['long'].format('larr[1]'),
               STORED['double'].format('darr[2]'), 'st.i', 'int(st.u[1])',
               'l32(st.l)']
    lines += [f'   outp[at + {k}u] = uint({v});'
              for k, v in enumerate(values[:32])]
    lines += stages.end(stage, values)
    return VERSION + (SUBGROUPS if stage == 'comp' else '') + \
        (SMALL if program.small else '') + stages.interface(stage) + HEAD + \
        '\n'.join(lines) + '\n}\n'


def bounded():
    """Of a process: what takes more is a find, and not the machine's end."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_B, MEMORY_B))


class Driver:
    """A process that runs one program after the other; begun anew when it
    is gone, or takes more than LIMIT_S for one."""

    def __init__(self, command, **env):
        self.command, self.env = command, {**os.environ, **env}
        self.process = None

    def run(self, seed, shaders, index=3):
        """What it answers to `stage=file` words."""
        if not self.process:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self.env, text=True,
                preexec_fn=bounded)
        timer = threading.Timer(LIMIT_S, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(f'{seed} {index} {shaders}\n')
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ''
        finally:
            timer.cancel()
        if not answer.startswith('ok'):
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
            code = self.process.wait()
            self.process = None
            answer = answer or f'ended with {code}'
        return answer


class Comparison:
    """Programs beside each other on all drivers."""

    def __init__(self, args, folder):
        self.glslang = args.glslang
        self.folder = folder
        self.around = {}
        for stage, others in stages.AROUND.items():
            files = {}
            for other, text in others.items():
                files[other] = os.path.join(folder, f'{stage}.{other}')
                self.compile(text(), files[other], check=True)
            self.around[stage] = ' '.join(f'{s}={f}.spv'
                                          for s, f in files.items())
        run = args.build / 'tests/fuzz/run_programs'
        ours = args.build / 'src/intel/vulkan/libvulkan_saffron.so'
        with open(LAVAPIPE, encoding='utf-8') as f:
            other = json.load(f)['ICD']['library_path']
        self.other = Driver([run, other])
        self.ours = {g: Driver([run, ours], SAFFRON_DEVICE='sim:' + g)
                     for g in args.gen.split(',')}

    def compile(self, text, path, check=False):
        """Whether it is GLSL."""
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return subprocess.run(
            [self.glslang, '-V', '--quiet', '--target-env', 'vulkan1.2',
             path, '-o', path + '.spv'],
            stdout=subprocess.PIPE, text=True, check=check)

    def forms_differ(self, program, number, count):
        """(forms that ran, what each that differs is: {generation: how}) of
        the program that differs() had last."""
        if not count:
            return 0, []
        path = self.path(program)
        around = self.around[program.stage]
        want = self.other.run(number, f'{program.stage}={path}.spv {around}')
        other = path + '.other.spv'
        ran, found = 0, []
        for k in range(count):
            form = Form(path + '.spv', number * 1000 + k)
            if form.write(other, form.steps) is None:
                continue
            ran += 1
            for gen in self.gens_of(program):
                shaders = f'{program.stage}={other} {around}'
                if self.ours[gen].run(number, shaders) != want:
                    found.append((k, gen, self.least(form, gen, number,
                                                     shaders, other, want)))
                    break
        return ran, found

    def least(self, form, gen, number, shaders, to, want):
        """Lines about the fewest steps of a form that differ: `to` has it."""
        for steps in range(form.steps + 1):
            done = form.write(to, steps)
            if done is None:
                continue
            got = self.ours[gen].run(number, shaders)
            if got != want:
                return f'{" ".join(done)}: {difference(got, want)}'
        return 'not again'

    def peer_contradicts_itself(self, program, number, gen):
        """Whether lavapipe gives each word that we do for some form of the
        program that differs() had last, and we the same for all forms."""
        path = self.path(program)
        around = self.around[program.stage]
        shaders = f'{program.stage}={path}.spv {around}'
        ours = self.ours[gen].run(number, shaders)
        missing = differing_words(ours, self.other.run(number, shaders))
        for k in range(PEER_FORMS):
            form = Form(path + '.spv', number * 1000 + 900 + k)
            form.passes = []
            if form.write(path + '.other.spv', 60) is None:
                continue
            shaders = f'{program.stage}={path}.other.spv {around}'
            if self.ours[gen].run(number, shaders) != ours:
                return False
            missing &= differing_words(ours, self.other.run(number, shaders))
            if not missing:
                return ours.startswith('ok')
        return False

    def gens_of(self, program):
        return [g for g in self.ours
                if not program.small or g in SMALL_GENS]

    def path(self, program):
        return os.path.join(self.folder, 'p.' + program.stage)

    def differs(self, program, body, seed, gens=None):
        """{generation: how}; None: it is no GLSL."""
        path = self.path(program)
        if self.compile(text_of(program, body), path).returncode:
            return None
        path = f'{program.stage}={path}.spv {self.around[program.stage]}'
        want = self.other.run(seed, path)
        found = {}
        for gen in gens or self.gens_of(program):
            got = self.ours[gen].run(seed, path)
            if got != want:
                found[gen] = difference(got, want)
        return found


PASSES = ('--ssa-rewrite', '--merge-return', '--eliminate-dead-branches',
          '--inline-entry-points-exhaustive', '--if-conversion',
          '--loop-peeling', '--loop-unroll-partial=3', '--loop-unswitch',
          '--scalar-replacement=8', '--local-redundancy-elimination',
          '--redundancy-elimination', '--copy-propagate-arrays',
          '--convert-local-access-chains', '--ccp', '--vector-dce',
          '--combine-access-chains', '--simplify-instructions',
          '--merge-blocks', '--code-sink', '--reduce-load-size',
          '--eliminate-local-single-store', '--private-to-local',
          '--eliminate-insert-extract', '--strength-reduction')


class Form:
    """A module in another form: which, follows from a number."""

    def __init__(self, path, number):
        self.path, self.rnd = path, random.Random(number)
        self.steps = self.rnd.choice((1, 4, 12, 30))
        self.passes = self.rnd.sample(PASSES, self.rnd.randint(0, 4))
        self.seed = number

    def write(self, to, steps):
        """What was done to it; None: it is not valid, or did not end."""
        with open(self.path, 'rb') as f:
            data, done = rewrite.rewrite(f.read(), random.Random(self.seed),
                                         steps)
        with open(to, 'wb') as f:
            f.write(data)
        # No form lays out blocks otherwise; zink's are scalar.
        runs = [['spirv-val', '--target-env', 'vulkan1.2',
                 '--scalar-block-layout', to]]
        if self.passes:
            runs += [['spirv-opt', *self.passes, to, '-o', to], runs[0]]
        for command in runs:
            try:
                ended = subprocess.run(command, timeout=20, check=False,
                                       capture_output=True)
            except subprocess.TimeoutExpired:
                return None
            if ended.returncode:
                return None
        return done + self.passes


def differing_words(got, want):
    """Which words of two answers are not alike; if one is none, all."""
    a, b = got.split(), want.split()
    return {k for k in range(max(len(a), len(b))) if a[k:k + 1] != b[k:k + 1]}


def difference(got, want):
    """One line about two answers."""
    if not got.startswith('ok') or not want.startswith('ok'):
        return f'{got[:200]}, beside {want[:80]}'
    pairs = zip(got.split()[1:], want.split()[1:])
    words = [f'{k}: {a}, beside {b}' for k, (a, b) in enumerate(pairs)
             if a != b]
    return f'{len(words)} words: ' + '; '.join(words[:4])


def places(body, path=()):
    """The way to each statement, the innermost last."""
    for k, s in enumerate(body):
        yield path + (k,)
        if not isinstance(s, str):
            yield from places(s[1], path + (k, 1))


def without(body, place):
    """A copy that lacks the statement there, or has its body instead."""
    if len(place) == 1:
        return body[:place[0]] + body[place[0] + 1:]
    k = place[0]
    return body[:k] + [[body[k][0], without(body[k][1], place[2:]),
                        body[k][2]]] + body[k + 1:]


def reduce(body, is_wrong, budget=300):
    """Leaves out statements as long as it stays wrong."""
    again = True
    while again and budget > 0:
        again = False
        for place in sorted(places(body), key=len):
            budget -= 1
            if budget <= 0:
                break
            smaller = without(body, place)
            if is_wrong(smaller):
                body, again = smaller, True
                break
    return body


def report(comparison, args, number, program, found):
    """Makes it smaller, and prints and keeps it."""
    gen = next(iter(found))

    def is_wrong(smaller):
        return bool(comparison.differs(program, smaller, number, [gen]))

    body = reduce(program.body, is_wrong)
    now = comparison.differs(program, body, number) or found
    print(f'program {number}, {program.stage}:')
    for name, how in now.items():
        print(f'   {name}: {how}')
    print('\n'.join(flat(body)))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        for end in ('', '.spv'):
            with open(comparison.path(program) + end, 'rb') as f:
                data = f.read()
            name = os.path.join(args.keep,
                                f'program-{number}.{program.stage}' + end)
            with open(name, 'wb') as f:
                f.write(data)


def report_forms(comparison, args, number, program, found):
    """Prints and keeps the last."""
    for k, gen, how in found:
        print(f'program {number}, {program.stage}, form {k}: {gen}: {how}')
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        path = comparison.path(program)
        for end in ('', '.spv', '.other.spv'):
            with open(path + end, 'rb') as f:
                data = f.read()
            name = os.path.join(args.keep,
                                f'form-{number}.{program.stage}' + end)
            with open(name, 'wb') as f:
                f.write(data)
    sys.stdout.flush()


def one(comparison, args, number, progress):
    """(other forms that ran, what differs) of a program; says what."""
    program = Program(number, args.statements, args.stage.split(','))
    found = comparison.differs(program, program.body, number)
    if found or found is None:
        progress.end()
    if found is None:
        print(f'program {number} is no GLSL: ' + comparison.compile(
            text_of(program, program.body), comparison.path(program)).stdout)
        return 0, 1
    if found and all(comparison.peer_contradicts_itself(program, number, g)
                     for g in found):
        print(f'program {number}, {program.stage}: lavapipe gives what '
              f'{",".join(found)} do for other forms of it', flush=True)
        return 0, 0
    if found:
        report(comparison, args, number, program, found)
        sys.stdout.flush()
        return 0, 1
    ran, bad = comparison.forms_differ(program, number, args.rewrites)
    if bad:
        progress.end()
        report_forms(comparison, args, number, program, bad)
    return ran, len(bad)


def main():
    """0: none differs; 1: some do; 77: there is no other driver."""
    p = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    p.add_argument('--gen', default=','.join(GENS))
    p.add_argument('--count', type=int, default=100)
    p.add_argument('--first', type=int, default=1)
    p.add_argument('--statements', type=int, default=12)
    p.add_argument('--stage', default=','.join(stages.STAGES))
    p.add_argument('--rewrites', type=int, default=0)
    p.add_argument('--keep')
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--glslang', default='glslangValidator')
    args = p.parse_args()
    if not LAVAPIPE.exists():
        print('no lavapipe')
        return SKIPPED
    done = wrong = forms = 0
    progress = Progress('programs', args.count)
    with tempfile.TemporaryDirectory() as folder:
        try:
            comparison = Comparison(args, folder)
            for number in range(args.first, args.first + args.count):
                ran, bad = one(comparison, args, number, progress)
                done, forms, wrong = done + 1, forms + ran, wrong + bad
                progress.show(done, f', {forms} other forms, {wrong} differ')
        except KeyboardInterrupt:
            progress.end()
            print('interrupted')
    progress.end()
    print(f'{done} programs and {forms} other forms of them on '
          f'{args.gen}: {wrong} differ')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
