# SPDX-License-Identifier: MIT
"""passes: each NIR pass has text cases, one that it changes and one that it
must leave alone (src/compiler/nir/tests/test_text.c).
"""
import re

from tree import Find, line_at

HEADER = 'src/compiler/nir/nir_passes.h'
CASES = 'src/compiler/nir/tests/passes/'
PASS = re.compile(r'\b(nir_\w+)\(nir_shader \*shader')


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
    have = {}
    for path in tree.files:
        if path.startswith(CASES):
            for name, kinds in cases(tree.text(path)).items():
                have.setdefault(name, set()).update(kinds)
    text = tree.text(HEADER) if HEADER in tree.files else ''
    for match in PASS.finditer(text):
        for kind in sorted({'after', 'unchanged'} - have.get(match[1], set())):
            yield Find(HEADER, line_at(text, match.start()), match[1],
                       f'{match[1]} has no case `{kind}` in {CASES}')
