# SPDX-License-Identifier: MIT
"""format: all C is as clang-format leaves it, by the .clang-format of the tree.

A table whose columns mean something stands between `clang-format off` and
`clang-format on`.
"""
import re
import subprocess

from tree import Find

BATCH = 40
COMPLAINT = re.compile(r'^(.+?):(\d+):\d+: (?:error|warning): ', re.M)


def check(tree):
    paths = list(tree.sources())
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
