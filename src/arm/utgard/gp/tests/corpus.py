# SPDX-License-Identifier: MIT
"""Real vertex shaders: piglit's of GLSL 1.10 to 1.30, as Debian installs it.

corpus.py GP_GLSL GP_CHECK_SPIRV [--count=N] [--every=N] [--piglit=FOLDER]

Each (or each Nth) goes through glslang and gp_check_spirv. Prints what became of them,
and how long the compiler took; fails if one is wrong, or crashes.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

# Without these their result would be undefined: indices beyond an array, and a
# component that only a certain index writes.
VALUES = {
    'glsl-vs-arrays-2.shader_test': ['--scale=0.25'],
    'glsl-vs-arrays-3.shader_test': ['--scale=0.25'],
    'glsl-vs-channel-overwrite-03.shader_test': ['--integers=3'],
    'glsl-vs-channel-overwrite-04.shader_test': ['--integers=3'],
}
FOLDERS = ['glsl-1.10', 'glsl-1.20', 'glsl-1.30']
SKIP = 77


def vertex_shaders(root):
    """(name, GLSL) of every vertex shader, in a fixed order."""
    for folder in FOLDERS:
        for path, dirs, files in os.walk(os.path.join(root, folder)):
            dirs.sort()
            for name in sorted(files):
                full = os.path.join(path, name)
                if name.endswith('.shader_test'):
                    with open(full, errors='replace') as f:
                        text = f.read()
                    found = re.search(
                        r'^\[vertex shader\]\n(.*?)(?=^\[|\Z)', text,
                        re.M | re.S)
                    if found:
                        yield full, found.group(1)
                elif name.endswith('.vert'):
                    with open(full, errors='replace') as f:
                        yield full, f.read()


def to_spirv(args, glsl, out):
    """Whether glslang takes it, through the preamble for old GLSL."""
    new = subprocess.run([args.gp_glsl], input=glsl, capture_output=True,
                         text=True, check=True).stdout
    source = out + '.vert'
    with open(source, 'w') as f:
        f.write(new)
    return subprocess.run(
        ['glslangValidator', '-V', '-R', '--auto-map-locations',
         '--auto-map-bindings', '--quiet', '-S', 'vert', '-o', out, source],
        capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('gp_glsl')
    parser.add_argument('gp_check_spirv')
    parser.add_argument('--count', type=int, default=10 ** 6)
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--piglit',
                        default='/usr/lib/x86_64-linux-gnu/piglit')
    args = parser.parse_args()
    root = os.path.join(args.piglit, 'tests', 'spec')
    if not os.path.isdir(root):
        print('no piglit at', args.piglit)
        return SKIP
    results = collections.Counter()
    times, reasons, bad = [], collections.Counter(), []
    with tempfile.TemporaryDirectory() as tmp:
        spv = os.path.join(tmp, 'shader.spv')
        for i, (name, glsl) in enumerate(vertex_shaders(root)):
            if i % args.every:
                continue
            if results['ok'] >= args.count:
                break
            if not to_spirv(args, glsl, spv):
                results['not for glslang'] += 1
                continue
            run = subprocess.run(
                [args.gp_check_spirv,
                 *VALUES.get(os.path.basename(name), []), spv],
                capture_output=True, text=True)
            line = run.stdout.strip()
            word = line.split(' ')[0] if line else 'crashed'
            results[word] += 1
            if word == 'ok':
                times.append((int(line.split(' ')[2]),
                              os.path.basename(name)))
            elif word == 'refused':
                reasons[re.sub(r'\(.*|[0-9]+', '',
                               line.split(': ', 1)[1])] += 1
            else:
                bad.append('%s: %s' % (name, line or run.stderr[-300:]))
    for what, n in results.most_common():
        print('%5d %s' % (n, what))
    for what, n in reasons.most_common(12):
        print('      %4d refused: %s' % (n, what))
    if times:
        times.sort()
        print('compile time: median %d us, worst %d us (%s)' %
              (times[len(times) // 2][0], *times[-1]))
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
