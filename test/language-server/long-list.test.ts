/**
 * A List of many objects, as kubectl prints it: after an edit of one, findings are the same as if the file were read for the
 * first time.
 */
import assert from "node:assert/strict";
import { completions } from "../../src/language-server/features/completion.ts";
import type { LanguageService } from "../../src/language-server/service.ts";
import { itemsOf } from "../../src/language-server/yaml/yaml-document.ts";
import { actionsIn } from "../support/code-actions.ts";
import { findingsOf } from "../support/findings.ts";
import { memoryUri } from "../support/memory-workspace.ts";
import { loadFiles } from "../support/rule-page.ts";

const claim = (name: number, size: string): string => `- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    name: data-${name}
    annotations:
      about: ${"a text that goes on and on ".repeat(10)}
  spec:
    storageClassName: disks
    accessModes: [ReadWriteOnce]
    resources: { requests: { storage: ${size} } }
`;
const listOf = (...items: readonly string[]): string =>
  `apiVersion: v1\nitems:\n${items.join("")}kind: List\n`;

/** Every fifth claim requests less than a byte, which has a quick fix. */
const claims = Array.from({ length: 50 }, (_, index) =>
  claim(index, index % 5 === 0 ? "500m" : "1Gi"),
);
const text = listOf(...claims);
const uri = memoryUri("a.yaml");

const load = (now: string): Promise<LanguageService> =>
  loadFiles(new Map([["a.yaml", now]]), false);

suite("a long List", () => {
  test("keeps the findings and fixes of its items wherever an edit moves them", async () => {
    const service = await load(text);
    assert.ok(findingsOf(service, uri).length >= 10);
    const [first = "", second = "", ...others] = claims;
    const edits: readonly string[] = [
      text.replace("name: data-0\n", "name: data-0 # the first\n"),
      listOf(second, ...others),
      listOf(first, first.replace("data-0", "new"), second, ...others),
    ];
    for (const now of edits) {
      service.setEditorText(uri, now);
      const fresh = await load(now);
      assert.deepEqual(findingsOf(service, uri), findingsOf(fresh, uri));
      const milli = findingsOf(service, uri).filter(({ fix }) => fix !== undefined);
      assert.ok(milli.length > 0);
      for (const finding of [milli[0], milli.at(-1)])
        assert.deepEqual(
          finding && actionsIn(service, "a.yaml", finding).map(({ edits: made }) => made),
          finding && actionsIn(fresh, "a.yaml", finding).map(({ edits: made }) => made),
        );
    }
  });

  test("has the same completions as a short one", async () => {
    const offers = async (items: readonly string[], behind: string): Promise<unknown> => {
      const service = await load(listOf(...items));
      const file = service.file(uri);
      assert.ok(file !== undefined);
      const isLong = items.length > 10;
      assert.equal(
        itemsOf(file.manifest.documents[0]?.yaml ?? assert.fail()) !== undefined,
        isLong,
      );
      const at =
        file.manifest.text.indexOf(behind, file.manifest.text.indexOf("data-1")) + behind.length;
      return completions(service.analysisOf(uri), file, at).map(({ label, insert }) => [
        label,
        insert,
      ]);
    };
    const typed = claims.slice(0, 4).map((item) => item.replace("storageClassName: disks", "vol"));
    for (const [items, behind] of [
      [typed, "  vol"],
      [claims, "accessModes: [Read"],
      [claims, "kind: Persistent"],
      [claims, "metadata:\n    n"],
    ] as const) {
      const long = [...items, ...claims.slice(4)];
      assert.deepEqual(await offers(long, behind), await offers(items.slice(0, 4), behind), behind);
    }
  });
});
