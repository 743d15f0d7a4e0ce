/* SPDX-License-Identifier: MIT */
/* gp_glsl: old GLSL on standard input to new GLSL on standard output. */
#include <stdio.h>

#include "gp_glsl.h"

int
main(void)
{
   struct strbuf in = { 0 }, out = { 0 };
   char buffer[4096];

   while (fgets(buffer, sizeof(buffer), stdin))
      strbuf_puts(&in, buffer);
   gpc_modernize_glsl(strbuf_str(&in), &out);
   fputs(strbuf_str(&out), stdout);
   strbuf_fini(&in);
   strbuf_fini(&out);
   return 0;
}
