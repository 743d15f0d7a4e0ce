# SPDX-License-Identifier: MIT
"""Fills a Mako template from the tables: gp_generate.py TEMPLATE OUTPUT.

A table with a fault stops the build with one line for each fault.
"""

import sys

from mako.template import Template

import gp_isa


def main(template, output):
    faults = gp_isa.check()
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(t=gp_isa)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
