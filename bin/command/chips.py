# SPDX-License-Identifier: MIT
"""Chips and their sizes, as the table of devices has them.

usage: chips.py TABLE.c OUT    writes names alone, for an installed command
"""
import re
import sys

# The generations, by the chip that each is named after.
FAMILIES = ('skl', 'bdw', 'hsw', 'ivb')
SOURCE = 'src/intel/dev/intel_device_info.c'


def sizes(text):
    """Names with a size, 'skl-gt2', of the source of the table: its rows have
    'DEVICE("skl", 2,' or '"skl-gt1", 1,'."""
    for chip, size in re.findall(r'DEVICE\("([\w.-]+)", (\d+),', text):
        yield chip if '-' in chip else f'{chip}-gt{size}'


def family(path, name):
    """The generation of a chip, or of a size of one: 'skl' of 'kbl-gt1'. In the
    table a row begins with the macro of its generation, GEN9_KABY_LAKE; the
    first row of one gives the generation its name. What has no row is None."""
    with open(path, encoding='utf-8') as f:
        text = f.read()
    chip = aliases(text).get(name, name).partition('-')[0]
    first = {}
    for gen, found in re.findall(
            r'^ {3}\{ GEN(\d+)[^"]*?DEVICE\("(\w+)', text, re.M):
        first.setdefault(gen, found)
        if found == chip:
            return first[gen]
    return None


def aliases(text):
    """{other name: chip}, of the rows '{ "apl", "bxt" },' of the table."""
    return dict(re.findall(r'\{ "([a-z]+)", "([a-z]+)" \}', text))


def read(path):
    """{generation: [its sizes]}, the newest first, of the table or of the
    file that this writes."""
    with open(path, encoding='utf-8') as f:
        text = f.read()
    names = sizes(text) if path.endswith('.c') else text.split()
    gens = {}
    for name in names:
        if '=' in name:
            continue
        gens.setdefault(name.partition('-')[0], []).append(name)
    return {gen: sorted(gens[gen]) for gen in reversed(gens)}


def other_names(path):
    """{other name: chip}, of the table or of the file that this writes."""
    with open(path, encoding='utf-8') as f:
        text = f.read()
    return aliases(text) if path.endswith('.c') else \
        dict(line.split('=') for line in text.split() if '=' in line)


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        text = f.read()
    names = [*sizes(text), *('='.join(a) for a in aliases(text).items())]
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write('\n'.join(names) + '\n')


if __name__ == '__main__':
    main()
