# SPDX-License-Identifier: MIT
"""Containers against vkd3d-compiler: test_other.py TPF-COMPARE DIRECTORY.

For each container in the directory: it is accepted there, and what we read in
it does the same as the SPIR-V. By hand; `test_tpf_round N FIRST BUDGET
DIRECTORY` makes containers. Prints what differs and counts by stage.
"""

import collections
import os
import subprocess
import sys
import tempfile


def mode(compare, path):
    """How shaders of this stage are run."""
    text = subprocess.run([compare, 'text', path], stdout=subprocess.PIPE,
                          text=True).stdout
    return 'stage_other' if text[:2] in ('gs', 'hs', 'ds') else 'other'


def main():
    compare, directory = sys.argv[1:]
    counts = collections.Counter()
    spv = os.path.join(tempfile.mkdtemp(), 'a.spv')
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if not name.endswith('.dxbc'):
            continue
        done = subprocess.run(['vkd3d-compiler', '-x', 'dxbc-tpf', '-b',
                               'spirv-binary', '-o', spv, path],
                              stderr=subprocess.PIPE, text=True)
        what = 'refused'
        if done.returncode == 0:
            done = subprocess.run([compare, mode(compare, path), path, spv],
                                  stderr=subprocess.PIPE, text=True)
            what = 'differs' if done.returncode else 'same'
        if what != 'same':
            print('%s %s: %s' % (name, what, done.stderr.strip()[:200]))
        counts[name[:2] + ' ' + what] += 1
    print(dict(counts))
    return 0


if __name__ == '__main__':
    sys.exit(main())
