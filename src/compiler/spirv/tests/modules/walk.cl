/* SPDX-License-Identifier: MIT */
/* Two loops into each other, one entered at two places; a switch with ways
 * into both. */
__kernel void walk(__global uint *data, uint steps, uint seed)
{
   uint x = data[get_global_id(0)] ^ seed, n = 0;

   if (x & 1)
      goto b;
a:
   x = x * 1664525u + 1013904223u;
   if (++n >= steps)
      goto out;
   if (x & 8)
      goto b;
   switch (x & 0xe0000003) {
   case 0:
   case 3: x += 7; goto a;
   case 5: x ^= n; break;
   case 0x20000002: goto out;
   default: x -= 1;
   }
b:
   x = (x >> 3) | (x << 29);
   if (++n >= steps)
      goto out;
   if (x & 16)
      goto a;
   x ^= 0x55;
   goto b;
out:
   data[get_global_id(0)] = x + n;
}
