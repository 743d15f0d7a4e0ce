# SPDX-License-Identifier: MIT
"""Where this command's files are: in a checkout with a build, or installed."""
import os
import sys

from command.errors import Failure, UsageError, say

# meson.build's defaults are for what is installed; who builds here wants the
# assertions and validators, and debug information.
DEVELOPER_OPTIONS = ('-Dbuildtype=debugoptimized', '-Doptimization=2')


def export(**variables):
    """Sets environment variables, or takes those away that are None."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def become(words, name=None):
    """This process runs another program, called name if given."""
    sys.stdout.flush()
    try:
        if name:
            os.execv(words[0], [name, *words[1:]])
        os.execvp(words[0], words)
    except OSError as error:
        # As a shell says and does.
        say(f'saffron: {words[0]}: {error.strerror}')
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


class Place:
    """me is what usage lines call the command; root is the checkout or the
    prefix, build the folder of the build."""

    def __init__(self, itself):
        self.itself = os.path.realpath(itself)
        self.root = os.path.dirname(os.path.dirname(self.itself))
        self.build = os.path.abspath(os.environ.get('SAFFRON_BUILD_DIR') or
                                     os.path.join(self.root, 'build'))
        self.me, self.paths, self.command = 'bin/saffron', {}, None
        share = os.path.join(self.root, 'share/saffron')
        self.installed = None
        if os.path.exists(os.path.join(share, 'paths')) and \
                not os.path.exists(os.path.join(self.root, 'meson.build')):
            self.me, self.installed = 'saffron', share
            with open(os.path.join(share, 'paths'), encoding='utf-8') as f:
                self.paths = dict(line.rstrip('\n').split('=', 1)
                                  for line in f if line[0] != '#')

    # ---- files ----

    def file(self, name, source):
        """A file of the sources that is installed as name."""
        return os.path.join(self.installed, name) if self.installed else \
            os.path.join(self.root, source)

    def product(self, name, folder):
        """A program of the build, in folder; those that are installed are in
        one."""
        if not self.installed:
            return os.path.join(self.build, folder, name)
        # A path that is not below the prefix is absolute.
        return os.path.join(self.root, self.paths['tools'], name)

    def icd(self):
        if self.installed:
            return os.path.join(self.root, self.paths['icd'])
        return os.path.join(self.build, 'src/intel/vulkan/saffron_icd.json')

    def shim(self):
        if self.installed:
            return os.path.join(self.root, self.paths['shim'])
        return os.path.join(self.build,
                            'src/intel/drm-shim/libsaffron_drm_shim.so')

    def demo(self):
        return self.product('mandelbrot', 'demo')

    def tool(self, name, folder='intel'):
        """A tool in C, built if it is not there."""
        path = self.product(f'saffron-{name}', f'src/{folder}/tools')
        if not os.access(path, os.X_OK):
            self.ensure_build()
        if not os.access(path, os.X_OK):
            raise Failure(f'there is no saffron-{name} in the build')
        return path

    # ---- generations ----

    def generations(self):
        """{chip: [its sizes]}, of the table of devices."""
        from command import chips
        return chips.read(self.file('chips', chips.SOURCE))

    def check_gen(self, name):
        """Ends if there is no such chip, or size of one."""
        from command import chips
        gens = self.generations()
        others = chips.other_names(self.file('chips', chips.SOURCE))
        if name not in gens and name not in others and \
                all(name not in s for s in gens.values()):
            *names, last = [*gens, *others]
            raise UsageError(f"unknown generation '{name}': "
                             f"{', '.join(names)} or {last}, or a size of "
                             f"one ('{self.me} help')")

    # ---- builds ----

    def ensure_build(self):
        if self.installed:
            raise Failure('there is no build here, and something is not as '
                          'it was installed')
        # A mistyped name would be built for minutes before anything is said.
        if os.environ.get('SAFFRON_BUILD_DIR') and \
                self.command.name != 'build' and \
                not os.path.exists(os.path.join(self.build, 'build.ninja')):
            raise Failure(f"SAFFRON_BUILD_DIR: there is no build in "
                          f"'{self.build}' ('bin/saffron build' makes one)")
        from command import builder, needs
        needs.Needs(self).require('build', 'run')
        builder.build(self.root, self.build)
