#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 v_color;

void
main()
{
   gl_Position = vec4(position, 0.0, 1.0);
   v_color = color;
}
