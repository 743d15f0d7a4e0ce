#version 450
layout(location = 0) flat in ivec4 a;
layout(location = 1) flat in uvec4 b;
layout(location = 0) out uvec4 o;
layout(constant_id = 3) const int n = 5;
layout(constant_id = 4) const bool flip = false;
const int table[8] = int[8](3, 1, 4, 1, 5, 9, 2, 6);
const int m = n * 2 + (flip ? 1 : 7);
void main()
{
   ivec4 r = a / 3 + a % 5 - (a << 2) + (a >> 1) + abs(a) + sign(a);
   r += min(a, 4) + max(a, ivec4(b)) + clamp(a, -2, 2) + ~a;
   uvec4 s = b / 3u + b % 5u + (b >> 1) + (b & 7u) + (b | 8u) + (b ^ 9u);
   uvec4 carry, lo, hi;
   s += uaddCarry(b, s, carry) + carry + usubBorrow(b, s, carry) + carry;
   umulExtended(b, s, hi, lo);
   s += hi + lo;
   ivec4 ihi, ilo;
   imulExtended(a, r, ihi, ilo);
   r += ihi + ilo + bitfieldExtract(a, 3, 7) + bitfieldInsert(a, r, 2, 5);
   s += bitfieldExtract(b, 3, 7) + bitfieldReverse(b);
   r += bitCount(a) + findLSB(a) + findMSB(a) + findMSB(b);
   int t[m];
   for (int i = 0; i < m; i++)
      t[i] = table[(a.x + i) & 7] + i;
   r.x += t[a.y & 3];
   r.yz = mat2(1.0, 2.0, 3.0, 4.0) == mat2(r.x) ? r.zy : r.xx;
   vec4 f = uintBitsToFloat(s);
   o = s + uvec4(r) + uvec4(f) + floatBitsToUint(vec4(r));
}
