/* SPDX-License-Identifier: MIT */
/*
 * saffron-decode: prints a batch buffer. The back end of `bin/saffron
 * decode`. Exit codes: 0, 1 when a command could not be decoded or the file
 * not be read, 2 for bad usage.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "intel/dev/intel_device_info.h"
#include "intel/genxml/genxml_batch.h"
#include "util/dynarray.h"
#include "util/tool_io.h"

static void
usage(FILE *fp)
{
   fputs("usage: saffron decode [OPTIONS] [FILE]\n"
         "\n"
         "Prints the commands of a batch buffer, read from FILE or standard\n"
         "input: little-endian dwords, or text of hexadecimal dwords.\n"
         "\n"
         "  --gen=G          generation: ivb, hsw, bdw or skl (default)\n"
         "  --address=A      GPU address of the first byte (default 0)\n"
         "  --hex            the input is text: dwords of up to 8 digits,\n"
         "                   '#' begins a comment\n"
         "  --color=WHEN     always, never, or auto (default)\n"
         "  --help           this text\n",
         fp);
}

static bool
read_all(FILE *fp, struct util_dynarray *bytes)
{
   char buf[65536];
   size_t n;
   while ((n = fread(buf, 1, sizeof(buf), fp)) > 0)
      memcpy(util_dynarray_grow_bytes(bytes, n), buf, n);
   return !ferror(fp);
}

/* Hexadecimal text to dwords; false with a message on the first bad one. */
static bool
parse_hex(const char *name, const struct util_dynarray *text,
          struct util_dynarray *dwords)
{
   const char *s = text->data;
   unsigned line = 1, column = 1;
   for (size_t i = 0; i < text->size_B;) {
      if (s[i] == '\n') {
         line++;
         column = 1;
         i++;
         continue;
      }
      if (isspace((unsigned char)s[i])) {
         column++;
         i++;
         continue;
      }
      if (s[i] == '#') {
         while (i < text->size_B && s[i] != '\n')
            i++;
         continue;
      }
      const unsigned start = column;
      uint32_t v = 0;
      unsigned digits = 0;
      if (i + 1 < text->size_B && s[i] == '0' && (s[i + 1] | 32) == 'x') {
         i += 2;
         column += 2;
      }
      for (; i < text->size_B && isxdigit((unsigned char)s[i]); i++) {
         const char c = s[i];
         v = v << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
         digits++;
         column++;
      }
      const bool ended = i == text->size_B || isspace((unsigned char)s[i]) ||
                         s[i] == '#';
      if (digits == 0 || digits > 8 || !ended) {
         fprintf(stderr, "%s:%u:%u: expected a hexadecimal dword\n", name,
                 line, start);
         return false;
      }
      util_dynarray_append(dwords, uint32_t, v);
   }
   return true;
}

struct options {
   const char *gen, *color, *file;
   uint64_t address;
   bool hex;
};

/* 0 to go on, else the exit code plus one. */
static int
parse_options(int argc, char **argv, struct options *o)
{
   static const struct option longopts[] = {
      { "gen", required_argument, NULL, 'g' },
      { "address", required_argument, NULL, 'a' },
      { "hex", no_argument, NULL, 'x' },
      { "color", required_argument, NULL, 'c' },
      { "help", no_argument, NULL, 'h' },
      { 0 }
   };
   int c;
   char *end;
   while ((c = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
      switch (c) {
      case 'g': o->gen = optarg; break;
      case 'a':
         errno = 0;
         o->address = strtoull(optarg, &end, 0);
         if (errno || *end || end == optarg) {
            fprintf(stderr, "saffron decode: bad address '%s'\n", optarg);
            return 3;
         }
         break;
      case 'x': o->hex = true; break;
      case 'c':
         o->color = optarg;
         if (strcmp(optarg, "always") && strcmp(optarg, "never") &&
             strcmp(optarg, "auto")) {
            fprintf(stderr, "saffron decode: --color is not '%s'\n", optarg);
            return 3;
         }
         break;
      case 'h': usage(stdout); return 1;
      default: usage(stderr); return 3;
      }
   }
   if (argc - optind > 1) {
      usage(stderr);
      return 3;
   }
   o->file = optind < argc ? argv[optind] : NULL;
   return 0;
}

static int
decode(const struct options *o, const struct genxml_spec *spec)
{
   const char *name = o->file ? o->file : "<stdin>";
   FILE *fp = o->file ? fopen(o->file, "rb") : stdin;
   struct util_dynarray input = { 0 }, dwords = { 0 };
   struct strbuf out = { 0 };
   int result = 1;
   if (!fp || !read_all(fp, &input)) {
      fprintf(stderr, "saffron decode: %s: %s\n", name, strerror(errno));
      goto done;
   }
   if (o->hex) {
      if (!parse_hex(name, &input, &dwords))
         goto done;
   } else {
      if (input.size_B % 4) {
         fprintf(stderr,
                 "saffron decode: %s: %zu bytes are no whole "
                 "number of dwords\n",
                 name, input.size_B);
         goto done;
      }
      memcpy(util_dynarray_grow_bytes(&dwords, input.size_B), input.data,
             input.size_B);
   }
   const bool color = strcmp(o->color, "always") == 0 ||
                      (strcmp(o->color, "auto") == 0 && isatty(1));
   const unsigned faults = genxml_print_batch(
      &out, spec, dwords.data,
      (unsigned)util_dynarray_num_elements(&dwords, uint32_t), o->address,
      color);
   fputs(strbuf_str(&out), stdout);
   if (faults)
      fprintf(stderr,
              "saffron decode: %s: %u commands could not be "
              "decoded\n",
              name, faults);
   result = faults ? 1 : 0;
done:
   if (fp && fp != stdin)
      fclose(fp);
   util_dynarray_fini(&input);
   util_dynarray_fini(&dwords);
   strbuf_fini(&out);
   return result;
}

static int
decode_main(int argc, char **argv)
{
   struct options o = { .gen = "skl", .color = "auto" };
   const int early = parse_options(argc, argv, &o);
   if (early)
      return early - 1;
   const struct intel_device_info *info = intel_device_info_by_name(o.gen);
   const struct genxml_spec *spec =
      info ? genxml_spec_get((unsigned)info->verx10) : NULL;
   if (!spec) {
      fprintf(stderr,
              "saffron decode: no packet description for "
              "generation '%s'\n",
              o.gen);
      return 2;
   }
   return decode(&o, spec);
}

int
main(int argc, char **argv)
{
   return tool_exit("saffron decode", decode_main(argc, argv));
}
