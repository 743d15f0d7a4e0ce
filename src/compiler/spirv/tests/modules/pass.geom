#version 450
layout(triangles) in; layout(triangle_strip,max_vertices=3) out;
layout(location=0) in vec4 c[]; layout(location=0) out vec4 o;
void main(){ for(int i=0;i<gl_in.length();i++){ gl_Position=gl_in[i].gl_Position; o=c[i]; gl_Layer=gl_PrimitiveIDIn; EmitVertex(); } EndPrimitive(); }
