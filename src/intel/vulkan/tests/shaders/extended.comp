#version 450
/* Subgroup operations on 64-bit integers, and a broadcast from an invocation
 * that is known at run time only. */
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require

layout(local_size_x = 70) in;

struct row {
   uint64_t sum, smallest, broadcast;
   uint subgroup, invocation;
};

layout(set = 0, binding = 0) buffer Rows { row rows[]; };

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint64_t value = 0x1ffffffffUL * (i + 3);
   rows[i].subgroup = gl_SubgroupID;
   rows[i].invocation = gl_SubgroupInvocationID;
   rows[i].sum = subgroupAdd(value);
   rows[i].smallest = subgroupMin(value);
   rows[i].broadcast = subgroupBroadcast(value, gl_SubgroupID % 3);
}
