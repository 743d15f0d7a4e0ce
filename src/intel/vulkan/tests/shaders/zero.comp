#version 450
#extension GL_EXT_null_initializer : require
/* What a group before this one left in shared memory is gone. */
layout(local_size_x = 5, local_size_y = 7) in;
layout(set = 0, binding = 0) buffer Result { uint or_of_all[]; };
struct record { uint a; vec3 b; };
shared uint words[1001] = {};
shared record records[13] = {};

void main()
{
   const uint i = gl_LocalInvocationIndex;
   uint found = 0;
   for (uint k = i; k < 1001; k += 35)
      found |= words[k];
   for (uint k = i; k < 13; k += 35)
      found |= records[k].a | floatBitsToUint(records[k].b.z);
   atomicOr(or_of_all[gl_WorkGroupID.x], found);
   barrier();
   for (uint k = i; k < 1001; k += 35)
      words[k] = 0xdeadbeefu;
   for (uint k = i; k < 13; k += 35)
      records[k] = record(~0u, vec3(1.5));
}
