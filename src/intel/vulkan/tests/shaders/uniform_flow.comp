#version 450
#extension GL_EXT_subgroup_uniform_control_flow : require
#extension GL_KHR_shader_subgroup_ballot : require
/* Invocations that went different ways are together again after them. */
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Result { uint result[32]; };

void main() [[subgroup_uniform_control_flow]]
{
   const uint i = gl_LocalInvocationIndex;
   const uint all = subgroupBallotBitCount(subgroupBallot(true));
   uint x = 0;
   for (uint k = 0; k < 40; k++) {
      if (k > i)
         break;
      if ((k & 1) != 0)
         continue;
      x += subgroupBallotBitCount(subgroupBallot(true)) > 0 ? 1 : 0;
   }
   const uint together = subgroupBallotBitCount(subgroupBallot(true));
   result[i] = (together == all ? 100 : 0) + x;
}
