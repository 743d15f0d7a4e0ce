#version 450
#extension GL_EXT_terminate_invocation : require
/* The left one of two pixels ends within a loop, whose other invocation goes
 * on. */
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer Result { uint result[2]; };

void main()
{
   const int x = int(gl_FragCoord.x);
   uint rounds = 0;
   for (int i = 0; i < 5; i++) {
      if (x == 0 && i == 2)
         terminateInvocation;
      rounds++;
      result[x] = rounds;
   }
   color = vec4(1, 0, 0, 1);
}
