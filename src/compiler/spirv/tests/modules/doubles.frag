#version 450
layout(location = 0) flat in dvec4 a;
layout(location = 2) flat in dvec3 b;
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform U {
   double s;
   dmat3 m;
   layout(row_major) dmat2x4 n;
   dvec2 arr[3];
   int i;
} u;
void main()
{
   dvec4 r = sqrt(a) + inversesqrt(a) + floor(a) + ceil(a) + trunc(a) +
             round(a) + fract(a) + mod(a, u.s) + sign(a) + abs(-a);
   r += min(a, u.s) + max(a, u.s) + clamp(a, 0.0LF, 1.0LF) +
        mix(a, r, 0.5LF) + fma(a, a, r);
   r.xyz += u.m * b + b * u.m + cross(b, r.xyz) + normalize(b);
   r += u.n * r.xy;
   r.xy += u.arr[u.i] + r * u.n;
   r.x += determinant(u.m) + inverse(u.m)[1].y + length(b) + dot(a, r);
   r.z = packDouble2x32(unpackDouble2x32(r.w).yx);
   int e;
   r.w += frexp(r.x, e) + ldexp(r.y, e);
   if (r.x > r.y && isnan(r.z))
      r.x = double(int(r.y)) + double(uint(r.z)) + double(float(r.w));
   bvec4 c = lessThanEqual(r, a);
   o = vec4(c.x ? r : a);
}
