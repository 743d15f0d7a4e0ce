#version 450
/* Parts of a subgroup: by an integer, by a double that has zeros of both signs
 * and a NaN; sums and scans of those of the first. The last row is of some
 * invocations only. test_subgroup.c knows what comes out. */
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_shader_subgroup_partitioned : require

layout(local_size_x = 64) in;

struct row {
   uint subgroup, invocation, part, float_part;
   uint sum, sum_to, sum_before;
   int smallest;
   uvec2 pair_part;
   uint some_part, some_sum;
};

layout(std430, binding = 0) buffer Out { row rows[64]; };

void
main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint v = i * i % 7;
   /* 0, -0, NaN, 1 */
   const double f = i % 4 == 2 ? packDouble2x32(uvec2(0, 0x7ff80000))
                               : i % 4 == 3 ? 1.0LF
                                            : i % 4 == 1 ? -0.0LF : 0.0LF;
   const uvec4 part = subgroupPartitionNV(v);
   rows[i].subgroup = gl_SubgroupID;
   rows[i].invocation = gl_SubgroupInvocationID;
   rows[i].part = part.x;
   rows[i].float_part = subgroupPartitionNV(f).x;
   rows[i].sum = subgroupPartitionedAddNV(i + 1, part);
   rows[i].sum_to = subgroupPartitionedInclusiveAddNV(i + 1, part);
   rows[i].sum_before = subgroupPartitionedExclusiveAddNV(i + 1, part);
   rows[i].smallest = subgroupPartitionedMinNV(int(i) - 20, part);
   rows[i].pair_part = subgroupPartitionNV(uvec2(v, i & 1)).xy;
   if (i % 3 != 0) {
      const uvec4 some = subgroupPartitionNV(v);
      rows[i].some_part = some.x;
      rows[i].some_sum = subgroupPartitionedAddNV(i + 1, some);
   } else {
      rows[i].some_part = rows[i].some_sum = 0;
   }
}
