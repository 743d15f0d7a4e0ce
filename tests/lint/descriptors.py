# SPDX-License-Identifier: MIT
"""descriptors: no field of a message descriptor is taken or made by shifts.

Where fields lie is said in isa_messages.py alone; compiler, simulator and
tools have them from isa_messages.h. Tests may write descriptors as numbers.
"""
import re

from tree import Find, is_test, without_comments

PLACES = re.compile(r'^src/intel/(?:compiler|sim|tools)/')
DESC = r'\b(?:\w+(?:->|\.))*(?:ex_)?desc\b'
SHIFT = re.compile(
    DESC + r'\s*(?:<<|>>|&(?!&)|\|(?!\|))|'
    r'(?:<<|>>|[^&]&|[^|]\|)\s*\(?' + DESC + r'|' +
    DESC + r'\s*(?:[|&]|<<|>>)=')
ADDRESS = re.compile(r'[(,=]\s*&' + DESC)


def check(tree):
    for path in tree.sources():
        if not PLACES.search(path) or is_test(path):
            continue
        code = without_comments(tree.text(path)).split('\n')
        for number, line in enumerate(code, 1):
            if SHIFT.search(ADDRESS.sub('', line)):
                yield Find(path, number, path, 'a descriptor\'s field beside '
                           'isa_messages.h: ' + line.strip())
