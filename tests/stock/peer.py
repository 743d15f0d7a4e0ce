# SPDX-License-Identifier: MIT
"""saffron peer: both compilers' programs of one test are found and counted.

The shader needs a division, which neither compiler can leave out. Exits with
77 where piglit or Mesa's driver for Intel GPUs is not installed.
"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TEST = """[require]
GLSL >= 1.50
[vertex shader]
#version 150
in vec4 piglit_vertex;
void main() { gl_Position = piglit_vertex; }
[fragment shader]
#version 150
uniform float a, b;
out vec4 colour;
void main() { colour = vec4(a / b, pow(a, b), 0.0, 1.0); }
[test]
uniform float a 1.0
uniform float b 4.0
clear
draw rect -1 -1 2 2
probe all rgba 0.25 1.0 0.0 1.0
"""


# Mesa has the table in constant data, whose address it puts into the program
# after it has printed it.
TABLE = TEST.replace(
    'uniform float a, b;',
    'const float t[32] = float[32](%s);\nuniform float a, b;' % ', '.join(
        '%d.5' % (i * i) for i in range(32))).replace(
            'pow(a, b)', 't[int(gl_FragCoord.x) & 31]').replace(
                'probe all rgba 0.25 1.0 0.0 1.0\n', '')


def check_models(peer, folder):
    """What has relocations is counted, too, and each model says something of
    its own."""
    test = Path(folder) / 'table.shader_test'
    test.write_text(TABLE)
    done = subprocess.run([sys.executable, peer, '--run', '--models', '--csv',
                           test], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=True)
    assert 'in no figure' not in done.stderr, done.stderr
    executed = [r for r in csv.DictReader(done.stdout.splitlines())
                if r['stage'] == 'fs' and r['stock run cycles']]
    assert executed
    for row in executed:
        for who in 'stock run cycles', 'our run cycles':
            assert float(row[who + ' ours:50']) < float(row[who]) < \
                float(row[who + ' ours:200']), row
            assert float(row[who + ' published']) != float(row[who]), row
        assert float(row['worst']) >= float(row['our run issue']) / \
            float(row['stock run issue']) - 0.01, row
    assert subprocess.run([sys.executable, peer, '--models', test],
                          stderr=subprocess.DEVNULL,
                          check=False).returncode == 2


def chain(length):
    """A fragment shader with so many multiply-adds of doubles."""
    steps = ''.join('x = x * x + %d.5lf; ' % n for n in range(length))
    return TEST.replace('150', '400').replace('1.50', '4.00').replace(
        'colour = vec4(a / b, pow(a, b), 0.0, 1.0);',
        'double x = gl_FragCoord.x; %s colour = vec4(x) + a * b;' % steps).replace(
            'probe all rgba 0.25 1.0 0.0 1.0\n', '')


def check_bound(peer, folder):
    """A multiply-add more is a cycle more for each lane, of what both cannot
    do without."""
    rows = {}
    for length in 3, 7:
        test = Path(folder) / ('chain%d.shader_test' % length)
        test.write_text(chain(length))
        done = subprocess.run([sys.executable, peer, '--bound', '--csv', test],
                              stdout=subprocess.PIPE, text=True, check=True)
        for row in csv.DictReader(done.stdout.splitlines()):
            if row['stage'] == 'fs' and row['our run needed'] and \
                    row['stock run needed']:
                rows[row['width'], length] = row
    widths = {w for w, _ in rows}
    assert widths and len(rows) == 2 * len(widths), rows
    for width in widths:
        for who in 'stock', 'our':
            short, longer = (float(rows[width, n][who + ' run needed'])
                             for n in (3, 7))
            assert longer - short == 4 * int(width), rows
            assert longer <= float(rows[width, 7][who + ' run issue']), rows
        row = rows[width, 7]
        least = min(float(row[w + ' run needed']) for w in ('stock', 'our'))
        assert abs(float(row['our/bound']) * least -
                   float(row['our run issue'])) < 0.01 * least, row


def check_stock_of_file(peer, earlier, test):
    """Mesa's figures come from the file; of what it has not, from Mesa."""
    text = earlier.read_text()
    doctored = earlier.with_name('doctored.csv')
    rows = list(csv.DictReader(text.splitlines()))
    for row in rows:
        if row['stock cycles']:
            row['stock cycles'] = str(2 * int(row['stock cycles']))
    for name, want in (rows[0]['test'], rows), ('another', None):
        with doctored.open('w', newline='') as f:
            out = csv.DictWriter(f, list(rows[0]))
            out.writeheader()
            out.writerows(dict(row, test=name) for row in rows)
        done = subprocess.run([sys.executable, peer, '--run', '--csv',
                               '--stock=%s' % doctored, test],
                              stdout=subprocess.PIPE, text=True, check=True)
        got = csv.DictReader(done.stdout.splitlines())
        for row, earlier_row in zip(got, want or csv.DictReader(
                text.splitlines())):
            assert row['stock cycles'] == earlier_row['stock cycles'], row
            assert row['stock run cycles'] == \
                earlier_row['stock run cycles'], row
    doctored.write_text('test,stage,width\n')
    assert subprocess.run([sys.executable, peer, '--stock=%s' % doctored,
                           test], stderr=subprocess.DEVNULL,
                          check=False).returncode == 2


def main(peer):
    if not Path('/usr/lib/x86_64-linux-gnu/piglit/bin/shader_runner').exists():
        return 77
    with tempfile.TemporaryDirectory() as folder, \
            tempfile.NamedTemporaryFile('w', suffix='.shader_test') as f:
        f.write(TEST)
        f.flush()
        done = subprocess.run([sys.executable, peer, '--csv', f.name],
                              stdout=subprocess.PIPE, text=True, check=False)
        rows = {(r['stage'], r['width']): r
                for r in csv.DictReader(done.stdout.splitlines())}
        if done.returncode == 1 and not any(r['stock cycles']
                                            for r in rows.values()):
            return 77
        assert done.returncode == 0, done.stdout
        for width in '8', '16':
            row = rows['fs', width]
            for who in 'stock ', 'our ':
                assert int(row[who + 'sends']) == 1, row
                assert int(row[who + 'spills']) == 0, row
                # A reciprocal or division, a power, a target write at least.
                assert int(row[who + 'instructions']) >= 5, row
            assert float(row['ratio']) > 0, row
        earlier = Path(folder) / 'earlier.csv'
        done = subprocess.run([sys.executable, peer, '--run', '--csv',
                               '--output=%s' % earlier, f.name],
                              stdout=subprocess.PIPE, text=True, check=True)
        assert done.stdout == earlier.read_text(), done.stdout
        # The draw takes one of the widths; what has no jumps is executed once.
        executed = [r for r in csv.DictReader(done.stdout.splitlines())
                    if r['stage'] == 'fs' and r['our run cycles']]
        assert executed
        for row in executed:
            for who in 'stock ', 'our ':
                assert float(row[who + 'run instructions']) == \
                    float(row[who + 'instructions']), row
                assert 0 < float(row[who + 'run issue']) < \
                    float(row[who + 'run cycles']), row
        check_stock_of_file(peer, earlier, f.name)
        check_models(peer, folder)
        check_bound(peer, folder)
        # Half as fast as it was.
        for row in executed:
            row['our run issue'] = str(float(row['our run issue']) / 2)
        with earlier.open('w', newline='') as old:
            out = csv.DictWriter(old, list(executed[0]))
            out.writeheader()
            out.writerows(executed)
        done = subprocess.run([sys.executable, peer, '--run',
                               '--against=%s' % earlier, f.name],
                              stdout=subprocess.PIPE, text=True, check=True)
        assert re.search(r'^fs 16 +1( +1\.00 \(1\.00\)){4} +2\.00 ',
                         done.stdout, re.M), done.stdout
        assert '%d of' % len(executed) in done.stdout, done.stdout
    assert subprocess.run([sys.executable, peer, '/nonexistent'],
                          stderr=subprocess.DEVNULL,
                          check=False).returncode == 2
    return 0


sys.exit(main(sys.argv[1]))
