/* Numbers of 8 and 16 bits in memory, each with the next one's sum. */
layout(set = 0, binding = 0, scalar) buffer Out {
   uint8_t b[16];
   int16_t h[16];
   float16_t f[16];
   u8vec3 v[16];
};
layout(set = 0, binding = 1, scalar) uniform In {
   uint8_t in_b[17];
   uint8_t pad;
   int16_t in_h[17];
   float16_t in_f[17];
   u8vec3 in_v[17];
};

void sums(uint i)
{
   b[i] = uint8_t(uint(in_b[i]) + uint(in_b[i + 1]));
   h[i] = int16_t(int(in_h[i]) + int(in_h[i + 1]) + int(in_h[3]));
   f[i] = float16_t(float(in_f[i]) * float(in_f[i + 1]));
   v[i] = u8vec3(uvec3(in_v[i]) + uvec3(in_v[i + 1]));
   v[i].y = uint8_t(uint(v[i].y) + uint(b[i]));
}
