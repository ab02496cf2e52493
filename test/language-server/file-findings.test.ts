import assert from "node:assert/strict";
import type { LanguageService } from "../../src/language-server/service.ts";
import { loadFixture } from "../support/language-features.ts";
import { readFixture } from "../support/markers.ts";
import { memoryUri } from "../support/memory-workspace.ts";

const fixture = `
  #- a.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: one }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
  ---
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: two }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
  #- b.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: three }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
`;

const uris = ["a.yaml", "b.yaml"].map(memoryUri);

/** Of each finding the line, and the lines of the others that share its disk. */
function linesToldOf(service: LanguageService): readonly string[] {
  const lineOf = ({ uri, start }: { readonly uri: string; readonly start: number }): number =>
    service.file(uri)?.manifest.text.slice(0, start).split("\n").length ?? 0;
  return uris.flatMap((uri) =>
    service
      .knownDiagnostics(uri)
      .filter(({ code }) => code === "pv-duplicate-handle")
      .map((found) => `${lineOf(found)}: ${(found.related ?? []).map(lineOf).join()}`),
  );
}

suite("findings of a file", () => {
  test("stay at their lines with what they point to while somebody types, before anything is judged again", async () => {
    const service = await loadFixture(readFixture(fixture), true);
    const replace = (name: string, text: string, by: string): void => {
      const before = service.file(memoryUri(name))?.manifest.text ?? "";
      assert.ok(before.includes(text));
      service.setEditorText(memoryUri(name), before.replace(text, by));
    };
    assert.deepEqual(linesToldOf(service), ["7: 15,7", "15: 7,7", "7: 7,15"]);
    replace("a.yaml", "metadata: { name: two }", "# a note\nmetadata: { name: two }");
    assert.deepEqual(linesToldOf(service), ["7: 16,7", "16: 7,7", "7: 7,16"]);
    replace("b.yaml", "kind: PersistentVolume", "# a note\nkind: PersistentVolume");
    assert.deepEqual(linesToldOf(service), ["7: 16,8", "16: 7,8", "8: 7,16"]);
    replace("a.yaml", "apiVersion: v1\n", "---\napiVersion: v1\n");
    assert.deepEqual(linesToldOf(service), ["8: 17,8", "17: 8,8", "8: 8,17"]);
    replace(
      "a.yaml",
      "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: { name: one",
      "---\nkind: PersistentVolume\nmetadata: { name: one",
    );
    assert.deepEqual(linesToldOf(service), ["16: 8", "8: 16"]);
  });
});
