#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
/* Halves, too, in shared memory, in arrays, and of subgroups. */
#include "small_ints.glsl"
#include "small_subgroup.glsl"
layout(local_size_x = 16) in;
shared float16_t halves[16];
shared i8vec3 bytes[16];
shared uint16_t words[17];

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

/* A product of two of them is no half. */
void products(float16_t a)
{
   const f16mat3 m = f16mat3(a / float16_t(64), 0, 0, 0, 300, 0, 0, 0, 300);
   put(determinant(m)); put(inverse(m)[0][0]);
}

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const float16_t a = float16_t(x[i]), b = float16_t(x[16 + i]);
   const int8_t c = int8_t(int(x[i] * 60));
   const int16_t s = int16_t(int(x[i] * 16000));
   float16_t table[7];
   row = i;
   halves[i] = a;
   bytes[i] = i8vec3(i, i + 100, i + 200);
   words[i] = uint16_t(i * 3000);
   for (uint k = 0; k < 7; k++)
      table[k] = a * float16_t(k);
   barrier();
   put(halves[15 - i]); put(bytes[(i + 1) % 16].y); put(bytes[i].z);
   put(words[15 - i] + words[i]); put(table[i % 7]);
   floats(a, b);
   integers(c, s);
   together(c, s);
   put(subgroupAdd(a)); put(subgroupMax(b));
   products(a);
}
