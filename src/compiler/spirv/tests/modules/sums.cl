/* SPDX-License-Identifier: MIT */
/* Functions, a private array, local memory and a barrier, pointers into the
 * middle of a buffer, structs, arguments of several sizes. */
struct item {
   char tag;
   short weight;
   float3 place;
   int parts[3];
};

int weigh(__global const struct item *item, int k)
{
   if (item->tag < 0)
      return -1;
   return item->weight * item->parts[k];
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void sums(__global const struct item *items, uchar first, int3 k,
          __global float *out, ulong count)
{
   __local int shared[8];
   __private int bins[4] = {k.x, k.y, k.z, 0};
   const int l = (int)get_local_id(0);
   __global const struct item *from = items + first;

   for (ulong i = 0; i < count; i++) {
      const int w = weigh(from + i, (l + (int)i) % 3);
      if (w < 0)
         continue;
      bins[w & 3] += w;
      if (bins[3] > 1000)
         break;
   }
   shared[l] = bins[0] + 2 * bins[1] + 3 * bins[2] + 4 * bins[3];
   barrier(CLK_LOCAL_MEM_FENCE);
   out[get_global_id(0)] =
      fmax((float)shared[(l + 1) & 7], 2.0f) * from[l & 1].place.z + from[-1].place.y;
}
