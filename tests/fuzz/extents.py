#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shaders that are long, or nested deep: what SPIR-V allows a function (1023
constructs in each other, 16383 cases) compiles on each generation, in time
that grows about as the shader does. What grows faster than its text, calls of
calls, is refused beyond a limit, with its reason.

usage: extents.py SAFFRON_COMPILE GLSLANG [GENERATION...]
"""
import os
import resource
import subprocess
import sys
import tempfile

GENS = ('skl', 'bdw', 'hsw', 'ivb')
HEAD = '''#version 450
layout(location = 0) in vec4 x;
layout(location = 0) out vec4 color;
'''
MAIN = HEAD + 'void main() { float v = x.x; %s color = vec4(v); }\n'
STEP = 'v = v * x.z + %d.0;'
# Most seconds of processor time; 2 n may take so many times what n takes.
LIMIT_S = 60
MOST_GROWTH = 5
SMALL_S = 0.3


def if_chain(n):
    """else if."""
    return MAIN % ' else '.join(
        f'if (x.y < {i}.0) {STEP % (i % 50)}\n' for i in range(n))


def nested(n):
    """An if in an if."""
    return MAIN % (''.join(f'if (x.y < {n - i}.0) {{ {STEP % 1}\n'
                           for i in range(n)) + '}' * n)


def nested_loops(n):
    """As many as a stack of loops may be deep, with ifs between them."""
    depth = n // 40
    return MAIN % (''.join(
        f'for (int i{i} = 0; i{i} < int(x.w); i{i}++) {{ '
        f'if (v > {i}.0) break; {STEP % i}\n' for i in range(depth)) +
        '}' * depth)


def cases(n):
    """A switch, with some that fall through."""
    return MAIN % ('switch (int(x.w)) {' + ''.join(
        f'case {3 * i}: {STEP % (i % 50)} {"break;" if i % 5 else ""}\n'
        for i in range(n)) + '}')


def returns(n):
    """Early returns."""
    return HEAD + ('float f() { float v = x.x; %s return v; }\n'
                   'void main() { color = vec4(f()); }' % ''.join(
                       f'if (x.y * v < {i}.0) return v; {STEP % (i % 9)}\n'
                       for i in range(n)))


def discards(n):
    """Of one pixel after the other."""
    return MAIN % ''.join(f'if (x.y * v < {i}.0) discard; {STEP % (i % 9)}\n'
                          for i in range(n))


def statements(n):
    """One after the other."""
    return MAIN % ''.join(f'v = sin(v * {i}.0) + x.y;\n'
                          for i in range(4 * n))


def long_loop(n):
    """Jumps of more than 256 KiB."""
    part = ''.join(f'v = sin(v * {i}.0) + x.y;\n' for i in range(4 * n))
    return MAIN % ('for (int i = 0; i < int(x.w); i++) { if (v > 9.0) break; '
                   f'if (x.z > v) {{ {part} if (v > 3.0) continue; '
                   f'if (v > 2.0) discard; }} else {{ {part} }} }}')


def calls(depth):
    """Each function calls the one before it twice."""
    return HEAD + 'float f0(float v) { return sin(v) * 1.5 + x.y; }\n' + \
        ''.join(f'float f{i}(float v) {{ return f{i - 1}(f{i - 1}(v)); }}\n'
                for i in range(1, depth + 1)) + \
        f'void main() {{ color = vec4(f{depth}(x.x)); }}\n'


SHAPES = (if_chain, nested, nested_loops, cases, returns, discards, statements,
          long_loop)


class Compiler:
    """The program, and where the shaders are put."""

    def __init__(self, saffron, glslang, folder):
        self.saffron, self.glslang = saffron, glslang
        self.source = os.path.join(folder, 's.frag')
        self.binary = os.path.join(folder, 's.spv')

    def run(self, text, gen):
        """Exit code, what it said, and its processor time."""
        with open(self.source, 'w', encoding='utf-8') as f:
            f.write(text)
        subprocess.run([self.glslang, '-V', '-o', self.binary, self.source],
                       check=True, stdout=subprocess.DEVNULL)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(
            [self.saffron, '--gen=' + gen, '--stats', self.binary],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            timeout=10 * LIMIT_S, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        return done.returncode, done.stderr.decode(), after - before


def check_shape(compiler, shape, gen):
    """What is wrong, as a sentence; None: nothing."""
    times = []
    for n in (500, 1000):
        code, said, time_s = compiler.run(shape(n), gen)
        if code:
            return f'{shape.__name__} {n} on {gen}: {code}: {said.strip()}'
        times.append(time_s)
    if times[1] > MOST_GROWTH * max(times[0], SMALL_S):
        return (f'{shape.__name__} on {gen}: {times[0]:.1f} s, twice of it '
                f'{times[1]:.1f} s')
    return None


def check_calls(compiler, gen):
    """The last that compiles, and the first that does not."""
    for depth in range(10, 31, 4):
        code, said, time_s = compiler.run(calls(depth), gen)
        if time_s > LIMIT_S:
            return f'calls {depth} deep on {gen}: {time_s:.0f} s'
        if code:
            wanted = code == 1 and 'instructions after inlining' in said
            return None if wanted else f'calls {depth} deep on {gen}: ' \
                                       f'{code}: {said.strip()}'
    return f'calls {depth} deep on {gen}: not refused'


def main():
    """Prints what is wrong."""
    saffron, glslang, *gens = sys.argv[1:]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(saffron, glslang, folder)
        for gen in gens or GENS:
            found = [check_shape(compiler, s, gen) for s in SHAPES]
            found.append(check_calls(compiler, gen))
            faults += [f for f in found if f]
    for f in faults:
        print(f)
    print(f'{len(SHAPES) + 1} shapes: {len(faults)} wrong')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
