#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 v_color;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform Block {
   vec4 scale;
};
layout(push_constant) uniform Push {
   vec4 bias;
};

void
main()
{
   color = v_color * scale + bias;
}
