#version 450
// Everything that tables and their combinations are for.
in vec4 a;
in vec4 b;
out vec4 o0;
out vec4 o1;
out vec4 o2;

void
main()
{
   o0 = exp2(a) + log2(abs(b)) * inversesqrt(abs(a) + 1.0);
   o1 = pow(abs(a), b) / (1.0 + exp(b)) + sqrt(abs(b));
   o2 = vec4(sin(a.x), cos(b.y), tan(a.z), atan(b.w));
   o2 += smoothstep(vec4(0.0), vec4(1.0), a) + floor(b) + ceil(a) +
         fract(a) + mix(a, b, 0.25) + sign(b) + round(a) + trunc(b);
   gl_Position = vec4(exp2(exp2(a.x)), log2(exp2(b.y)), 1.0 / (1.0 / a.z),
                      dot(a, b));
}
