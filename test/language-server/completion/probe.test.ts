/** The path of the cursor in an object, read without a syntax tree if the text is simple. */
import assert from "node:assert/strict";
import { probe } from "../../../src/language-server/completion/probe.ts";

const manifest = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  labels: { app: "web", tier: 'gold' }
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 1Gi
  storageClassName:
  selector:
    matchExpressions:
      - key: type
        operator: In
        values: [ssd, "disk"]
`;
/** Contains a tab, so that the text is not simple. */
const notSimple = "#\t\n";

suite("the place of the cursor in a document", () => {
  test("is the same with and without a syntax tree, at any offset", () => {
    for (let offset = 0; offset < manifest.length; offset++)
      assert.deepEqual(
        [...probe(manifest, offset)],
        [...probe(manifest + notSimple, offset)],
        `at ${offset}: ${JSON.stringify(manifest.slice(offset - 10, offset))}`,
      );
  });

  test("is the same while a line is typed", () => {
    const [before, after] = manifest.split(/(?<=spec:\n)/);
    for (const line of [
      "  ",
      "  vol",
      "  volumeMode: ",
      "  volumeMode: B",
      "- x",
      "  a: [",
      "  'q",
    ]) {
      const text = `${before}${line}`;
      assert.deepEqual(
        [...probe(`${text}\n${after}`, text.length)],
        [...probe(`${text}\n${after}${notSimple}`, text.length)],
        line,
      );
    }
  });
});
