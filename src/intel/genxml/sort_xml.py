# SPDX-License-Identifier: MIT
"""
Puts a description in order: enums, structs, commands, registers, each by
name; fields by place. `--check` only says whether that would change it.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

import genxml

KINDS = ['remove', 'enum', 'struct', 'command', 'register']
ORDER = ['name', 'kind', 'mi', 'op', 'blt', 'at', 'for', 'dwords', 'bits',
         'length', 'type', 'prefix', 'count', 'stride', 'default', 'overlay',
         'values']


def natural(text):
    return [(0, int(p), '') if p.isdigit() else (1, 0, p)
            for p in re.findall(r'\d+|\D+', text)]


def attributes(element):
    parts = [f'{k}="{element.get(k)}"'
             for k in ORDER if element.get(k) is not None]
    if len(parts) != len(element.attrib):
        raise genxml.SpecError(f'{element.get("name")}: unknown attribute')
    return ' '.join([element.tag] + parts)


def field_place(field):
    match = genxml.AT_RE.match(field.get('at'))
    return int(match[1]), int(match[3] or match[2] or 0)


def render(text):
    """The file's text with its elements in order; the head is kept."""
    root = ElementTree.fromstring(text)
    head = text[:text.index('<genxml')]
    base = f' base="{root.get("base")}"' if root.get('base') else ''
    lines = [f'<genxml gen="{root.get("gen")}" '
             f'verx10="{root.get("verx10")}"{base}>']
    for group in sorted(root, key=lambda e: (KINDS.index(e.tag),
                                             natural(e.get('name')))):
        if len(group) == 0:
            lines.append(f'  <{attributes(group)}/>')
            continue
        lines.append(f'  <{attributes(group)}>')
        lines += [f'    <{attributes(f)}/>'
                  for f in sorted(group, key=field_place)]
        lines.append(f'  </{group.tag}>')
    return head + '\n'.join(lines + ['</genxml>', ''])


def main():
    check = '--check' in sys.argv
    for path in [a for a in sys.argv[1:] if a != '--check']:
        with open(path, encoding='utf-8') as file:
            text = file.read()
        result = render(text)
        if check and result != text:
            sys.exit(f'{path}: not in order; run sort_xml.py on it')
        if result != text:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(result)


if __name__ == '__main__':
    main()
