#version 450
/* Each subgroup operation on one value an invocation, first by all of them,
 * then by those whose value is odd. test_subgroup.c knows what comes out. */
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require

layout(local_size_x = 70) in;

struct results {
   uint sum, product, smallest, largest, both, either, one;
   uint sum_to, sum_before, largest_to, smallest_before;
   uint sum_of_4, largest_of_8;
   uint elected, all, any, equal;
   uint voters, rank, first, last, self;
   uint from_first, from_1, swapped, above, below, quad_1, diagonal;
   uint lt_mask, ge_mask;
   uint beyond;
   double sum_double;
   bvec2 bools;
};

struct row {
   uint subgroup, invocation, subgroups, size;
   uint value;
   results r[2];
};

layout(std430, binding = 0) buffer Out { row rows[70]; };

/* Nothing, of an invocation that takes no part: what that gives is undefined. */
uint
taken(uint value, uint from)
{
   const uvec4 on = subgroupBallot(true);
   if (from >= gl_SubgroupSize)
      return 0;
   return subgroupBallotBitExtract(on, from) ? value : 0;
}

results
operate(uint v)
{
   results r;
   r.sum = subgroupAdd(v);
   r.product = subgroupMul(v);
   r.smallest = subgroupMin(v);
   r.largest = uint(subgroupMax(int(v)));
   r.both = subgroupAnd(v);
   r.either = subgroupOr(v);
   r.one = subgroupXor(v);
   r.sum_to = subgroupInclusiveAdd(v);
   r.sum_before = subgroupExclusiveAdd(v);
   r.largest_to = subgroupInclusiveMax(v);
   r.smallest_before = uint(subgroupExclusiveMin(int(v)));
   r.sum_of_4 = subgroupClusteredAdd(v, 4);
   r.largest_of_8 = subgroupClusteredMax(v, 8);
   r.elected = subgroupElect() ? 1 : 0;
   r.all = subgroupAll((v & 1) != 0) ? 1 : 0;
   r.any = subgroupAny(v > 0xf0000000u) ? 1 : 0;
   r.equal = subgroupAllEqual(vec2(v & 1, 3.0)) ? 1 : 0;
   const uvec4 voters = subgroupBallot((v & 2) != 0);
   r.voters = voters.x | voters.y | voters.z | voters.w;
   r.rank = subgroupBallotExclusiveBitCount(voters);
   r.first = subgroupBallotFindLSB(voters);
   r.last = subgroupBallotFindMSB(voters);
   r.self = subgroupInverseBallot(voters) ? 1 : 0;
   r.from_first = subgroupBroadcastFirst(v);
   const uint self = gl_SubgroupInvocationID;
   r.from_1 = taken(subgroupBroadcast(v, 1), 1);
   r.swapped = taken(subgroupShuffleXor(v, 5), self ^ 5);
   r.above = taken(subgroupShuffleUp(v, 2), self - 2);
   r.below = taken(subgroupShuffleDown(v, 3), self + 3);
   r.quad_1 = taken(subgroupQuadBroadcast(v, 1), (self & ~3) + 1);
   r.diagonal = taken(subgroupQuadSwapDiagonal(v), self ^ 3);
   r.lt_mask = gl_SubgroupLtMask.x;
   r.ge_mask = gl_SubgroupGeMask.x;
   /* Bits that stand for nobody do not count. */
   r.beyond = subgroupBallotBitCount(uvec4(~0u)) +
              256 * subgroupBallotFindMSB(uvec4(~0u)) +
              65536 * subgroupBallotBitCount(uvec4(0u, ~0u, ~0u, ~0u));
   r.sum_double = subgroupAdd(double(v) * 0.25);
   r.bools = subgroupOr(bvec2((v & 2) != 0, false));
   return r;
}

void
main()
{
   const uint id = gl_LocalInvocationIndex;
   const uint v = id * 2654435761u ^ 0x5bd1e995u;

   rows[id].subgroup = gl_SubgroupID;
   rows[id].invocation = gl_SubgroupInvocationID;
   rows[id].subgroups = gl_NumSubgroups;
   rows[id].size = gl_SubgroupSize;
   rows[id].value = v;
   rows[id].r[0] = operate(v);
   if ((v & 1) != 0)
      rows[id].r[1] = operate(v);
}
