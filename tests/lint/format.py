# SPDX-License-Identifier: MIT
"""format: the C of these folders is as clang-format leaves it, by the
.clang-format of the tree.

Other folders follow when nobody is at work in them: format a folder in a
commit of its own, then name it here.
"""
import re
import subprocess

from tree import Find

FOLDERS = ('demo/', 'include/saffron/', 'src/compiler/nir/')
BATCH = 40
COMPLAINT = re.compile(r'^(.+?):(\d+):\d+: (?:error|warning): ', re.M)


def check(tree):
    paths = [p for p in tree.sources() if p.startswith(FOLDERS)]
    for at in range(0, len(paths), BATCH):
        batch = paths[at:at + BATCH]
        try:
            done = subprocess.run(
                ['clang-format', '--dry-run', '--Werror'] + batch,
                cwd=tree.root, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
        except FileNotFoundError:
            yield Find(batch[0], 1, 'clang-format', 'no clang-format here')
            return
        seen = set()
        for match in COMPLAINT.finditer(done.stdout):
            if match[1] not in seen:
                seen.add(match[1])
                yield Find(match[1], int(match[2]), match[1],
                           f'not as clang-format leaves it: clang-format -i '
                           f'{match[1]}')
        if done.returncode and not seen:
            yield Find(batch[0], 1, 'clang-format', done.stdout[:200])
