#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""NonUniform holds for an access whichever id of its resource it decorates.

usage: test_non_uniform.py SPIRV-AS SPIRV_CHECK
"""
import os
import re
import subprocess
import sys
import tempfile

MODULE = '''
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability VariablePointersStorageBuffer
OpExtension "SPV_EXT_descriptor_indexing"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
DECORATIONS
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%ivec2 = OpTypeVector %int 2
%ivec4 = OpTypeVector %int 4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c4 = OpConstant %int 4
%f0 = OpConstant %float 0
%at = OpConstantComposite %vec2 %f0 %f0
%texel = OpConstantComposite %ivec2 %c0 %c0
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%storage = OpTypeImage %int 2D 0 0 0 2 R32i
%sampler = OpTypeSampler
%both = OpTypeSampledImage %image
%block = OpTypeStruct %int
%images = OpTypeArray %image %c4
%storages = OpTypeArray %storage %c4
%samplers = OpTypeArray %sampler %c4
%blocks = OpTypeArray %block %c4
%p_out = OpTypePointer Output %vec4
%p_int = OpTypePointer StorageBuffer %int
%p_texel = OpTypePointer Image %int
%p_image = OpTypePointer UniformConstant %image
%p_storage = OpTypePointer UniformConstant %storage
%p_sampler = OpTypePointer UniformConstant %sampler
%p_block = OpTypePointer StorageBuffer %block
%p_images = OpTypePointer UniformConstant %images
%p_storages = OpTypePointer UniformConstant %storages
%p_samplers = OpTypePointer UniformConstant %samplers
%p_blocks = OpTypePointer StorageBuffer %blocks
%fn_fetch = OpTypeFunction %vec4 %image
%fn_read = OpTypeFunction %int %p_block
%out = OpVariable %p_out Output
%t = OpVariable %p_images UniformConstant
%m = OpVariable %p_storages UniformConstant
%s = OpVariable %p_samplers UniformConstant
%b = OpVariable %p_blocks StorageBuffer

%fetch = OpFunction %vec4 None %fn_fetch
%fetch_image = OpFunctionParameter %image
%l1 = OpLabel
%fetch_r = OpImageFetch %vec4 %fetch_image %texel Lod %c0
OpReturnValue %fetch_r
OpFunctionEnd

%read = OpFunction %int None %fn_read
%read_block = OpFunctionParameter %p_block
%l2 = OpLabel
%read_p = OpAccessChain %p_int %read_block %c0
%read_r = OpLoad %int %read_p
OpReturnValue %read_r
OpFunctionEnd

%main = OpFunction %void None %fn
%l0 = OpLabel
%t_p = OpAccessChain %p_image %t %c1
%t_v = OpLoad %image %t_p
%t_copy = OpCopyObject %image %t_v
%s_p = OpAccessChain %p_sampler %s %c1
%s_v = OpLoad %sampler %s_p
%s_copy = OpCopyObject %sampler %s_v
%m_p = OpAccessChain %p_storage %m %c1
%m_v = OpLoad %storage %m_p
%m_copy = OpCopyObject %storage %m_v
%b_p = OpAccessChain %p_block %b %c1
%b_copy = OpCopyObject %p_block %b_p
BODY
OpReturn
OpFunctionEnd
'''

RESOURCES = '\n'.join(f'OpDecorate %{name} DescriptorSet 0\n'
                      f'OpDecorate %{name} Binding {i}'
                      for i, name in enumerate('tmsb'))

# What is done, and the ids that may be decorated.
SAMPLED = '''
%si = OpSampledImage %both %t_copy %s_copy
%si_copy = OpCopyObject %both %si
'''
FORMS = [
    (SAMPLED + '''
%r = OpImageSampleExplicitLod %vec4 %si_copy %at Lod %f0
''', 't_p t_v t_copy s_p s_v s_copy si si_copy'),
    (SAMPLED + '''
%taken = OpImage %image %si_copy
%r = OpImageFetch %vec4 %taken %texel Lod %c0
''', 't_p t_v t_copy si si_copy taken'),
    ('''
%r = OpFunctionCall %vec4 %fetch %t_copy
''', 't_p t_v t_copy fetch_image'),
    ('''
%r = OpImageRead %ivec4 %m_copy %texel
''', 'm_p m_v m_copy'),
    ('''
%texel_p = OpImageTexelPointer %p_texel %m_p %texel %c0
%r = OpAtomicIAdd %int %texel_p %c1 %c0 %c1
''', 'm_p texel_p'),
    ('''
%r = OpFunctionCall %int %read %b_copy
''', 'b_p b_copy read_block read_p'),
]

ACCESS_NON_UNIFORM = 32


def is_marked(nir):
    return 'texture non-uniform' in nir or any(
        int(access) & ACCESS_NON_UNIFORM
        for access in re.findall(r'access=(\d+)', nir))


def translate(tools, folder, body, decorated):
    """NIR of `body`, one id of which is decorated (None: none)."""
    path = os.path.join(folder, 'm.spv')
    decorations = RESOURCES
    if decorated:
        decorations += f'\nOpDecorate %{decorated} NonUniform'
    text = MODULE.replace('BODY', body).replace('DECORATIONS', decorations)
    subprocess.run([tools[0], '--target-env', 'spv1.3', '-o', path, '-'],
                   input=text.encode(), check=True)
    return subprocess.run([tools[1], '-p', path], capture_output=True,
                          check=False).stdout.decode()


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for body, ids in FORMS:
            for decorated in [None] + ids.split():
                nir = translate(sys.argv[1:3], folder, body, decorated)
                if (not nir.endswith('ok\n') or
                        is_marked(nir) != (decorated is not None)):
                    print(f'FAIL: {decorated} in{body}')
                    failures += 1
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
