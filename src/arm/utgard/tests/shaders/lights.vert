#version 450
// Fixed-function lighting: matrices, normals, a few lights.
in vec4 position;
in vec3 normal;
in vec2 coord;
uniform mat4 modelview_projection;
uniform mat4 modelview;
uniform mat3 normal_matrix;
struct light {
   vec4 position;
   vec4 diffuse;
   vec4 specular;
   float shininess;
};
layout(binding = 1) uniform lights {
   light light_list[3];
   int count;
};
out vec4 diffuse;
out vec4 specular;
out vec2 uv;

void
main()
{
   vec3 eye = (modelview * position).xyz;
   vec3 n = normalize(normal_matrix * normal);
   diffuse = vec4(0.1);
   specular = vec4(0.0);
   for (int i = 0; i < 3; i++) {
      if (i >= count)
         break;
      vec3 l = light_list[i].position.xyz - eye;
      float d = length(l);
      l /= d;
      float a = 1.0 / (1.0 + 0.1 * d + 0.01 * d * d);
      float c = max(dot(n, l), 0.0);
      vec3 h = normalize(l - normalize(eye));
      diffuse += a * c * light_list[i].diffuse;
      if (c > 0.0)
         specular += a * pow(max(dot(n, h), 0.0), light_list[i].shininess) *
                     light_list[i].specular;
   }
   uv = coord * 2.0 - 1.0;
   gl_PointSize = 4.0 / length(eye);
   gl_Position = modelview_projection * position;
}
