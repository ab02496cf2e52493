import assert from "node:assert/strict";
import { hover } from "../../src/language-server/features/hover.ts";
import {
  cell,
  code,
  codeBlock,
  escapeMarkdown,
  linkToLine,
} from "../../src/language-server/markdown.ts";
import { createLanguageService } from "../../src/language-server/service.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";

suite("foreign text in Markdown", () => {
  test("plain text never acts as markup, wherever it is", () => {
    assert.equal(escapeMarkdown("![i](http://a)<b>|~~"), "!\\[i\\](http://a)\\<b\\>\\|\\~\\~");
    assert.equal(escapeMarkdown("a\n\n# b"), "a # b");
    const blanks = `a${" ".repeat(300_000)}b`;
    assert.equal(escapeMarkdown(blanks), blanks);
    assert.equal(escapeMarkdown("# a"), "\\# a");
    assert.equal(escapeMarkdown("12. a"), "12\\. a");
    assert.equal(escapeMarkdown("a && b &lt;"), "a && b \\&lt;");
    assert.equal(escapeMarkdown("a\u202eb"), "a\\\\u202eb");
    assert.equal(escapeMarkdown("0/3 nodes are available: 3 x."), "0/3 nodes are available: 3 x.");
  });

  test("inline code ends where its text ends", () => {
    assert.equal(code("plain"), "`plain`");
    assert.equal(code("a`![i](http://a)`b"), "`` a`![i](http://a)`b ``");
    assert.equal(code("```"), "```` ``` ````");
    assert.equal(code("a\n\nb"), "`a b`");
    assert.equal(cell("a|b"), "`a\\|b`");
    assert.equal(cell(""), "(nothing)");
    assert.equal(codeBlock("yaml", "a: ```"), "````yaml\na: ```\n````");
  });

  test("a link ends where its address ends", () => {
    assert.equal(
      linkToLine("a](b)", "file:///w/(a) ![x](b.yaml", 3),
      "[a\\](b)](file:///w/%28a%29%20![x]%28b.yaml#L3)",
    );
  });
});

const image = "![i](https://example.com/x.png)";

/** All hovers that somebody sees who moves the mouse over the whole text. */
async function hoversOf(text: string): Promise<readonly string[]> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map([["a.yaml", text]])),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  const uri = memoryUri("a.yaml");
  const analysis = service.analysisOf(uri);
  const file = service.file(uri);
  assert.ok(analysis !== undefined && file !== undefined);
  const prediction = await service.predict(analysis.environment);
  const all = [...text].map((_, offset) => hover(analysis, prediction, file, offset)?.text ?? "");
  return [...new Set(all)];
}

/** Removes code and escapes, which are not read as markup. */
function markUpOf(markdown: string): string {
  return markdown.replace(/\\[\s\S]/g, "").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

test("no hover fetches an image that a manifest names", async () => {
  const texts = await hoversOf(`apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast, annotations: { "storageclass.kubernetes.io/is-default-class": "\`${image}" } }
provisioner: "a\`${image}\`b"
parameters: { "\`${image}\`": x }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: nginx, volumeMounts: [{ name: "${image}", mountPath: /a }, { name: data, mountPath: /b }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: "${image}" } }]
`);
  const withImage = texts.filter((text) => text.includes("example.com"));
  assert.ok(withImage.length >= 4, texts.join("\n"));
  for (const text of withImage) assert.ok(!markUpOf(text).includes("!["), text);
});
