# SPDX-License-Identifier: MIT
"""version: no test of the generation outside of the allowed places.

Allowed are genX_*.c files, src/intel/dev, the instruction set (its tables
are rows a generation) and tests. What else compares a generation's number or
switches on it wants a row of a table, a translation, or a query of the
device.
"""
import re

from tree import Find, is_test, without_comments

ALLOWED = re.compile(r'^src/intel/(?:dev|isa|genxml|tools)/|/genX_[^/]*$|'
                     r'_gen[0-9]+\.[ch]$')
TEST = re.compile(
    r'\b(?:verx10|ver|gen|generation)\b\)?\s*(?:==|!=|<=|>=|<(?!<)|>(?!>))|'
    r'(?:==|!=|<=|>=|[^<]<|[^->]>)\s*(?:\w+(?:->|\.))*(?:verx10|ISA_GEN_\w+)'
    r'\b|\bISA_GEN_\w+\s*(?:==|!=|<=|>=|<|>)|'
    r'\bswitch\s*\([^)]*\b(?:verx10|gen)\b\s*\)|'
    # Generations as masks: of one, or that is compared with some.
    r'<<\s*isa_gen_from_number\b|\bgen\)?\s*&\s*\(?\w*GEN\d|'
    r'\bverx10\)+\s*&\s*\(?\w*GEN\d')


def check(tree):
    for path in tree.sources():
        if (not path.startswith('src/intel/') or is_test(path) or
                ALLOWED.search(path)):
            continue
        code = without_comments(tree.text(path)).split('\n')
        for number, line in enumerate(code, 1):
            if not line.startswith('#') and TEST.search(line):
                yield Find(path, number, path, 'a version test: ' +
                           line.strip())
