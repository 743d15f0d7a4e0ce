#version 450
#extension GL_EXT_demote_to_helper_invocation : require
/* The left one of two pixels is given up: it draws and stores nothing, but
 * its neighbour still has a difference to it. */
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer Result { uint result[2]; };

void main()
{
   const int x = int(gl_FragCoord.x);
   if (x == 0)
      demote;
   const float value = x == 0 ? 51.0 : 153.0;
   const float difference = dFdx(value);
   result[x] = helperInvocationEXT() ? 5u : 6u;
   color = vec4(difference / 255, 0, 0, 1);
}
