#version 450
layout(local_size_x_id = 0) in;
void main() {}
