# SPDX-License-Identifier: MIT
"""The table of SM4 and SM5 opcodes for the reference, from the rows, to standard
output."""

import pathlib
import sys

import tpf_tables as t

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import manual

HEAD = """==========================================
Opcodes of Direct3D 10 and 11 (SM4 to SM5)
==========================================

Operands: ``F I U B D`` destination (float, int, uint, any bits, double),
``f i u b d`` source of that type, ``t`` resource, ``s`` sampler, ``M`` memory
that is written, ``o`` a register that is declared, ``l`` label, ``n`` and
``x`` a number and a float, ``r`` return types. *NIR*: by a row (row), by code
(code), or read and shown only (--). *Written*: for which
opcodes of NIR, three at most.

"""

# Without a row, and translated by the files of tpf_to_nir.
BY_CODE = {'flow', 'tex', 'mem', 'decl', 'data', 'eval'}
NOT = {'interface_call', 'hs_decls', 'hs_control_point_phase',
       'hs_fork_phase', 'hs_join_phase', 'sample_pos', 'abort', 'debug_break',
       'dcl_function_body', 'dcl_function_table', 'dcl_interface',
       'dcl_input_control_point_count', 'dcl_output_control_point_count',
       'dcl_tess_domain', 'dcl_tess_partitioning',
       'dcl_tess_output_primitive', 'dcl_hs_max_tessfactor',
       'dcl_hs_fork_phase_instance_count', 'dcl_hs_join_phase_instance_count'}


def version(op):
    return '%d_%d' % divmod(op.since, 10)


def how(op):
    if op.id in NOT:
        return '--'
    return 'row' if op.nir else 'code'


def document():
    rows = [('Opcode', 'Name', 'From', 'Stages', 'Op.', 'NIR', 'Written')]
    for op in t.OPCODES:
        stages = 'all' if op.stages == t.ANY else \
            ' '.join(s for s in t.STAGES if s in op.stages)
        written = sorted({'%s%s' % (nir, '' if bits == 32 else ' (64)')
                          for nir, bits, ours, _ in t.SELECT
                          if ours.replace('_sat', '') == op.id})
        rows.append((str(op.code), '``%s``' % (op.name or op.id),
                     version(op), stages, op.operands or '--', how(op),
                     ', '.join(written[:3]) + (', ...' if len(written) > 3
                                               else '') or '--'))
    return HEAD + manual.table(rows)


if __name__ == '__main__':
    sys.stdout.write(document())
