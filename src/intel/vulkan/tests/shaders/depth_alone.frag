#version 450
/* Nothing but depth. */
void main() { gl_FragDepth = 0.5; }
