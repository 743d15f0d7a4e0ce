#version 450
/* Nothing but depth. */
layout(location = 0) in vec4 shade;
void main() { gl_FragDepth = shade.x / 2; }
