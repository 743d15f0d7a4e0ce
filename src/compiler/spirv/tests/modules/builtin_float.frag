#version 450
layout(location = 0) in vec4 x;
layout(location = 1) in vec4 y;
layout(location = 0) out vec4 o;
void main()
{
   vec4 r = radians(x) + degrees(y) + sin(x) * cos(y) + tan(x);
   r += asin(x) + acos(y) + atan(x) + atan(x, y) + sinh(x) + cosh(y);
   r += tanh(x) + asinh(x) + acosh(y) + atanh(x) + pow(x, y) + exp(x);
   r += log(x) + exp2(y) + log2(x) + sqrt(x) + inversesqrt(y) + abs(x);
   r += sign(x) + floor(y) + trunc(x) + round(y) + roundEven(x) + ceil(y);
   r += fract(x) + mod(x, y) + min(x, y) + max(x, 0.5) + clamp(x, 0.0, 1.0);
   r += mix(x, y, 0.25) + mix(x, y, lessThan(x, y)) + step(x, y);
   r += smoothstep(x, y, r) + fma(x, y, r) + vec4(isnan(x)) + vec4(isinf(y));
   ivec4 e;
   vec4 whole;
   r += frexp(x, e) + ldexp(y, e) + modf(x, whole) + whole;
   r.x += length(x) + distance(x, y) + dot(x, y);
   r.xyz += cross(x.xyz, y.xyz);
   r += normalize(x) + faceforward(x, y, r) + reflect(x, y);
   r += refract(x, y, 0.5) + dFdx(x) + dFdyFine(y) + fwidthCoarse(x);
   r.xy += unpackHalf2x16(packHalf2x16(r.xy)) +
           unpackSnorm2x16(packSnorm2x16(r.zw)) +
           unpackUnorm2x16(packUnorm2x16(r.xw));
   r += unpackSnorm4x8(packSnorm4x8(r)) + unpackUnorm4x8(packUnorm4x8(r));
   o = r;
}
