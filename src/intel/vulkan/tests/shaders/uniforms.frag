#version 450
/* Red: what lies in the range of 48 bytes; green: the vector after it; blue:
 * those far after it. */
layout(set = 0, binding = 0) uniform A { vec4 a[16]; };
layout(set = 0, binding = 1) uniform B { vec4 b[16]; };
layout(set = 0, binding = 2) uniform C { vec4 c[16]; };
layout(set = 0, binding = 3) uniform D { vec4 d[16]; };
layout(set = 0, binding = 4) uniform E { vec4 e[16]; };
layout(location = 0) out vec4 color;

void main()
{
   color = vec4(a[0].x + b[1].y + c[2].z + d[0].w + e[2].w,
                a[3].x + b[3].y + c[3].z + d[3].w + e[3].x,
                a[4].x + b[5].y + c[6].z + d[7].w + e[8].x, 1);
}
