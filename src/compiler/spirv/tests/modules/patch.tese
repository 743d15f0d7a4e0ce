#version 450
layout(triangles,equal_spacing) in; layout(location=40) in dvec2 o[]; layout(location=63) patch in vec3 pp; layout(location=0) out vec4 r;
void main(){ gl_Position=gl_TessCoord.x*gl_in[0].gl_Position+gl_TessCoord.y*gl_in[1].gl_Position; r=vec4(o[2],pp.x,gl_TessLevelOuter[2]); }
