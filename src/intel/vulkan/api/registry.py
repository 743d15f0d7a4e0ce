# SPDX-License-Identifier: MIT
"""Reads vk.xml, the Vulkan registry, as far as the installed headers go.

The registry grows, and holds more than the headers that are made of it: other
APIs (Vulkan SC), disabled extensions and those of other platforms. What is
newer than this reader is left alone. Meaning of the attributes: "The Khronos
Vulkan API Registry" (registry.html of Vulkan-Docs), sections "Feature
Elements", "Extension Elements" and "Require Elements".
"""
import re
import xml.etree.ElementTree as ElementTree

import newer

# Of platforms, those whose headers saf_entrypoints.h has.
PLATFORMS = (None, 'wayland', 'xcb', 'xlib')

# Of an alias' names, the first is that of the function (see function_name): a
# command keeps its name when it is taken over from EXT.
VENDORS = ('EXT', 'KHR')


def read(path):
    """The root of a registry, with what newer.py adds to it."""
    return newer.add_to(ElementTree.parse(path).getroot())


def for_vulkan(element):
    """Whether an element is of the Vulkan API (not only of Vulkan SC)."""
    for attribute in ('api', 'export', 'supported'):
        names = element.get(attribute)
        if names is not None and 'vulkan' not in names.split(','):
            return False
    return True


def text_of(element):
    """The C text of an element, without comments."""
    parts = [element.text or '']
    for child in element:
        if child.tag != 'comment':
            parts.append(child.text or '')
        parts.append(child.tail or '')
    return ' '.join(''.join(parts).split())


def version(root):
    """(major, minor, patch) of the registry, as numbers."""
    complete = root.find("types/type[name='VK_HEADER_VERSION_COMPLETE']")
    for element in root.findall("types/type[name='VK_HEADER_VERSION']"):
        if for_vulkan(element):
            patch = int(element.find('name').tail)
    for element in root.findall(
            "types/type[name='VK_HEADER_VERSION_COMPLETE']"):
        if for_vulkan(element):
            complete = element
    major, minor = re.search(r'(\d+)\s*,\s*(\d+)\s*,[^,]*$',
                             ''.join(complete.itertext())).groups()
    return int(major), int(minor), patch


def patch(root):
    """That of the versions which the driver reports: of the registry, with
    what newer.py adds."""
    return max(version(root)[2], newer.PATCH)


def holds(condition, available):
    """Whether the condition of a `depends` attribute holds: names, with '+'
    for and, ',' for or, from left to right, and parentheses. A name of a
    feature (STRUCT::MEMBER) is no name of a chapter, and holds."""
    tokens = re.findall(r'[()+,]|[\w:]+', condition)

    def operand():
        token = tokens.pop(0)
        if token != '(':
            return '::' in token or token in available
        value = expression()
        tokens.pop(0)
        return value

    def expression():
        value = operand()
        while tokens and tokens[0] != ')':
            both = tokens.pop(0) == '+'
            other = operand()
            value = value and other if both else value or other
        return value

    return expression()


def extensions(root):
    """The extensions that are in the headers, of our platforms; what is
    provisional is so for those who define a macro."""
    return [e for e in root.findall('extensions/extension')
            if 'vulkan' in (e.get('supported') or '').split(',') and
            e.get('platform') in PLATFORMS and
            e.get('provisional') != 'true']


def versions(root, names):
    """The chapters of core versions, of those named and of the parts that
    they are made of since vk.xml 1.4.330."""
    chapters = {f.get('name'): f for f in root.findall('feature')}
    todo, found = list(names), []
    while todo:
        name = todo.pop()
        if name in chapters and name not in found:
            found.append(name)
            todo += re.findall(r'\w+', chapters[name].get('depends') or '')
    return [chapters[name] for name in chapters if name in found]


def chapters(root):
    """All that is in the headers."""
    core = [f.get('name') for f in root.findall('feature') if for_vulkan(f)]
    return versions(root, core) + extensions(root)


def requirements(chapter, available=None):
    """The <require> elements of a chapter, given the names of the chapters
    `available`; all of them without."""
    rows = []
    for require in chapter.findall('require'):
        needs = '+'.join(filter(None, (
            require.get('extension'), require.get('feature'),
            require.get('depends') and f"({require.get('depends')})")))
        if for_vulkan(require) and (available is None or not needs or
                                    holds(needs, available)):
            rows.append(require)
    return rows


def required(chapter, tag, available=None):
    """Names of the commands or types (`tag`) that a chapter needs."""
    return [e.get('name') for require in requirements(chapter, available)
            for e in require.findall(tag) if for_vulkan(e)]


def structures(root):
    """The <type> elements of the structures of the headers, but aliases."""
    present = {name for chapter in chapters(root)
               for name in required(chapter, 'type')}
    return [t for t in root.findall("types/type[@category='struct']")
            if for_vulkan(t) and not t.get('alias') and
            t.get('name') in present]


def members(structure):
    """Its <member> elements."""
    return [m for m in structure.findall('member') if for_vulkan(m)]


def command_elements(root):
    """{name: (<command> element with a prototype, name of that)}, aliases
    included."""
    elements, aliases = {}, {}
    for element in root.findall('commands/command'):
        if not for_vulkan(element):
            continue
        if element.get('alias'):
            aliases[element.get('name')] = element.get('alias')
        else:
            name = element.find('proto/name').text
            elements[name] = element, name
    for name, target in aliases.items():
        while target in aliases:
            target = aliases[target]
        # An alias of what is not of Vulkan is not, either.
        if target in elements:
            elements[name] = elements[target]
    return elements


def function_name(names, core):
    """Which of the names of one command, all of chapters that we have, its
    function goes by: that of a core version, else of the vendor that comes
    first. Names of newer versions play no part, so that a command keeps its
    name when it is promoted to a version that we do not have."""
    def rank(name):
        vendor = re.search('[A-Z]{2,}$', name)
        order = VENDORS.index(vendor[0]) if vendor and \
            vendor[0] in VENDORS else len(VENDORS)
        return name not in core, order, name

    return min(names, key=rank)
