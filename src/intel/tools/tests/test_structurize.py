#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saffron structurize: counts, graphs, errors. Usage: test_structurize.py TOOL
[KERNEL...]."""

import os
import re
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]

# Counts down in states; 2 and 3 are reached by a select.
DISPATCH = '''#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int d[]; };
void main() {
   int s = 0, n = d[0], sum = 0;
   while (s != 4) {
      switch (s) {
      case 0: sum = n; s = 1; break;
      case 1: s = n > 0 ? 2 : 3; break;
      case 2: sum += n * n; n--; s = 1; break;
      case 3: sum = -sum; s = 4; break;
      }
   }
   d[1] = sum;
}
'''
PLAIN = '''#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int d[]; };
void main() {
   int n = d[0], sum = 0;
   for (int i = 0; i < n; i++) {
      if (d[i] == 7)
         continue;
      if (d[i] == 9)
         break;
      sum += d[i];
   }
   d[1] = sum;
}
'''


def run(*args):
    return subprocess.run([TOOL, *args], capture_output=True, text=True)


def compiled(folder, name, source):
    path = os.path.join(folder, name + '.comp')
    with open(path, 'w') as f:
        f.write(source)
    subprocess.run(['glslangValidator', '-V', '--quiet', path, '-o',
                    path + '.spv'], check=True)
    return path + '.spv'


def counts(text):
    m = re.search(r'after: (\d+) blocks? of NIR, (\d+) cop\w+, (\d+) state '
                  r'variables?, (\d+) exit predicates?', text)
    return [int(x) for x in m.groups()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        plain = compiled(folder, 'plain', PLAIN)
        dispatch = compiled(folder, 'dispatch', DISPATCH)

        r = run(plain)
        assert r.returncode == 0 and 'reducible' in r.stdout, r
        assert counts(r.stdout)[1:] == [0, 0, 0], r.stdout

        kept = run(dispatch)
        undone = run('--undo-dispatch', dispatch)
        assert 'dispatch undone' not in kept.stdout, kept
        assert 'dispatch undone' in undone.stdout, undone
        assert counts(undone.stdout)[0] < counts(kept.stdout)[0] / 2

        dot, nir = (os.path.join(folder, x) for x in ('a.dot', 'a.nir'))
        r = run('-u', '-d', dot, '-o', nir, dispatch)
        assert r.returncode == 0, r
        with open(dot) as f:
            text = f.read()
        assert text.count('digraph') == 2 and 'peripheries=2' in text, text
        with open(nir) as f:
            text = f.read()
        assert text.count('loop {') == 1, text

        # The result is input again, and is as it was.
        again = run(nir)
        assert counts(again.stdout) == counts(undone.stdout), again

        # Standard output is what it was asked for, and nothing else.
        for option, first in ('-o', 'shader:'), ('-d', 'digraph'):
            r = run(option, '-', nir)
            assert r.stdout.startswith(first), r
            assert counts(r.stderr) == counts(undone.stdout), r

        for kernel in sys.argv[2:]:
            r = run('-d', dot, '-o', nir, kernel)
            irreducible = 'walk' in kernel
            assert r.returncode == 0 and \
                ('irreducible' in r.stdout) == irreducible, r
            assert irreducible or counts(r.stdout)[1:3] == [0, 0], r
            again = run(nir)
            assert again.returncode == 0 and 'irred' not in again.stdout, again
            r = run('-c', '0', kernel)
            assert counts(r.stdout)[1:3] == [0, int(irreducible)], r

        for args in ([], ['--what', plain], ['-c', 'x', plain],
                     [os.path.join(folder, 'absent')],
                     ['-o', folder, plain]):
            assert run(*args).returncode == 2, args
        bad = os.path.join(folder, 'bad.nir')
        with open(bad, 'w') as f:
            f.write('shader: MESA_SHADER_COMPUTE\nnonsense\n')
        r = run(bad)
        assert r.returncode == 1 and 'bad.nir:2' in r.stderr, r
        # What cannot be read costs nobody the last result.
        with open(nir) as f:
            before = f.read()
        r = run('-o', nir, '-d', nir, bad)
        assert r.returncode == 1, r
        with open(nir) as f:
            assert f.read() == before != ''
        with open(plain, 'ab') as f:
            f.write(b'x')
        r = run(plain)
        assert r.returncode == 1 and 'no whole number of words' in r.stderr, r
        r = run('--help')
        assert r.returncode == 0 and r.stdout.startswith('usage:'), r


if __name__ == '__main__':
    main()
