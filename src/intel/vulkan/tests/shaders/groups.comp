#version 450
/* What a thread group gives its invocations: numbers, constants, memory that
 * they share. 42 invocations do not fill the last thread at any width. */
layout(local_size_x = 7, local_size_y = 3, local_size_z = 2) in;
layout(set = 0, binding = 0) buffer Result { uvec4 result[]; };
layout(set = 0, binding = 1) uniform Constants { uvec4 constant[2]; };

shared uint turn[42];

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uvec3 id = gl_LocalInvocationID;
   turn[i] = id.x + 10 * id.y + 100 * id.z;
   barrier();
   const uint other = turn[41 - i];
   result[gl_WorkGroupID.x * 42 + i] =
      uvec4(id.x + 10 * id.y + 100 * id.z, other,
            gl_GlobalInvocationID.x + 1000 * gl_NumWorkGroups.x,
            constant[i & 1].z);
}
