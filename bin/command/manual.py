# SPDX-License-Identifier: MIT
"""Writes a page of the manual from the help of a command.

usage: manual.py BIN_SAFFRON COMMAND VERSION OUT [TOOL]...
       manual.py --list           names of the pages

COMMAND is a row of table.py that needs no sources; 'saffron' is the page of
all. A command that is a
tool in C is given as TOOL: one program, or with that for --gen=mali400 two.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
# pylint: disable=wrong-import-position
from command import help as overview, helptext  # noqa: E402
from command.place import Place  # noqa: E402
from command.table import BY_NAME, COMMANDS  # noqa: E402


def roff(text):
    """Text that troff takes as it is."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text[:1] in ('.', "'") else text


def part(p):
    if p.kind == 'option':
        return f'.TP\n.B {roff(p.head)}\n{roff(p.text())}\n'
    if p.kind == 'text':
        return f'.PP\n{roff(p.text())}\n'
    return '.PP\n.nf\n' + ''.join(roff(line) + '\n' for line in p.lines) + \
        '.fi\n'


def body(text):
    usage, parts = helptext.parse(text)
    # argparse's heading of what stands below it anyway.
    parts = [p for p in parts if p.lines != ['options:']]
    return f'.B {roff(usage)}\n', ''.join(map(part, parts))


def tool_help(name, tool):
    done = subprocess.run([f'saffron {name}', '--help'], executable=tool,
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout


def python_help(place, row):
    module = getattr(__import__('command.' + row.module), row.module)
    place.command = row
    return module.help_text(place)


def helps(saffron, name, tools):
    """What the command of that name says to --help: one text, or one of each
    of its tools."""
    place = Place(saffron)
    place.me = 'saffron'  # as it is typed where there is a manual
    return [tool_help(name, t) for t in tools] or \
        [python_help(place, BY_NAME[name])]


def page(title, summary, texts, version, related):
    """`texts` are of usage, options and paragraphs."""
    (usage, description), *others = map(body, texts)
    out = [f'.TH {roff(title.upper())} 1 "" "saffron {version}" '
           f'"User Commands"\n',
           f'.SH NAME\n{roff(title)} \\- {roff(summary)}\n',
           f'.SH SYNOPSIS\n{usage}', f'.SH DESCRIPTION\n{description}']
    for usage, description in others:
        out += [f'.SH MALI\\-400\n{usage}', description]
    out.append('.SH SEE ALSO\n' + ''.join(
        f'.BR {roff(r)} (1){"" if r == related[-1] else ","}\n'
        for r in related))
    return ''.join(out)


def pages():
    return ['saffron', *(c.name for c in COMMANDS
                         if c.installed and c.name != 'help')]


def all_commands(place, version):
    text = overview.more(place)
    out = page('saffron', 'OpenGL and Vulkan driver for Intel Gen7 to Gen9, '
               'its compilers and a simulated GPU',
               ['usage: saffron COMMAND [OPTIONS]\n\n' + text], version,
               [f'saffron-{name}' for name in pages()[1:]])
    rows = ''.join(part(helptext.Part('option', f'{c.name} {c.words}'.strip(),
                                      [c.summary])) for c in COMMANDS)
    return out.replace('.SH SEE ALSO', f'.SH COMMANDS\n{rows}.SH SEE ALSO')


def main():
    if sys.argv[1:] == ['--list']:
        print(*pages(), sep='\n')
        return
    itself, name, version, out, *tools = sys.argv[1:]
    if name == 'saffron':
        place = Place(itself)
        place.me = 'saffron'
        text = all_commands(place, version)
    else:
        text = page(f'saffron-{name}', BY_NAME[name].summary,
                    helps(itself, name, tools), version, ['saffron'])
    with open(out, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main()
