#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
/* How many invocations a subgroup has, says that it has, and counts. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uvec4 result[64]; };

void main()
{
   result[gl_LocalInvocationIndex] =
      uvec4(gl_SubgroupSize, gl_NumSubgroups,
            subgroupBallotBitCount(subgroupBallot(true)), subgroupAdd(1u));
}
