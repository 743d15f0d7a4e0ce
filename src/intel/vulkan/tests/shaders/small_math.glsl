/* Arithmetic of 8 and 16 bits: each invocation has a row of what comes out. */
layout(set = 0, binding = 0) buffer Result { float r[16][80]; };
layout(set = 0, binding = 1) readonly buffer In { float x[32]; };
uint row, n = 0;

void put(float v)
{
   r[row][n++] = v;
}

void floats(float16_t a, float16_t b)
{
   const f16vec3 v = f16vec3(a, b, a + b), w = f16vec3(b, a, float16_t(0.5));
   float16_t whole;
   int e;
   put(sin(a)); put(cos(a)); put(tan(a)); put(asin(a / b)); put(atan(a, b));
   put(sinh(a)); put(tanh(a)); put(pow(b, a)); put(exp(a)); put(log(b));
   put(exp2(a)); put(log2(b)); put(sqrt(b)); put(inversesqrt(b));
   put(floor(a)); put(ceil(a)); put(fract(a)); put(trunc(a)); put(roundEven(a));
   put(mod(a, b)); put(min(a, b)); put(max(a, b));
   put(mix(a, b, float16_t(0.25))); put(step(a, b));
   put(length(v)); put(dot(v, w)); put(cross(v, w).y); put(sign(a));
   put(abs(a)); put(fma(a, b, a)); put(frexp(a, e)); put(float(e));
   put(ldexp(a, 3)); put(modf(a, whole)); put(whole); put(a / b);
   put(a < b ? 1 : 0); put(-a); put((f16mat3(v, w, v) * w).y);
   put(float(float64_t(a) * 3)); put(float(int(a * float16_t(10))));
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

/* A product of two of them is no half. */
void products(float16_t a)
{
   const f16mat3 m = f16mat3(a / float16_t(64), 0, 0, 0, 300, 0, 0, 0, 300);
   put(determinant(m)); put(inverse(m)[0][0]);
}
