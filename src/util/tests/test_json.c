/* SPDX-License-Identifier: MIT */
#include "util/text/json.h"
#include "util/unit_test.h"

static void
json_strings(void **state)
{
   static const struct {
      const char *text, *json;
   } rows[] = {
      { "", "\"\"" },
      { "a \"b\" \\c", "\"a \\\"b\\\" \\\\c\"" },
      { "a\nb\x1f", "\"a\\u000ab\\u001f\"" },
      { "\xc3\xa4\xf0\x9f\x98\x80", "\"\xc3\xa4\xf0\x9f\x98\x80\"" },
      /* No UTF-8: too short, too long, a surrogate, too high. */
      { "\xc3", "\"\\ufffd\"" },
      { "\xc0\x80", "\"\\ufffd\\ufffd\"" },
      { "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
      { "\xf4\x90\x80\x80x", "\"\\ufffd\\ufffd\\ufffd\\ufffdx\"" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct strbuf s = { 0 };
      json_string(&s, rows[i].text, strlen(rows[i].text));
      assert_string_equal(strbuf_str(&s), rows[i].json);
      strbuf_fini(&s);
   }
}

static void
json_bytes(void **state)
{
   /* RFC 4648, section 10. */
   static const char *const rows[][2] = {
      { "", "\"\"" },
      { "f", "\"Zg==\"" },
      { "fo", "\"Zm8=\"" },
      { "foo", "\"Zm9v\"" },
      { "foob", "\"Zm9vYg==\"" },
      { "fooba", "\"Zm9vYmE=\"" },
      { "foobar", "\"Zm9vYmFy\"" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct strbuf s = { 0 };
      json_base64(&s, rows[i][0], strlen(rows[i][0]));
      assert_string_equal(strbuf_str(&s), rows[i][1]);
      strbuf_fini(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_strings),
      cmocka_unit_test(json_bytes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
