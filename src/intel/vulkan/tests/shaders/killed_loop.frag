#version 450
/* SPDX-License-Identifier: MIT */
/* The left one of two pixels is gone before a loop that it would not leave;
 * the right one needs ten rounds. */
layout(location = 0) out vec4 color;

void main()
{
   const int x = int(gl_FragCoord.x);
   int rounds = 0;
   if (x == 0)
      discard;
   for (int i = 0; i < 10; i += x)
      rounds++;
   color = vec4(rounds / 255.0, 0, 0, 1);
}
