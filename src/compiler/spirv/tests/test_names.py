#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpName and OpMemberName become names in NIR, odd ones made harmless.

usage: test_names.py SPIRV-AS SPIRV_CHECK
"""
import os
import subprocess
import sys
import tempfile

MODULE = '''
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpName %in "a b;{/*"
OpName %out "colour"
OpName %ubo ""
OpName %block "Lights"
OpMemberName %block 0 "direction"
OpMemberName %block 1 "direction"
OpMemberName %block 7 "nowhere"
OpName %inner "Lights"
OpMemberName %inner 0 "x.y"
OpName %local "sum"
OpDecorate %in Location 0
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpMemberDecorate %block 2 Offset 32
OpMemberDecorate %inner 0 Offset 0
OpDecorate %ubo DescriptorSet 0
OpDecorate %ubo Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%inner = OpTypeStruct %vec4
%block = OpTypeStruct %vec4 %vec4 %inner
%p_in = OpTypePointer Input %vec4
%p_out = OpTypePointer Output %vec4
%p_fn = OpTypePointer Function %vec4
%p_ubo = OpTypePointer Uniform %block
%p_ubo_vec = OpTypePointer Uniform %vec4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%in = OpVariable %p_in Input
%out = OpVariable %p_out Output
%ubo = OpVariable %p_ubo Uniform
%main = OpFunction %void None %fn
%l0 = OpLabel
%local = OpVariable %p_fn Function
%x = OpLoad %vec4 %in
%a = OpAccessChain %p_ubo_vec %ubo %c1
%y = OpLoad %vec4 %a
%b = OpAccessChain %p_ubo_vec %ubo %c2 %c0
%z = OpLoad %vec4 %b
OpStore %local %z
%w = OpFMul %vec4 %x %y
%v = OpLoad %vec4 %local
%u = OpFAdd %vec4 %w %v
OpStore %out %u
OpReturn
OpFunctionEnd
'''

EXPECTED = [
    'vec4 a_b____ (VARYING_SLOT_VAR0',
    'vec4 colour (FRAG_RESULT_DATA0',
    'vec4 sum\n',
    # A type's name serves a variable without one; types have one each.
    ' Lights_',
    'vec4 direction @0; vec4 direction_member1 @16;',
    ' field2 @32; }',
    '{ vec4 x_y @0; }',
]


def main():
    assembler, check = sys.argv[1:3]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'm.spv')
        subprocess.run([assembler, '--target-env', 'spv1.3', '-o', path, '-'],
                       input=MODULE.encode(), check=True)
        out = subprocess.run([check, '-p', path], capture_output=True,
                             check=False).stdout.decode()
    for text in EXPECTED:
        if text not in out:
            print(f'FAIL: no {text!r}')
            failures += 1
    if failures:
        print(out)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
