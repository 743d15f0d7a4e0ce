# SPDX-License-Identifier: MIT
"""Fills a Mako template from the rows: d3dbc_generate.py TEMPLATE OUTPUT.

A table with a fault stops the build with one line for each fault.
"""

import sys

from mako.template import Template

import d3dbc_tables


def main(template, output):
    faults = d3dbc_tables.check()
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(t=d3dbc_tables)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
