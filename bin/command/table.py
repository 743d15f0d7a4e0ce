# SPDX-License-Identifier: MIT
"""The commands, in the order in which `saffron help` lists them."""


class Command:
    """A row: what is typed, what follows it, and what it is for.

    module     of this package: has run(place, words), which returns the exit
               code or becomes another program, and, unless that program has
               a help of its own, help_text(place)
    tool       folder in src of a tool in C, saffron-NAME, for module `tool`
    script     of the sources, for module `runner`
    installed  it needs no sources: 'meson install' has it, with a manual page
    """
    __slots__ = 'name', 'words', 'summary', 'module', 'tool', 'script', \
        'installed'

    def __init__(self, name, words, summary, *, module=None, tool=None,
                 script=None, installed=False):
        self.name, self.words, self.summary = name, words, summary
        self.module = module or ('tool' if tool else
                                 'runner' if script else name)
        self.tool, self.script = tool, script
        self.installed = installed or bool(tool)


COMMANDS = (
    Command('demo', '', 'build, then draw a deep Mandelbrot zoom in float and '
            'in double: mandelbrot-{float,double}.png', installed=True),
    Command('test', '[--quick]', "build and run every test; ends with "
            "'N passed, N failed'", script='tests/run.py'),
    Command('run', '[--gen=G] -- CMD', 'run any OpenGL or Vulkan program on '
            'the driver', installed=True),
    Command('shim', '[--gen=G] -- CMD', "run any program with Mesa's own, "
            'unmodified driver for Intel GPUs on the simulated GPU',
            installed=True),
    Command('compile', '[OPTIONS] FILE', 'compile a shader (GLSL, HLSL, '
            'SPIR-V, Direct3D 9 bytecode, NIR text) and show NIR, EU assembly '
            'and statistics; with --gen=mali400 a vertex shader for Mali-400',
            tool='intel'),
    Command('asm', '[OPTIONS] [FILE]', 'EU assembler; with --gen=mali400 that '
            "of Mali-400's vertex processor", tool='intel'),
    Command('disasm', '[OPTIONS] [FILE]', 'EU disassembler; with '
            "--gen=mali400 that of Mali-400's vertex processor",
            tool='intel'),
    Command('gp-run', '[OPTIONS] FILE', 'run a vertex program of Mali-400 on '
            'its simulator', tool='arm/utgard'),
    Command('decode', '[OPTIONS] FILE', 'print a batch buffer', tool='intel'),
    Command('d3d', 'COMMAND FILE', 'Direct3D shader bytecode: text of it, '
            'bytes of text, and bytecode of GLSL, HLSL, SPIR-V or NIR',
            tool='intel'),
    Command('structurize', '[OPTIONS] FILE', 'control flow of SPIR-V or NIR '
            'text made anew, dispatch loops undone; draws the graphs',
            tool='intel'),
    Command('rules', '[--gen=G] [ID]', 'list or explain the rules of the '
            'chips that --strict checks', installed=True),
    Command('trace', '[OPTIONS] FILE', "look into what 'run' or 'shim' has "
            'recorded with --trace=FILE: batches, draws, threads step by step',
            tool='intel'),
    Command('chip', '[OPTIONS]', 'run small programs on a real chip and on '
            'the simulated one, and report what differs', tool='intel'),
    Command('view', 'FILE... | -- CMD', "show recordings ('run' or 'shim' with "
            '--record=FILE) in a browser: draws, pixels, threads',
            installed=True),
    Command('peer', '[OPTIONS] FILE...', "compare our compiler with Mesa's: "
            'instructions, cycles, sends and spills of shader tests',
            script='src/intel/tools/peer.py'),
    Command('corpus', '[OPTIONS]', 'gather what shipped compilers emit, from '
            'installed packages, and judge it by the rules of instructions',
            script='tests/corpus/shipped.py'),
    Command('piglit', '[OPTIONS]', 'run piglit on the driver and compare with '
            'what is expected', script='tests/piglit/run.py'),
    Command('cts', '[OPTIONS]', 'run your own build of VK-GL-CTS on the '
            'driver and compare with what is expected',
            script='tests/cts/run.py'),
    Command('programs', '[OPTIONS]', 'run packaged programs (a browser, '
            'toolkits, games) and compare their pictures with those of a CPU '
            'renderer', script='tests/programs.py'),
    Command('fuzz', '[OPTIONS]', "damage batches of Mesa's drivers and ours, "
            'and run them on the simulated GPU; --programs: random '
            'programs beside lavapipe; --amber: scripts of your checkout; '
            '--rewrites: your shaders, in other forms; --shader-tests: those '
            "of vkd3d's in your checkout",
            script='tests/fuzz/sim/run.py'),
    Command('bench', '[OPTIONS]', 'measure speed and memory',
            script='tests/bench.py'),
    Command('packages', '[SET]', "list what 'build', 'run' and 'test' need, "
            'and why', installed=True),
    Command('doctor', '', 'say what of the above works here, and why not',
            installed=True),
    Command('build', '', 'build only'),
    Command('help', '', 'this text', installed=True),
)

BY_NAME = {c.name: c for c in COMMANDS}
