#version 450
/* Not the fourth, and what the setup unit makes itself. */
layout(location = 0) in vec4 low[3];
layout(location = 4) in vec4 high[26];
layout(location = 0) out vec4 color;

bool
is(vec4 v, int i)
{
   return v == vec4(4 * i, 4 * i + 1, 4 * i + 2, gl_PrimitiveID);
}

void
main()
{
   bool good = gl_PointCoord == vec2(0.5);
   for (int i = 0; i < 3; i++)
      good = good && is(low[i], i);
   for (int i = 0; i < 26; i++)
      good = good && is(high[i], i + 4);
   color = good ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);
}
