# SPDX-License-Identifier: MIT
"""passes: each pass of NIR and of the back end has text cases, one that it
changes and one that it must leave alone (src/compiler/nir/tests/test_text.c,
src/intel/compiler/tests/test_eu_text.c).
"""
import re

from tree import Find, line_at

# (where passes are named, how, the folder of their cases)
TABLES = (
    ('src/compiler/nir/nir_passes.h', re.compile(r'\b(nir_\w+)\(nir_shader \*'
                                                 r'shader'),
     'src/compiler/nir/tests/passes/'),
    *((f'src/intel/compiler/{header}',
       re.compile(r'^   (?:OPTIONAL|REQUIRED)\((\w+)\)', re.M),
       'src/intel/compiler/tests/passes/')
      for header in ('eu/eu_pass.h', 'fs/fs_compile.h', 'vec4/vec4_compile.h')),
)


def cases(text):
    """{pass: kinds of case} of a file of cases."""
    have = {}
    for case in re.split(r'^case ', text, flags=re.M)[1:]:
        name = re.search(r'^pass (\S+)', case, re.M)
        for kind in re.findall(r'^(after|unchanged)$', case, re.M):
            if name:
                have.setdefault(name[1], set()).add(kind)
    return have


def check(tree):
    for where, names, folder in TABLES:
        have = {}
        for path in tree.files:
            if path.startswith(folder):
                for name, kinds in cases(tree.text(path)).items():
                    have.setdefault(name, set()).update(kinds)
        text = tree.text(where) if where in tree.files else ''
        for match in names.finditer(text):
            missing = {'after', 'unchanged'} - have.get(match[1], set())
            for kind in sorted(missing):
                yield Find(where, line_at(text, match.start()), match[1],
                           f'{match[1]} has no case `{kind}` in {folder}')
