import assert from "node:assert/strict";
import {
  manifestPath,
  parseFieldPath,
  printPath,
} from "../../../src/language-server/yaml/field-path.ts";
import { pathAt, underline } from "../../../src/language-server/yaml/locate.ts";
import { readYamlDocument } from "../../../src/language-server/yaml/yaml-document.ts";
import { dedent } from "../../support/markers.ts";

const claim = dedent(`
  kind: PersistentVolumeClaim
  metadata:
    name: data
    annotations: { example.com/owner: me }
  spec:
    accessModes:
      - ReadWriteOnce
    resources:
      requests:
        storage: 1Gi
    selector:
`);

function underlined(field: string): string {
  const document = readYamlDocument(claim);
  const { start, end } = underline(document, manifestPath(parseFieldPath(field), document.value));
  return claim.slice(start, end);
}

suite("places of fields", () => {
  test("a one-line value is underlined itself", () => {
    assert.equal(underlined("spec.resources.requests.storage"), "1Gi");
    assert.equal(underlined("spec.accessModes[0]"), "ReadWriteOnce");
    assert.equal(underlined("metadata.annotations[example.com/owner]"), "me");
    assert.equal(underlined("metadata.annotations"), "{ example.com/owner: me }");
  });

  test("the API server's short form of a request's path is translated", () => {
    assert.equal(underlined("spec.resources[storage]"), "1Gi");
  });

  test("a path in a claim's data source is translated to the field that is written", () => {
    const clone = { spec: { dataSourceRef: { kind: "PersistentVolumeClaim", name: "gone" } } };
    assert.deepEqual(manifestPath(parseFieldPath("spec.dataSource.name"), clone), [
      "spec",
      "dataSourceRef",
      "name",
    ]);
  });

  test("a block and an empty value are underlined at their key", () => {
    assert.equal(underlined("spec"), "spec");
    assert.equal(underlined("spec.selector"), "selector");
  });

  test("a missing field is underlined at its nearest existing parent", () => {
    assert.equal(underlined("spec.selector.matchLabels"), "selector");
    assert.equal(underlined("spec.volumeName"), "spec");
    assert.equal(underlined("status.phase"), "kind");
  });

  test("paths are printed as the API server prints them", () => {
    for (const text of [
      "spec.volumes[0].name",
      "metadata.annotations[example.com/owner]",
      "spec",
    ]) {
      assert.equal(printPath(parseFieldPath(text)), text);
    }
  });

  test("a place in the text leads back to its path", () => {
    const document = readYamlDocument(claim);
    const at = (text: string): string => {
      const { path, part } = pathAt(document, claim.indexOf(text) + 1);
      return `${part} of ${printPath(path)}`;
    };
    assert.equal(at("1Gi"), "value of spec.resources.requests.storage");
    assert.equal(at("storage:"), "key of spec.resources.requests.storage");
    assert.equal(at("ReadWriteOnce"), "value of spec.accessModes[0]");
    assert.equal(at("me }"), "value of metadata.annotations[example.com/owner]");
  });

  test("the beginning of a line belongs to the key there, not to the value above", () => {
    const document = readYamlDocument(claim);
    for (const key of ["metadata", "spec"])
      assert.deepEqual(pathAt(document, claim.indexOf(`${key}:`)), { path: [key], part: "key" });
  });
});
