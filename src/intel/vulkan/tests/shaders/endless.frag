#version 450
/* SPDX-License-Identifier: MIT */
/* Never ends as long as scale.x is positive. */
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform Block {
   vec4 scale;
};

void
main()
{
   vec4 sum = vec4(0.0);
   while (scale.x > 0.0)
      sum = fract(sum + v_color);
   color = sum;
}
