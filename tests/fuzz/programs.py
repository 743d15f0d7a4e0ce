#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random GLSL programs on the driver, on each generation, beside another driver
(lavapipe), many in one process: where the languages promise bits, all words
that a program writes must be equal.

usage: bin/saffron fuzz --programs [--gen=G[,G...]] [--count=N] [--first=N]
                                   [--statements=N] [--keep=DIR]

What a program is made of follows from its number alone. It uses 32- and 64-bit
integers, floats, doubles, booleans, vectors, small matrices, arrays with
computed indices, structures, functions with inout parameters and early
returns, loops with break and continue, switch, shared memory, a uniform block
and push constants. What GLSL leaves open is not in it: divisions by zero,
conversions that do not fit, shifts by more than there are bits, the bits of
NaNs, signs of zeros, subnormal floats; sums and products of floats are
`precise`.

A program that differs is made smaller as long as it differs, by leaving out
statements and putting constants for expressions; it is printed, and kept in
DIR with its .spv.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LAVAPIPE = Path('/usr/share/vulkan/icd.d/lvp_icd.x86_64.json')
SKIPPED = 77
GENS = ('skl', 'bdw', 'hsw', 'ivb')
LANES = 8
HEAD = '''#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 8) in;
layout(constant_id = 0) const int K = 3;
layout(std430, set = 0, binding = 0) readonly buffer I { uint inp[256]; };
layout(std430, set = 0, binding = 1) buffer O { uint outp[256]; };
layout(std140, set = 0, binding = 2) uniform U { uvec4 uni[16]; };
layout(push_constant) uniform P { uint pc[16]; };
struct S { int i; vec2 f; uint u[3]; int64_t l; };
shared int sh[8];
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
SPELLED = {'long': 'int64_t'}
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
             'uni[{a} & 15u][{b} & 3u]', 'pc[{a} & 15u]', 'inp[{a} & 255u]',
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
LEAVES = {
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
          'l': 'long'}
STORED = {'int': '{0}', 'uint': 'int({0})', 'float': 'floatBitsToInt(fix({0}))',
          'double': 'l32(int64_t(packInt2x32(ivec2(unpackDouble2x32(fix({0}))))))',
          'bool': 'int({0})', 'long': 'l32({0})'}


class Program:
    """A tree: statements are strings, or [head, body, tail]."""

    def __init__(self, number, statements):
        self.rnd = random.Random(number)
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
        form, out, at = self.rnd.choice(FORMS[kind]), '', 0
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
        if name == 'swz':
            return self.rnd.choice('xyz')
        return self.expression(LETTER.get(name, kind), depth - 1)

    def assignment(self):
        kind = self.rnd.choice(list(NAMES))
        value = self.expression(kind, 3)
        target = self.rnd.choice(NAMES[kind])
        places = {'int': [f'arr[{self.leaf("int")} & 3]', 'st.i'],
                  'uint': [f'st.u[{self.leaf("uint")} % 3u]'],
                  'long': ['st.l', f'larr[{self.leaf("int")} & 3]'],
                  'double': [f'darr[{self.leaf("int")} & 3]'],
                  'float': [f'st.f[{self.leaf("uint")} & 1u]']}
        if kind in places and self.rnd.random() < 0.3:
            target = self.rnd.choice(places[kind])
        return f'{target} = {value};'

    def block(self, depth, in_loop):
        return [self.statement(depth + 1, in_loop)
                for _ in range(self.rnd.randint(1, 4))]

    def statement(self, depth, in_loop):
        self.left -= 1
        pick = self.rnd.random()
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


def text_of(body):
    """GLSL of a tree of statements."""
    lines = ['int dot3(int x, int y, int z) { return x * y + y * z - x; }',
             'int helper(int x, uint y) { for (int i = 0; i < 4; i++) { '
             'if ((y >> i & 1u) != 0u) return x - i; x = x * 3 + 1; } '
             'return -x; }',
             'void swap(inout int x, inout S s, bool c) { int t = x; '
             'if (c) { x = s.i; s.i = t; return; } s.u[1] += uint(t); }',
             'void work(inout int64_t x, bool c) { do { x = x * 5L - 1L; '
             'if (c) break; x ^= x >> 7; } while (x < 1000L && x > 0L); }',
             'void main() {', '   uint id = gl_LocalInvocationIndex;']
    for kind, names in NAMES.items():
        word = 'inp[(id * 19u + %du) & 255u]'
        value = {'int': 'int({0})', 'uint': '{0}',
                 'float': 'fix(float(int({0}) >> 8))',
                 'double': 'double(int({0}))', 'bool': '({0} & 1u) != 0u',
                 'long': 'int64_t(int({0})) * 0x10001L'}[kind]
        for k, name in enumerate(names):
            precise = 'precise ' if kind in ('float', 'double') else ''
            lines.append(f'   {precise}{SPELLED.get(kind, kind)} {name} = '
                         + value.format(word % (k + 3 * len(kind))) + ';')
    lines += ['   int arr[4] = int[4](i0, i1, i2, K);',
              '   int64_t larr[4] = int64_t[4](l0, l1, 5L, -1L);',
              '   precise double darr[4] = double[4](d0, d1, d2, 2.5LF);',
              '   precise S st = S(i1, vec2(f0, f1), uint[3](u0, u1, u2), l2);',
              '   sh[id] = i2; barrier();']
    lines += flat(body)
    lines.append('   uint at = id * 32u;')
    values = [STORED[kind].format(n) for kind, ns in NAMES.items() for n in ns]
    values += [f'arr[{k}]' for k in range(4)]
    values += [STORED['long'].format('larr[1]'),
               STORED['double'].format('darr[2]'), 'st.i', 'int(st.u[1])',
               'l32(st.l)']
    lines += [f'   outp[at + {k}u] = uint({v});'
              for k, v in enumerate(values)]
    return HEAD + '\n'.join(lines) + '\n}\n'


class Driver:
    """A process that runs one program after the other; begun anew when it
    is gone."""

    def __init__(self, command, **env):
        self.command, self.env = command, {**os.environ, **env}
        self.process = None

    def run(self, seed, path, index=3):
        if not self.process:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=self.env, text=True)
        try:
            self.process.stdin.write(f'{seed} {index} {path}\n')
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ''
        if not answer.startswith('ok'):
            self.process.stdin.close()
            code = self.process.wait()
            self.process = None
            answer = answer or f'ended with {code}'
        return answer


class Comparison:
    """Programs beside each other on all drivers."""

    def __init__(self, args, folder):
        self.glslang = args.glslang
        self.path = os.path.join(folder, 'p.comp')
        run = args.build / 'tests/fuzz/run_programs'
        ours = args.build / 'src/intel/vulkan/libvulkan_saffron.so'
        with open(LAVAPIPE, encoding='utf-8') as f:
            other = json.load(f)['ICD']['library_path']
        self.other = Driver([run, other])
        self.ours = {g: Driver([run, ours], SAFFRON_DEVICE='sim:' + g)
                     for g in args.gen.split(',')}

    def compile(self, text):
        """Whether it is GLSL."""
        with open(self.path, 'w', encoding='utf-8') as f:
            f.write(text)
        return subprocess.run(
            [self.glslang, '-V', '--quiet', '--target-env', 'vulkan1.1',
             self.path, '-o', self.path + '.spv'],
            stdout=subprocess.PIPE, text=True, check=False)

    def differs(self, text, seed, gens=None):
        """{generation: how}; None: it is no GLSL."""
        if self.compile(text).returncode:
            return None
        path = self.path + '.spv'
        want = self.other.run(seed, path)
        found = {}
        for gen in gens or self.ours:
            got = self.ours[gen].run(seed, path)
            if got != want:
                found[gen] = difference(got, want)
        return found


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


def report(comparison, args, number, body, found):
    """Makes it smaller, and prints and keeps it."""
    gen = next(iter(found))

    def is_wrong(smaller):
        return bool(comparison.differs(text_of(smaller), number, [gen]))

    body = reduce(body, is_wrong)
    text = text_of(body)
    now = comparison.differs(text, number) or found
    print(f'program {number}:')
    for name, how in now.items():
        print(f'   {name}: {how}')
    print('\n'.join(flat(body)))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        for end in ('', '.spv'):
            with open(comparison.path + end, 'rb') as f:
                data = f.read()
            name = os.path.join(args.keep, f'program-{number}.comp' + end)
            with open(name, 'wb') as f:
                f.write(data)


def main():
    """0: none differs; 1: some do; 77: there is no other driver."""
    p = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    p.add_argument('--gen', default=','.join(GENS))
    p.add_argument('--count', type=int, default=100)
    p.add_argument('--first', type=int, default=1)
    p.add_argument('--statements', type=int, default=12)
    p.add_argument('--keep')
    p.add_argument('--build', type=Path, default=ROOT / 'build')
    p.add_argument('--glslang', default='glslangValidator')
    args = p.parse_args()
    if not LAVAPIPE.exists():
        print('no lavapipe')
        return SKIPPED
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(args, folder)
        for number in range(args.first, args.first + args.count):
            body = Program(number, args.statements).body
            found = comparison.differs(text_of(body), number)
            if found is None:
                print(f'program {number} is no GLSL: '
                      + comparison.compile(text_of(body)).stdout)
            if found or found is None:
                wrong += 1
            if found:
                report(comparison, args, number, body, found)
                sys.stdout.flush()
    print(f'{args.count} programs on {args.gen}: {wrong} differ')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
