# SPDX-License-Identifier: MIT
"""Reads the help of a command or tool: from it follow the manual pages and
what a shell completes."""
import re

# "  -g, --gen=GEN      text", "      --stats[=json] text", "  --step  text"
# "      --stage=STAGE, --entry=NAME text"; a comma within a value has no blank.
LONG = r'--[\w-]+(?:\[?=(?:[^\s,]|,(?=\S))+)?'
OPTION = re.compile(rf' {{1,6}}((?:-\w, )?{LONG}(?:, {LONG})*|-\w)(?:$| +(.*))')


class Part:
    """A paragraph ('text'), lines as they are ('example'), or an option:
    its names with their values, and what it does."""

    def __init__(self, kind, head, lines):
        self.kind, self.head, self.lines = kind, head, lines

    def text(self):
        return ' '.join(' '.join(self.lines).split())


def indent(line):
    return len(line) - len(line.lstrip())


def parse(text):
    """(the usage without 'usage: ', [parts])."""
    lines = text.splitlines()
    usage = [lines.pop(0)[len('usage: '):]]
    while lines and lines[0].startswith('       '):
        usage.append(lines.pop(0).strip())
    parts, last = [], None
    for line in lines:
        option = OPTION.match(line)
        if not line.strip():
            last = None
        elif option:
            names = line.strip()
            if option[2] is not None:
                names = line[:option.start(2)].strip()
            last = Part('option', names, [option[2] or ''])
            parts.append(last)
        elif last and last.kind == 'option' and indent(line) > 2:
            last.lines.append(line.strip())
        else:
            kind = 'example' if indent(line) else 'text'
            if not last or last.kind != kind:
                last = Part(kind, None, [])
                parts.append(last)
            last.lines.append(line)
    return ' '.join(usage), parts


def options(text):
    """['--gen=', '--strict', '--strict=', ...]: with = where a value may
    follow."""
    found = []
    for part in parse(text)[1]:
        if part.kind != 'option':
            continue
        for name, optional, value in re.findall(
                r'(--[\w-]+)(\[?)(=?)', part.head):
            if optional or not value:
                found.append(name)
            if value:
                found.append(name + '=')
    return found


def values(text, name):
    """Words that the help of an option lists as its values: those of
    '=json|FILE' and '[=fault]' that are in small letters."""
    for part in parse(text)[1]:
        if part.kind == 'option':
            m = re.search(re.escape(name) + r'\[?=([^\s,\]]+)', part.head)
            if m:
                return [v for v in m[1].split('|') if v == v.lower() and
                        v.isalpha()]
    return []
