# SPDX-License-Identifier: MIT
"""saffron-measure counts what is in the code, and refuses what is none."""

import json
import subprocess
import sys
import tempfile

ASM, MEASURE = sys.argv[1:]

# A scratch block write and read, a loop, the end of the thread.
PROGRAM = """
mov (8|M0) r2.0<1>:ud 0x0:ud
send (16|M0) null:uw r0 0xA 0x040F0000
send (16|M0) r2:uw r0 0xA 0x021C0000
L40:
add (8|M0) r2.0<1>:ud r2.0<8;8,1>:ud 0x1:ud
while (8|M0) L40
send (8|M0) null:uw r126 0x27 0x02000010 {EOT}
"""


def run(*args, **more):
    return subprocess.run(args, capture_output=True, check=False, **more)


def main():
    with tempfile.NamedTemporaryFile(suffix='.bin') as f:
        done = run(ASM, '--gen=skl', '-o', f.name, '-',
                   input=PROGRAM.encode())
        assert done.returncode == 0, done.stderr.decode()
        done = run(MEASURE, '--gen=skl', f.name)
        assert done.returncode == 0, done.stderr.decode()
        counts = json.loads(done.stdout)
        cycles, issue = counts.pop('cycles'), counts.pop('issue')
        assert int(counts.pop('hash'), 16), counts
        assert counts == {'instructions': 6, 'loops': 1, 'sends': 3,
                          'spills': 1, 'fills': 1, 'bytes': 96}, counts
        assert 0 < issue < cycles, (issue, cycles)
        f.truncate(20)
        done = run(MEASURE, '--gen=skl', f.name)
        assert done.returncode == 1 and b'at 16' in done.stderr, done
    assert run(MEASURE, '--gen=skl').returncode == 2
    assert run(MEASURE, '--gen=nv50', '/dev/null').returncode == 2
    assert run(MEASURE, '--gen=skl', '/nonexistent').returncode == 2


main()
