# SPDX-License-Identifier: MIT
"""compile --gen=mali400 from end to end.

test_compile.py GP_COMPILE GP_RUN

Lengths of programs against those of the public driver's compiler, and output
that gp-run runs. What is refused: ../../tests/test_errors.py.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Instructions of the public driver's compiler for shaders of this kind, as
# noted in the fact sheet of the machine; its sources are not public.
PEER = {'exp2': 6, 'log2': 6, 'mat4': 17, 'pow': 28, 'loop': 39,
        'pressure': 127, 'stress': 129, 'lights': 158}

MAIN = 'void main() { gl_Position = vec4(0.0); %s }\n'
# With a position that is divided by its w: the least there is.
PROJECTED = ('#version 100\nattribute vec4 p; attribute float x; varying float v;\n'
             'void main() { gl_Position = p; v = %s(x); }\n')
PROJECTED_LENGTH = 7


class Failure(Exception):
    pass


def compile_file(tool, path, *options):
    return subprocess.run([tool, '--gen=mali400', *options, path],
                          capture_output=True, text=True)


def check_peers(tool):
    for name, limit in PEER.items():
        path = os.path.join(HERE, 'peer', name + '.vert')
        run = compile_file(tool, path, '--stats=json')
        if run.returncode:
            raise Failure('%s: %s' % (name, run.stderr))
        count = json.loads(run.stdout)['instructions']
        print('%-10s %4d instructions, peer %4d' % (name, count, limit))
        if count > limit:
            raise Failure('%s is longer than the peer' % name)


def check_projected(tool, tmp):
    path = os.path.join(tmp, 'projected.vert')
    for function in ('exp2', 'log2'):
        with open(path, 'w') as f:
            f.write(PROJECTED % function)
        stats = json.loads(compile_file(tool, path, '--stats=json').stdout)
        if not (stats['instructions'] == stats['lower_bound'] ==
                PROJECTED_LENGTH):
            raise Failure('projected %s: %s' % (function, stats))


def check_run(tool, run_tool, tmp):
    """Through gp-run: v = u * a + 0.5 on three vertices."""
    paths = {k: os.path.join(tmp, k) for k in ('s.vert', 'a', 'u', 'p')}
    with open(paths['s.vert'], 'w') as f:
        f.write('#version 100\nattribute vec4 a; uniform float u;\n'
                'varying vec4 v;\n' + MAIN % 'v = a * u + 0.5;')
    program = compile_file(tool, paths['s.vert'], '--program',
                           '--no-viewport')
    with open(paths['p'], 'w') as f:
        f.write(program.stdout)
    rows = [(1, 2, 3, 4), (-1, 0.5, 0, 8), (16, -2, 1, 0)]
    with open(paths['a'], 'w') as f:
        f.writelines('%g,%g,%g,%g\n' % r for r in rows)
    with open(paths['u'], 'w') as f:
        f.write('2,0,0,0\n')
    run = subprocess.run([run_tool, paths['p'], '--attributes=' + paths['a'],
                          '--uniforms=' + paths['u']], capture_output=True,
                         text=True)
    if run.returncode:
        raise Failure('gp-run: ' + run.stderr)
    for row in rows:
        want = ','.join('%g' % (2 * x + 0.5) for x in row)
        if want not in run.stdout.replace(' ', ''):
            raise Failure('gp-run: no %s in\n%s' % (want, run.stdout))


def run_program(tool, run_tool, tmp, source, attributes, uniforms=()):
    """The rows that gp-run writes, by name of the column."""
    paths = {k: os.path.join(tmp, k) for k in ('q.vert', 'qa', 'qu', 'qp')}
    with open(paths['q.vert'], 'w') as f:
        f.write(source)
    program = compile_file(tool, paths['q.vert'], '--program',
                           '--no-viewport')
    if program.returncode:
        raise Failure('%s\n%s' % (program.stderr, source))
    with open(paths['qp'], 'w') as f:
        f.write(program.stdout)
    for name, rows in (('qa', attributes), ('qu', uniforms)):
        with open(paths[name], 'w') as f:
            f.writelines(','.join('%g' % x for x in r) + '\n' for r in rows)
    run = subprocess.run(
        [run_tool, paths['qp'], '--attributes=' + paths['qa']] +
        (['--uniforms=' + paths['qu']] if uniforms else []),
        capture_output=True, text=True)
    if run.returncode:
        raise Failure('gp-run: %s\n%s' % (run.stderr, source))
    lines = run.stdout.strip().split('\n')
    return [dict(zip(lines[0].split(','), map(float, line.split(','))))
            for line in lines[1:]]


# GLSL ES 1.00 as it stands, what v1 is for a = (1, 2, 3, 4), and uniforms.
ES = [
    # Only what is read counts, wherever it is declared.
    ('uniform vec4 none[400]; uniform vec4 b; uniform vec4 more[400];'
     'uniform mat4 m; uniform vec4 unread;', 'v = b + more[3] + m[2];',
     (710, 720, 730, 740),
     [(10, 20, 30, 40), (100, 100, 100, 100), (600, 600, 600, 600)]),
    # Names that later versions took.
    ('mat2 transpose(mat2 x) { return x + mat2(1.0, 2.0, 3.0, 4.0); }'
     'float round(float x) { return x + 0.25; }'
     'vec2 inverse(in vec2 x) { return x.yx; }',
     'v = vec4(transpose(mat2(a.x, a.y, a.z, a.w))[1], round(a.x),'
     ' inverse(a.xy).x);', (6, 8, 1.25, 2), ()),
    ('uniform vec4 sample; vec4 smooth(highp vec4 buffer)'
     ' { return buffer * 2.0; }', 'v = smooth(a) + sample;', (3, 5, 7, 9),
     [(1, 1, 1, 1)]),
    # A constant array, and what only ES knows.
    ('#ifdef GL_ES\nprecision mediump float;\n#else\n#error no ES\n#endif\n',
     'vec4 c[3]; c[0] = a; c[1] = a * 2.0; c[2] = a * 3.0;'
     ' v = vec4(0.0); for (int i = 0; i < 3; i++) v += c[i];',
     (6, 12, 18, 24), ()),
]


def check_es(tool, run_tool, tmp):
    for declarations, body, want, uniforms in ES:
        source = ('#version 100\n%s\nattribute vec4 a; varying vec4 v;\n' %
                  declarations) + MAIN % body
        row = run_program(tool, run_tool, tmp, source, [(1, 2, 3, 4)],
                          uniforms)[0]
        got = tuple(row['v1.' + c] for c in 'xyzw')
        if got != want:
            raise Failure('%s is not %s:\n%s' % (got, want, source))


# Types of varyings, in the order of their locations, and where they go: the
# row and the first component.
PACKED = [
    (['float'] * 16, [(1 + i % 12, i // 12) for i in range(16)]),
    (['vec3'] * 12 + ['float'] * 12,
     [(1 + i, 0) for i in range(12)] + [(1 + i, 3) for i in range(12)]),
    (['vec2'] * 16, [(1 + i, 0) for i in range(12)] +
     [(12 - i, 2) for i in range(4)]),
    (['float', 'vec4'] * 7,
     [p for i in range(7) for p in ((8 + i if i < 5 else 3 + i, i // 5),
                                    (1 + i, 0))]),
]


def check_packed(tool, run_tool, tmp):
    """Each component of each varying has a number of its own."""
    for types, places in PACKED:
        widths = [int(t[-1]) if t[-1] in '234' else 1 for t in types]
        source = '#version 100\nattribute vec4 a;\n'
        body = ''
        for i, (t, n) in enumerate(zip(types, widths)):
            source += 'varying %s v%d;\n' % (t, i)
            body += 'v%d = a.x + %s;' % (i, '%s(%s)' % (t, ', '.join(
                '%d.0' % (10 * i + c) for c in range(n))))
        row = run_program(tool, run_tool, tmp, source + MAIN % body,
                          [(1, 0, 0, 0)])[0]
        for i, (at, first) in enumerate(places):
            for c in range(widths[i]):
                name = 'v%d.%s' % (at, 'xyzw'[first + c])
                if row.get(name) != 10 * i + c + 1:
                    raise Failure('%s: varying %d is not in %s: %s' %
                                  (types, i, name, row))


# Of --stats=json.
FIELDS = {'instructions', 'lower_bound', 'blocks', 'moves', 'register_stores',
          'register_loads', 'spills', 'temporaries', 'cross_block_scalars',
          'uniform_vec4s', 'literal_vec4s', 'attributes', 'varyings',
          'prefetch'}


def check_rounding(tool, run_tool, tmp):
    """roundEven of what has no fraction, of ties, and next to them."""
    paths = {k: os.path.join(tmp, k) for k in ('r.vert', 'ra', 'rp')}
    with open(paths['r.vert'], 'w') as f:
        f.write('#version 300 es\nin float a; out float v;\n' +
                MAIN % 'v = roundEven(a);')
    program = compile_file(tool, paths['r.vert'], '--program',
                           '--no-viewport')
    with open(paths['rp'], 'w') as f:
        f.write(program.stdout)
    rows = [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2),
            (0.49999997, 0), (0.50000006, 1), (3.7, 4), (-3.7, -4),
            (8388607.5, 8388608), (8388609, 8388609), (-8388611, -8388611),
            (16777215, 16777215), (float('-inf'), float('-inf'))]
    with open(paths['ra'], 'w') as f:
        f.writelines('%.9g,0,0,1\n' % r[0] for r in rows)
    run = subprocess.run([run_tool, paths['rp'], '--attributes=' +
                          paths['ra']], capture_output=True, text=True)
    lines = run.stdout.strip().split('\n')
    column = lines[0].split(',').index('v1.x') if lines[0] else 0
    got = [float(line.split(',')[column]) for line in lines[1:]]
    for (x, expected), y in zip(rows, got + [None] * len(rows)):
        if y != expected:
            raise Failure('roundEven(%.9g) is %s: %s' % (x, y, run.stderr))


def check_branch(tool, tmp):
    """56 scalars that wait for a branch, many of them in temporaries: in some
    order that is tried the branch goes before their sums."""
    path = os.path.join(tmp, 'w.vert')
    rows = [(0, -0.5, 9), (1, 0.25, 3), (1, -0.5, 10), (0, 0.5, 0), (1, 0.5, 3),
            (1, -0.5, 1), (0, 0.5, 5), (0, 0.5, 10), (1, 0.5, 12),
            (0, -0.5, 4), (1, 0.25, 0), (0, 0.25, 12), (0, 0.25, 1),
            (1, -0.5, 12)]
    with open(path, 'w') as f:
        f.write('#version 450\n'
                'layout(location = 0) in vec4 a0;\n'
                'layout(location = 1) in vec4 a1;\n'
                'layout(binding = 0) uniform U { vec4 u[13]; };\n'
                'layout(location = 0) out vec4 v;\n'
                'int index(float f, int n) {\n'
                '  return int(mod(abs(floor(f * 3.0)), float(n)));\n'
                '}\n'
                'float norm(float f) { return inversesqrt(abs(f) + 1.0); }\n'
                'void main() {\n  vec2 r[4];\n')
        for i, (a, factor, u) in enumerate(rows):
            f.write('  vec4 x%d = a%d * %g + u[%d] * 0.125;\n' %
                    (i, a, factor, u))
        f.write('  if (norm(r[index(x12.x, 4)].y) < norm(norm(x0.w)))\n'
                '    x1 = clamp(u[index(x1.z, 13)] * 0.125, -4.0, 4.0);\n'
                '  v += (' + ' + '.join('x%d' % i for i in range(14)) +
                ') * 0.0625;\n}\n')
    done = compile_file(tool, path, '--stats')
    if done.returncode:
        raise Failure('branch: ' + done.stderr)


def check_spilled_addresses(tool):
    done = compile_file(tool, os.path.join(HERE, 'addresses.vert'), '--stats')
    if done.returncode:
        raise Failure('spilled addresses: ' + done.stderr)


def check_addresses(tool, run_tool, tmp):
    """48 different indices at once, of which three are loaded by at a time."""
    paths = {k: os.path.join(tmp, k) for k in ('d.vert', 'da', 'du', 'dp')}
    with open(paths['d.vert'], 'w') as f:
        f.write('#version 310 es\nuniform vec4 u[64];\n')
        for i in range(12):
            f.write('layout(location = %d) in ivec4 a%d;\n'
                    'layout(location = %d) out vec4 v%d;\n' % (i, i, i, i))
        f.write(MAIN % ' '.join('v%d.%s = u[a%d.%s].x;' % (i, c, i, c)
                                for i in range(12) for c in 'xyzw'))
    program = compile_file(tool, paths['d.vert'], '--program')
    if program.returncode:
        raise Failure('addresses: ' + program.stderr)
    order = [i * 29 % 64 for i in range(48)]
    for path, lines in (('dp', [program.stdout]),
                        ('da', [','.join(map(str, order))]),
                        ('du', ['%d,0,0,0' % (100 + i) for i in range(64)] +
                               ['1,1,1,0', '0,0,0,0'])):
        with open(paths[path], 'w') as f:
            f.write('\n'.join(lines) + '\n')
    run = subprocess.run([run_tool, paths['dp'], '--attributes=' + paths['da'],
                          '--uniforms=' + paths['du']], capture_output=True,
                         text=True)
    lines = run.stdout.strip().split('\n')
    if run.returncode or not lines[-1].endswith(
            ','.join(str(100 + i) for i in order)):
        raise Failure('addresses: %s%s' % (run.stdout, run.stderr))


def check_entry_points(tool, tmp):
    """One of a module that has others, of another stage, before it."""
    path = os.path.join(tmp, 'e.spv')
    with open(os.path.join(tmp, 'e.vert'), 'w') as f:
        f.write('#version 450\nlayout(location = 0) in vec4 a;\n'
                'void main() { gl_Position = a; }\n')
    subprocess.run(['glslangValidator', '-V', '--quiet', '-o', path,
                    os.path.join(tmp, 'e.vert')], check=True)
    with open(path, 'rb') as f:
        words = list(struct.unpack('<%dI' % (os.path.getsize(path) // 4),
                                   f.read()))
    at = 5
    while words[at] & 0xffff != 15:
        at += words[at] >> 16
    # OpEntryPoint Fragment of the same function, as "frag".
    words[at:at] = [5 << 16 | 15, 4, words[at + 2],
                    *struct.unpack('<2I', b'frag\0\0\0\0')]
    with open(path, 'wb') as f:
        f.write(struct.pack('<%dI' % len(words), *words))
    done = compile_file(tool, path, '--stats')
    if done.returncode:
        raise Failure('entry points: ' + done.stderr)
    done = compile_file(tool, path, '--stats', '--entry=frag')
    if done.returncode != 1 or 'the stage of "frag"' not in done.stderr:
        raise Failure('entry points: %r' % done)


def check_statistics(tool):
    """Against what the text of the program shows."""
    for name in ('lights', 'pressure'):
        path = os.path.join(HERE, 'peer', name + '.vert')
        stats = json.loads(compile_file(tool, path, '--stats=json').stdout)
        if set(stats) != FIELDS:
            raise Failure('fields: %s' % sorted(FIELDS ^ set(stats)))
        text = compile_file(tool, path, '--program').stdout
        words = re.findall(r'^\d+: .*', text, re.M)
        loads = len(re.findall(r'\bp[01]=r', text))
        # r0 for the next word only is left out.
        loads += sum('p0=' not in w and re.search(r'p0\.[xyzw]@1', n) is not None
                     for w, n in zip(words, words[1:]))
        if (stats['instructions'], stats['register_loads']) != (len(words),
                                                                loads):
            raise Failure('%s: %s, %d loads' % (name, stats, loads))


def check_messages(tool, tmp):
    """They name the user's file; what ends in the middle is no GLSL."""
    path = os.path.join(tmp, 'bad.vert')
    for text, words in ((MAIN % 'frob;', 'frob'),
                        (MAIN % '' + '\0 frob\n', 'a NUL'),
                        ('\x03\x02\x23\x07' + 5 * 'x',
                         '9 bytes are no whole number of words')):
        with open(path, 'w') as f:
            f.write(text)
        done = subprocess.run([tool, path], capture_output=True, text=True)
        if done.returncode != 1 or words not in done.stderr or \
                path not in done.stderr or '/tmp/saffron-' in done.stderr:
            raise Failure('messages: %r' % done)


def main():
    tool, run_tool = sys.argv[1:]
    try:
        check_peers(tool)
        check_statistics(tool)
        check_spilled_addresses(tool)
        with tempfile.TemporaryDirectory() as tmp:
            check_projected(tool, tmp)
            check_messages(tool, tmp)
            check_run(tool, run_tool, tmp)
            check_rounding(tool, run_tool, tmp)
            check_es(tool, run_tool, tmp)
            check_packed(tool, run_tool, tmp)
            check_addresses(tool, run_tool, tmp)
            check_branch(tool, tmp)
            check_entry_points(tool, tmp)
    except Failure as e:
        print(e)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
