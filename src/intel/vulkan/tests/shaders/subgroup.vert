#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(location = 0) out vec4 shade;

/* Four corners; white if the operations agree with one another. */
void main()
{
   uvec4 all = subgroupBallot(true);
   uint first = subgroupBallotFindLSB(all);
   bool ok = subgroupBallotBitExtract(all, gl_SubgroupInvocationID);
   ok = ok && subgroupAdd(1u) == subgroupBallotBitCount(all);
   ok = ok && subgroupBroadcastFirst(gl_VertexIndex) ==
                 gl_VertexIndex -
                    int(subgroupBallotExclusiveBitCount(all));
   ok = ok && subgroupMin(gl_SubgroupInvocationID) == first;
   ok = ok && gl_SubgroupEqMask.x == 1u << gl_SubgroupInvocationID;
   ok = ok && gl_SubgroupSize > gl_SubgroupInvocationID;
   gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0.5, 1) *
                    vec4(2, 2, 1, 1) - vec4(1, 1, 0, 0);
   shade = ok && gl_SubgroupSize == 32u ? vec4(1) : vec4(1, 0, 0, 1);
}
