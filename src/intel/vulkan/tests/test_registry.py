#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the generators make of vk.xml, of it as it is and with what a later one
may bring: test_registry.py vk.xml"""
import copy
import functools
import json
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'api'))
import document  # noqa: E402
import entrypoints  # noqa: E402
import extensions  # noqa: E402
import manifest  # noqa: E402
import newer  # noqa: E402
import registry  # noqa: E402

VK_XML = sys.argv[1]
STRUCT = '''
<type category="struct" name="VkPhysicalDevice{name}"
 structextends="VkPhysicalDeviceFeatures2,VkDeviceCreateInfo" {more}>
<member values="VK_STRUCTURE_TYPE_{name}"><type>VkStructureType</type>
<name>sType</name></member>
<member><type>VkBool32</type> <name>one</name></member>
<member api="vulkansc"><type>VkBool32</type> <name>one</name></member></type>'''
# Structures with features, of which only the first is in the headers.
CHAPTERS = '''
<extension name="VK_EXT_there" supported="vulkan,vulkansc">
<require><type name="VkPhysicalDeviceThere"/></require></extension>
<extension name="VK_NV_provisional" supported="vulkan" platform="provisional">
<require><type name="VkPhysicalDeviceProvisional"/>
<command name="vkCmdProvisional"/></require></extension>
<extension name="VK_NV_draft" supported="vulkan" provisional="true">
<require><type name="VkPhysicalDeviceDraft"/></require></extension>
<extension name="VK_EXT_disabled" supported="disabled">
<require><type name="VkPhysicalDeviceDisabled"/></require></extension>
<extension name="VK_KHR_safe" supported="vulkansc">
<require><type name="VkPhysicalDeviceSafe"/></require></extension>'''


def parse(text):
    return ElementTree.fromstring(f'<x>{text}</x>')


def promote(root, name):
    """Makes a command an alias of one of Vulkan 9.0."""
    commands = root.find('commands')
    element = next(e for e in commands.findall('command')
                   if e.findtext('proto/name') == name)
    core = name.rstrip('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    element.find('proto/name').text = core
    for e in commands.findall(f"command[@alias='{name}']"):
        e.set('alias', core)
    commands.insert(0, parse(f'<command name="{name}" alias="{core}"/>')[0])
    root.append(parse(f'''<feature api="vulkan" name="VK_{core}_9_0"
        number="9.0"><require><command name="{core}"/></require>
        </feature>''')[0])


def table(root):
    return {c.name: (c.target, c.core, sorted(c.extensions), c.params,
                     c.is_recorded)
            for c in entrypoints.wanted_commands(root)}


class Registry(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = registry.read(VK_XML)
        cls.table = table(cls.root)

    @functools.cached_property
    def later(self):
        """A registry to change, of each test."""
        return registry.read(VK_XML)

    def test_conditions(self):
        have = {'A', 'B'}
        for text, want in (
                ('A', True), ('C', False), ('A+B', True), ('A+C', False),
                ('C,A', True), ('C,D', False), ('(C,A)+B', True),
                ('(C,A)+(C,D)', False), ('((C+A),A)+B', True),
                ('A+VkFeatures::any', True), ('C+VkFeatures::any', False)):
            self.assertEqual(registry.holds(text, have), want, text)

    def test_structures(self):
        """Those of other APIs and platforms and of disabled extensions are in
        no header."""
        names = 'There', 'Provisional', 'Draft', 'Disabled', 'Safe', 'Alone'
        for name in names:
            self.later.find('types').append(
                parse(STRUCT.format(name=name, more=''))[0])
        self.later.find('types').append(parse(STRUCT.format(
            name='OfSafe', more='api="vulkansc"'))[0])
        self.later.find('extensions').extend(parse(CHAPTERS))
        self.later.append(parse('''<feature api="vulkansc" number="9.0"
            name="VKSC_VERSION_9_0"><require>
            <type name="VkPhysicalDeviceOfSafe"/>
            <type name="VkPhysicalDeviceAlone"/></require></feature>''')[0])
        new = set(entrypoints.feature_structs(self.later)) - \
            set(entrypoints.feature_structs(self.root))
        self.assertEqual(new, {('VkPhysicalDeviceThere',
                                'VK_STRUCTURE_TYPE_There', 1)})

    def test_promoted(self):
        """A command that a later version takes in keeps its function."""
        for name in ('vkCmdSetColorWriteEnableEXT', 'vkWaitForPresentKHR',
                     'vkGetSemaphoreFdKHR'):
            promote(self.later, name)
            self.assertIn(name, self.table)
        self.assertEqual(table(self.later), self.table)
        declared = list(entrypoints.read_commands(self.later))
        self.assertIn('vkCmdSetColorWriteEnable', declared)
        self.assertIn('vkCmdSetColorWriteEnableEXT', declared)

    def test_names_of_a_function(self):
        names = {'vkDoEXT', 'vkDoKHR', 'vkDoNV', 'vkDo'}
        self.assertEqual(registry.function_name(names, {'vkDo'}), 'vkDo')
        self.assertEqual(registry.function_name(names - {'vkDo'}, set()),
                         'vkDoEXT')
        self.assertEqual(registry.function_name({'vkDoNV', 'vkDoKHR'}, set()),
                         'vkDoKHR')

    def test_unmet_condition(self):
        """What hangs on an extension that we lack is not in the table, and
        declared all the same."""
        name = 'vkCmdSetColorWriteEnableEXT'
        for require in self.later.iter('require'):
            for command in require.findall(f"command[@name='{name}']"):
                require.set('depends', 'VK_XX_none+VK_VERSION_1_0')
        self.assertNotIn(name, table(self.later))
        self.assertIn(name, list(entrypoints.read_commands(self.later)))

    def test_parts_of_versions(self):
        """A version may be made of internal chapters."""
        version = self.later.find("feature[@name='VK_VERSION_1_1']")
        part = copy.deepcopy(version)
        part.set('name', 'VK_PART_1_1')
        part.set('apitype', 'internal')
        self.later.append(part)
        for require in version.findall('require'):
            version.remove(require)
        version.set('depends', 'VK_VERSION_1_0+VK_PART_1_1')
        self.assertEqual(table(self.later), self.table)

    def test_version(self):
        major, minor, patch = registry.version(self.root)
        self.assertEqual(major, 1)
        self.assertGreaterEqual((minor, patch), (3, 204))

    def test_manifest(self):
        """It says the greatest version of the table."""
        icd = json.loads(manifest.manifest(self.root, './a.so'))['ICD']
        self.assertEqual(icd['library_path'], './a.so')
        *version, patch = map(int, icd['api_version'].split('.'))
        self.assertEqual(tuple(version),
                         max(extensions.API_VERSIONS.values()))
        self.assertEqual(patch, registry.patch(self.root))

    def test_required(self):
        """test_required.c has the features that the versions require."""
        text = (Path(__file__).parent / 'test_required.c').read_text(
            encoding='utf-8')
        ours = {(int(minor), name) for minor, name in re.findall(
            r'^ *F\((\d), \w+(?:\.features)?, (\w+)\),$', text, re.M)}
        theirs = set()
        for chapter in self.root.findall('feature'):
            version = re.fullmatch(r'VK_VERSION_1_(\d)', chapter.get('name'))
            for require in chapter.findall('require') if version else ():
                if require.get('depends') is None:
                    theirs |= {(int(version[1]), e.get('name'))
                               for e in require.findall('feature')
                               if e.get('struct')}
        if not theirs:
            self.skipTest('this vk.xml has none of them')
        # Of protected memory alone, says the text.
        theirs -= {(4, 'pipelineProtectedAccess')}
        self.assertEqual(ours, theirs)

    def test_document(self):
        """The list of what is not there takes new extensions up."""
        self.later.find('extensions').extend(parse(CHAPTERS))
        text = document.document(self.later)
        self.assertIn('VK_EXT_there', text)
        self.assertNotIn('VK_EXT_disabled', text)


def plain(text):
    """A declaration or name without blanks, and as a core version has it."""
    return re.sub(r'_?KHR\b', '', text).replace(' ', '')


def promoted(text):
    """The same of what was an EXT, too."""
    return plain(re.sub(r'_?EXT\b', '', text))


class Newer(unittest.TestCase):
    """Extensions that newer.py brings, beside those of a registry."""

    def without(self, *names):
        root = ElementTree.parse(VK_XML).getroot()
        for chapters in root, root.find('extensions'):
            for chapter in list(chapters):
                if chapter.get('name') in names:
                    chapters.remove(chapter)
        return root

    def test_added(self):
        """The tables are the same, whoever has an extension."""
        all_ = {**newer.EXTENSIONS, **newer.VERSIONS}
        old = self.without(*all_)
        self.assertEqual(list(newer.lacking(old)), list(all_))
        ours = table(newer.add_to(old))
        for name, row in table(registry.read(VK_XML)).items():
            self.assertEqual(*(re.sub(r'_?(KHR|EXT)\b', '', plain(str(r)))
                               for r in (ours[name], row)))
        self.assertFalse(newer.lacking(old))

    def test_header(self):
        """It declares what a registry lacks, and nothing else."""
        text = newer.header(newer.lacking(
            self.without('VK_KHR_map_memory2')))
        self.assertIn('#define VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR '
                      '((VkStructureType)1000271000)', text)
        self.assertIn('const void *pNext;\n   VkMemoryMapFlags flags;', text)
        self.assertNotIn('struct', newer.header({}))

    def facts(self, root):
        """{plain name: number} of values, {plain name: (extends, members)} of
        structures."""
        numbers, structs, aliases = {}, {}, {}
        for chapter in (*root.findall('enums'), *root.findall('feature'),
                        *root.findall('extensions/extension')):
            for e in chapter.iter('enum'):
                if e.get('alias'):
                    aliases[plain(e.get('name'))] = plain(e.get('alias'))
                elif (e.get('value') or '').isdigit():
                    numbers[plain(e.get('name'))] = int(e.get('value'))
                elif e.get('offset'):
                    of = int(e.get('extnumber') or chapter.get('number'))
                    numbers[plain(e.get('name'))] = \
                        10**9 + (of - 1) * 1000 + int(e.get('offset'))
                elif e.get('bitpos'):
                    numbers[plain(e.get('name'))] = 1 << int(e.get('bitpos'))
        for name, older in aliases.items():
            if older in numbers:
                numbers.setdefault(name, numbers[older])
        for t in root.findall("types/type[@category='struct']"):
            if not t.get('alias'):
                structs[plain(t.get('name'))] = t
        for t in root.findall("types/type[@category='struct']"):
            if t.get('alias'):
                structs.setdefault(plain(t.get('name')),
                                   structs.get(plain(t.get('alias'))))
        return numbers, structs

    def test_facts(self):
        """What is told here is what a registry says that has it."""
        root = ElementTree.parse(VK_XML).getroot()
        known = [e for n, e in {**newer.EXTENSIONS, **newer.VERSIONS}.items()
                 if n not in newer.lacking(root)]
        if not known:
            self.skipTest('this vk.xml has none of them')
        numbers, structs = self.facts(root)
        for ext in known:
            for name, (_, number) in ext.values.items():
                self.assertEqual(numbers[plain(name)], int(str(number), 0),
                                 name)
            for name, (stype, number, extends, members) in \
                    ext.structs.items():
                self.assertEqual(numbers[plain(f'VK_STRUCTURE_TYPE_{stype}')],
                                 number, name)
                t = structs[plain(name)]
                self.assertEqual(
                    [promoted(registry.text_of(m))
                     for m in registry.members(t)[2:]],
                    [promoted(m) for m in members], name)
                theirs = (t.get('structextends') or '').split(',')
                self.assertLessEqual(set(map(plain, extends.split(','))),
                                     set(map(plain, theirs)), name)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
