# SPDX-License-Identifier: MIT
"""Fills a Mako template from the tables: isa_generate.py TEMPLATE OUTPUT."""

import sys

from mako.template import Template

import isa_opcodes


def main(template, output):
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(t=isa_opcodes)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
