# SPDX-License-Identifier: MIT
"""kept: packets that genX_sent.h remembers are written by way of it alone.

What saf_emit() writes is not noted there: the chip would be told something
that the driver does not know of, and keeps to itself what it ought to say.
"""
import re

from tree import Find, line_at, without_comments

TABLE = 'src/intel/vulkan/genx/genX_sent.h'
FOLDER = 'src/intel/vulkan/genx/'
ROW = re.compile(r'\bX\((3DSTATE_\w+)')
WRITES = re.compile(r'\bsaf_emit\(\s*[^,()]+,\s*(3DSTATE_\w+)')


def check(tree):
    if TABLE not in tree.files:
        return
    rows = ROW.findall(without_comments(tree.text(TABLE)))
    # Some are of each stage, by its name: 3DSTATE_CONSTANT_##XS.
    families = tuple(row for row in rows if row.endswith('_'))
    for path in tree.sources():
        if not path.startswith(FOLDER):
            continue
        code = without_comments(tree.text(path))
        for match in WRITES.finditer(code):
            if match[1] in rows or match[1].startswith(families):
                yield Find(path, line_at(code, match.start()), path,
                           f'{match[1]} is kept: saf_emit_state()')
