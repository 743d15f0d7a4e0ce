#version 450
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 position;
layout(location = 0) out float view;

/* Each view sees all that many columns further on the right. */
void main()
{
   gl_Position = position + vec4(float(gl_ViewIndex) / 4.0, 0, 0, 0);
   view = float(gl_ViewIndex);
}
