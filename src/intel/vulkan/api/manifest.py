# SPDX-License-Identifier: MIT
"""Writes a manifest of the driver for the Vulkan loader.

usage: manifest.py --xml vk.xml --library PATH [--place DIR] --out FILE.json

With a place, which is where the manifest is installed, the library is named
from there, so that the whole can be moved.

The version is the greatest that a generation reports: of API_VERSIONS in
extensions.py, with the patch that saf_api_versions has, too.
"""
import argparse
import json
import os

import extensions
import registry


def manifest(root, library):
    """The manifest's text, for a registry and the path of the library."""
    version = (*max(extensions.API_VERSIONS.values()), registry.patch(root))
    return json.dumps({
        'file_format_version': '1.0.0',
        'ICD': {'library_path': library,
                'api_version': '%d.%d.%d' % version},
    }, indent=4) + '\n'


def main():
    parser = argparse.ArgumentParser()
    for name in 'xml', 'library', 'out':
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--place')
    args = parser.parse_args()
    library = args.library
    if args.place:
        library = os.path.relpath(library, args.place)
    root = registry.read(args.xml)
    with open(args.out, 'w', encoding='utf-8') as f:
        f.write(manifest(root, library))


if __name__ == '__main__':
    main()
