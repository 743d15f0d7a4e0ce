#version 450
/* Values that test_values.c knows: functions of one number, and bytes of
 * buffers at the offsets that the layout rules give. */
layout(location = 0) in vec2 x;
layout(set = 0, binding = 0, std430) buffer R { float f[64]; } r;
layout(set = 0, binding = 1, std430) buffer L { int i[64]; } l;
struct inner { ivec3 a; int b; ivec2 c[2]; };
layout(set = 0, binding = 2, std140) uniform U {
   int a;               /* 0 */
   ivec2 b;             /* 8 */
   ivec3 c;             /* 16 */
   int d[3];            /* 32, 48, 64 */
   inner e[2];          /* 80, 128; c at +16 and +32 */
   mat3 m;              /* 176, 192, 208 */
   layout(row_major) mat2x3 n; /* rows at 224, 240, 256 */
   dvec3 g;             /* 288 */
   int h;               /* 312 */
   int index;           /* 316 */
} u;
layout(push_constant) uniform P { int a; layout(offset = 16) ivec2 b[2]; } p;
void main()
{
   r.f[0] = asin(x.x); r.f[1] = acos(x.x); r.f[2] = atan(x.y);
   r.f[3] = atan(x.y, x.x); r.f[4] = sinh(x.y); r.f[5] = cosh(x.y);
   r.f[6] = tanh(x.y); r.f[7] = asinh(x.y); r.f[8] = acosh(1.0 + abs(x.y));
   r.f[9] = atanh(x.x); r.f[10] = exp(x.y); r.f[11] = log(abs(x.y));
   r.f[12] = tan(x.x); r.f[13] = degrees(x.x); r.f[14] = radians(x.x);
   r.f[15] = smoothstep(-0.5, 1.0, x.x); r.f[16] = mod(x.y, 0.75);
   float whole; r.f[17] = modf(x.y, whole); r.f[18] = whole;
   int e; r.f[19] = frexp(x.y, e); r.f[20] = float(e);
   r.f[21] = ldexp(x.x, 3); r.f[22] = length(vec3(x, 2.0));
   r.f[23] = determinant(mat3(x.x, 1, 2, 3, x.y, 5, 6, 7, 8));
   mat2 inv = inverse(mat2(x.x, 2.0, 3.0, x.y));
   r.f[24] = inv[0][0]; r.f[25] = inv[0][1]; r.f[26] = inv[1][0];
   r.f[27] = refract(normalize(vec2(x)), vec2(0, 1), 0.5).y;
   r.f[28] = reflect(x, vec2(0.6, 0.8)).x;
   r.f[29] = cross(vec3(x, 1), vec3(2, 3, x.x)).y;
   r.f[30] = unpackHalf2x16(packHalf2x16(x)).y;
   r.f[31] = pow(abs(x.y), x.x);

   int k = u.index; /* 1 */
   l.i[0] = u.a; l.i[1] = u.b.y; l.i[2] = u.c.z; l.i[3] = u.d[k];
   l.i[4] = u.d[2]; l.i[5] = u.e[k].a.y; l.i[6] = u.e[1].b;
   l.i[7] = u.e[k].c[k].y; l.i[8] = floatBitsToInt(u.m[k][2]);
   l.i[9] = floatBitsToInt(u.m[2][0]); l.i[10] = floatBitsToInt(u.n[k][2]);
   l.i[11] = floatBitsToInt(u.n[0][k]); l.i[12] = floatBitsToInt(u.n[1].z);
   uvec2 d = unpackDouble2x32(u.g.z);
   l.i[13] = int(d.x); l.i[14] = int(d.y); l.i[15] = u.h;
   l.i[16] = p.a; l.i[17] = p.b[k].x; l.i[18] = u.c[k];
   inner w = u.e[0];
   w.c[k].x += 1;
   l.i[19] = w.c[1].x; l.i[20] = w.c[0].x; l.i[21] = r.f.length();
}
