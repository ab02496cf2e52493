import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { checkPredicted, loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const head = "values don't meet the specifications of the schema(s) in the following chart(s)";
const installed = `
  #- claimcheck.yaml
  charts: [{ chart: shop, values: [large.yaml] }]`;
const web = `
  #- claimcheck.yaml
  charts: [{ chart: web }]
  #- web/Chart.yaml
  apiVersion: v2
  name: web
  version: 1.0.0`;
const chart = `
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  #- shop/values.schema.json
  {
    "required": ["owner"],
  #             ^^^^^^^^^ helm-chart: ${head}: shop: at '': missing property 'owner'
    "properties": {
      "storage": {
        "additionalProperties": false,
        "properties": {
          "size": { "type": "string", "pattern": "^[0-9]+Gi$" },
          "classes": { "items": { "type": "string" } }
        },
        "allOf": [{ "required": ["name"] }]
      },
      "replicas": { "anyOf": [{ "type": "integer" }, { "type": "null" }] }
    }
  }`;

suite("values.schema.json", () => {
  test("each invalid value is reported where the file that takes effect sets it", () =>
    checkPredicted(`${installed}${chart}
  #- shop/values.yaml
  storage:
    size: 10
    classes: [fast]
  replicas: 2
  #- large.yaml
  { storage:
  # ^^^^^^^ helm-chart: ${head}: shop: at '/storage': missing property 'name'
      { size: 10,
  #           ^^ helm-chart: ${head}: shop: at '/storage/size': got number, want string
        classes: [slow, 5],
  #                     ^ helm-chart: ${head}: shop: at '/storage/classes/1': got number, want string
        kind: fast },
  #     ^^^^ helm-chart: ${head}: shop: at '/storage': additional properties 'kind' not allowed
    replicas: two }
  #           ^^^ helm-chart: ${head}: shop: at '/replicas': 'anyOf' failed
  `));

  test("a subchart's requirements are reported in the values of its parent", () =>
    checkPredicted(`${web}
  #- web/values.yaml
  { db:
  # ^^ helm-chart: ${head}: db: at '': missing property 'user'
      { port: "1" } }
  #           ^^^ helm-chart: ${head}: db: at '/port': got string, want integer
  #- web/charts/db/Chart.yaml
  apiVersion: v2
  name: db
  version: 1.0.0
  #- web/charts/db/values.schema.json
  { "required": ["user"], "properties": { "port": { "type": "integer" } } }`));

  test("a mistake that can be fixed in several places is reported at their parent", () =>
    checkPredicted(`${web}
  #- web/values.schema.json
  { "anyOf": [{ "properties": { "storage": { "properties": { "size": { "type": "string" } } } } },
              { "properties": { "storage": { "properties": { "class": { "type": "string" } } } } }] }
  #- web/values.yaml
  { storage:
  # ^^^^^^^ helm-chart: ${head}: web: at '': 'anyOf' failed
      { size: 1, class: 2 } }`));

  test("a schema that would take too long to check is reported as such, in its own file", () =>
    checkPredicted(`${web}
  #- web/values.schema.json
    ${"[".repeat(300)}${"]".repeat(300)}
  # ${"^".repeat(600)} helm-chart: What this schema asks for is more than is looked at here
  #- web/values.yaml
  size: 1`));

  test("a mistake in the schema is reported there, according to its own draft", () =>
    checkPredicted(`${web}
  #- web/values.schema.json
  {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {
      "size": { "type": "text" },
  #                     ^^^^^^ helm-chart: ${head}: web: "file:///values.schema.json#" is not valid against metaschema
      "class": { "$ref": "#/definitions/class" }
    }
  }`));

  test("a mismatch is only an error if it is known how the chart is installed", async () => {
    const severities = async (before: string, size: string): Promise<readonly string[]> => {
      const text = `${before}
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  #- shop/values.schema.json
  { "properties": { "size": { "type": "string", "minLength": 1 } }, "required": ["size"] }
  #- shop/values.yaml
  size: ${size}`;
      const service = await loadFixture(readFixture(text), false);
      const found = findingsOf(service, memoryUri("shop/values.yaml"));
      return found.map(({ severity }) => severity);
    };
    const project = "\n  #- claimcheck.yaml\n  charts: [{ chart: shop }]";
    assert.deepEqual(await severities(project, "5"), ["error"]);
    assert.deepEqual(await severities(project, '""'), ["error"]);
    assert.deepEqual(await severities("", "5"), ["warning"]);
    for (const nothing of ['""', "[]", "{}", "null"])
      assert.deepEqual(await severities("", nothing), ["information"], nothing);
    assert.deepEqual(await severities("", "[1]"), ["warning"]);
    const skipping = project.replace("shop }", "shop, skipSchemaValidation: true }");
    assert.deepEqual(await severities(skipping, "5"), []);
  });

  test("a byte order mark before the schema is ignored, as in Helm", async () => {
    const text = `
  #- claimcheck.yaml
  charts: [{ chart: shop }]
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  #- shop/values.schema.json
  \ufeff{ "required": ["size"] }`;
    const service = await loadFixture(readFixture(text), false);
    const found = findingsOf(service, memoryUri("shop/values.schema.json"));
    assert.deepEqual(
      found.map(({ message }) => message),
      [`${head}: shop: at '': missing property 'size'`],
    );
  });

  test("a mismatch does not keep the chart's objects from being judged", () =>
    checkPredicted(`${web}
  #- web/values.schema.json
  { "properties": { "size": { "type": "integer" } } }
  #- web/values.yaml
  size: 10
  mode: ReadWriteAlways
  #     ^^^^^^^^^^^^^^^ api-refused: spec.accessModes: Unsupported value
  #- web/templates/claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    storageClassName: ""
    accessModes: [{{ .Values.mode }}]
    resources: { requests: { storage: 1Gi } }`));
});
