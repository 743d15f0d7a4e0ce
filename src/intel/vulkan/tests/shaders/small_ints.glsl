/* Integers of 8 and 16 bits: each invocation has a row of what comes out. */
layout(set = 0, binding = 0) buffer Result { float r[16][80]; };
layout(set = 0, binding = 1) readonly buffer In { float x[32]; };
uint row, n = 0;

void put(float v)
{
   r[row][n++] = v;
}

void integers(int8_t c, int16_t s)
{
   const int8_t d = int8_t(3);
   const uint8_t u = uint8_t(c);
   const uint16_t q = uint16_t(s);
   const int16_t t = int16_t(7);
   put(c / d); put(c % d); put(c * d); put(c << 2); put(c >> 1);
   put(u >> 1); put(u / uint8_t(5)); put(min(c, d)); put(abs(c)); put(~c);
   put(c & d); put(c < d ? 1 : 0); put(uint8_t(u + uint8_t(200)));
   put(s / t); put(s % t); put(s * t); put(s << 3); put(s >> 2);
   put(q >> 1); put(q / uint16_t(9)); put(max(s, t)); put(q % uint16_t(10));
   put(float(int64_t(s)));
}
