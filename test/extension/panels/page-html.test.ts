import assert from "node:assert/strict";
import { pageHtml } from "../../../src/extension/panels/page-html.ts";

function page(texts: Readonly<Record<string, unknown>> = {}, language = "en"): string {
  return pageHtml({
    address: (file) => `https://files/${file}`,
    origin: "https://files",
    language,
    texts,
  });
}

suite("the simulation page's HTML", () => {
  test("loads only its own files and the script with this page's nonce", () => {
    const html = page();
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    const nonce = /<script nonce="([\da-f]{32})" src="https:\/\/files\/main\.js"><\/script>/.exec(
      html,
    )?.[1];
    assert.equal(
      policy,
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src https://files; font-src https://files; connect-src https://files; worker-src blob:`,
    );
    assert.ok(!page().includes(`${nonce}`));
  });

  test("contains the texts of the editor's language, with special characters escaped", () => {
    const html = page({ Claim: `"><script>alert('&')</script>` }, 'x"y');
    assert.ok(html.includes('<html lang="x&quot;y">'));
    const held = /data-texts="([^"]*)"/.exec(html)?.[1] ?? "";
    const read = held.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    assert.deepEqual(JSON.parse(read), { Claim: `"><script>alert('&')</script>` });
  });
});
