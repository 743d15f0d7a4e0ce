# SPDX-License-Identifier: MIT
"""documents: docutils reads every document without a warning, and each is
in docs/index.rst.

Three words of Sphinx are known here: the role `doc` and the directives
`toctree` and `graphviz`. What the first two point to must be there, or be a
page that docs/meson.build has generated.
"""
import re
from pathlib import PurePosixPath

import docutils.core
import docutils.nodes
import docutils.utils
from docutils.parsers.rst import Directive, directives, roles

from tree import Find

WARNING = 2  # of docutils
INDEX = 'docs/index.rst'
BUILD = 'docs/meson.build'


class Reading:
    """What one document points to: [(line, name)]."""
    links = []


def doc_role(_name, rawtext, text, lineno, _inliner, **_):
    Reading.links.append((lineno, text))
    return [docutils.nodes.literal(rawtext, text)], []


class Graph(Directive):
    """The picture is looked at when Sphinx draws it."""
    has_content = True

    def run(self):
        return []


class TocTree(Directive):
    has_content = True
    option_spec = {'maxdepth': directives.nonnegative_int,
                   'caption': directives.unchanged}

    def run(self):
        Reading.links += [(self.lineno, line.strip())
                          for line in self.content if line.strip()]
        return []


def warnings(path, text):
    """[(line, sentence)] of what docutils does not like."""
    found = []

    def report(message):
        if message['level'] >= WARNING:
            found.append((message.get('line', 1),
                          docutils.nodes.Element.astext(message)))

    settings = {'report_level': WARNING, 'halt_level': 5, 'warning_stream': False,
                'file_insertion_enabled': False, 'raw_enabled': False}
    pub = docutils.core.Publisher(source_class=docutils.io.StringInput)
    pub.set_components('standalone', 'restructuredtext', 'null')
    pub.process_programmatic_settings(None, settings, None)
    pub.set_source(text, path)
    document = pub.reader.read(pub.source, pub.parser, pub.settings)
    for message in list(document.parse_messages) + \
            list(document.transform_messages):
        report(message)
    return found


def check(tree):
    roles.register_local_role('doc', doc_role)
    directives.register_directive('toctree', TocTree)
    directives.register_directive('graphviz', Graph)
    generated = {f'docs/{page}' for page in re.findall(
        r"output: '([\w-]+\.rst)'", tree.text(BUILD))} \
        if BUILD in tree.files else set()
    indexed = {INDEX}
    for path in tree.ours('.rst'):
        Reading.links = []
        for line, sentence in warnings(path, tree.text(path)):
            yield Find(path, line, path, ' '.join(sentence.split()))
        folder = PurePosixPath(path).parent
        for line, name in Reading.links:
            target = str(folder / name) + '.rst'
            if path == INDEX:
                indexed.add(target)
            if target not in tree.files and target not in generated:
                yield Find(path, line, path, f'there is no {target}')
    for path in tree.ours('.rst'):
        if path.startswith('docs/') and path not in indexed:
            yield Find(path, 1, path, f'not in {INDEX}')
