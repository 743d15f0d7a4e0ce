# SPDX-License-Identifier: MIT
"""Generations and sizes of chips, as the table of devices has them.

usage: chips.py TABLE.c OUT    writes names alone, for an installed command
"""
import sys

SOURCE = 'src/intel/dev/intel_device_info.c'


def sizes(text):
    """Names with a size, 'skl-gt2', of the source of the table: its rows have
    '.name = "skl",' or '"skl-gt1",' and behind it '.gt = N,'."""
    gen = None
    for line in text.splitlines():
        field, _, value = line.strip().rstrip(',').partition(' = ')
        if field == '.name':
            gen = value.strip('"').partition('-')[0]
        elif field == '.gt':
            yield f'{gen}-gt{value}'


def read(path):
    """{generation: [its sizes]}, the newest first, of the table or of the
    file that this writes."""
    with open(path, encoding='utf-8') as f:
        text = f.read()
    names = sizes(text) if path.endswith('.c') else text.split()
    gens = {}
    for name in names:
        gens.setdefault(name.partition('-')[0], []).append(name)
    return {gen: sorted(gens[gen]) for gen in reversed(gens)}


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        names = list(sizes(f.read()))
    with open(sys.argv[2], 'w', encoding='utf-8') as f:
        f.write('\n'.join(names) + '\n')


if __name__ == '__main__':
    main()
