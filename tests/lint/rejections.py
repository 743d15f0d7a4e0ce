# SPDX-License-Identifier: MIT
"""rejections: each rule of the validators of NIR and of the back end's IR has
a test in which it is told, as often as it is checked.
"""
import re

from tree import Find, line_at

# (how the validator's files begin, the tests with the rules that were told)
VALIDATORS = (
    ('src/compiler/nir/core/nir_validate',
     ('src/compiler/nir/tests/test_validate.c',)),
    ('src/intel/compiler/eu/eu_validate',
     ('src/intel/compiler/tests/test_eu_validate.c',
      'src/intel/compiler/tests/passes/validate.eu')),
)
CALL = re.compile(r'\b(?:(?:EU_)?CHECK(?:_TREE)?|\w+_fault)\(')
STRING = re.compile(r'"((?:\\.|[^"\\])*)"')


def rules(text):
    """(offset, rule) of each that a validator's file may tell."""
    for call in CALL.finditer(text):
        end, depth = call.end(), 1
        while depth and end < len(text):
            depth += {'(': 1, ')': -1}.get(text[end], 0)
            end += 1
        for string in STRING.finditer(text, call.end(), end):
            yield call.start(), string[1]


def told(path, text):
    if path.endswith('.c'):
        return STRING.findall(text)
    return [line.strip() for line in text.split('\n')]


def check(tree):
    for start, tests in VALIDATORS:
        have = [rule for path in tests if path in tree.files
                for rule in told(path, tree.text(path))]
        for path in tree.files:
            if not path.startswith(start) or not path.endswith('.c'):
                continue
            text = tree.text(path)
            for at, rule in rules(text):
                if rule in have:
                    have.remove(rule)
                else:
                    yield Find(path, line_at(text, at), rule,
                               f'no test has the rule told: {rule}')
