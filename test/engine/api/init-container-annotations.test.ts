import assert from "node:assert/strict";
import { create, field } from "./answer.ts";

suite("Annotations that once held init containers", () => {
  const old = '"pod.beta.kubernetes.io/init-containers": "[]"';
  const containers = "containers: [{ name: main, image: app }]";
  const pod = (annotations: string): string =>
    `{ apiVersion: v1, kind: Pod, metadata: { name: p, annotations: { ${annotations} } }, spec: { ${containers} } }`;

  test("are dropped from pods", () => {
    assert.equal(field(create(pod(old)), "metadata.annotations"), undefined);
    assert.deepEqual(field(create(pod(`a: b, ${old}`)), "metadata.annotations"), { a: "b" });
  });

  test("are dropped from pod templates", () => {
    const metadata = `{ labels: { app: a }, annotations: { a: b, ${old} } }`;
    const deployment = `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: d }, spec: { selector: { matchLabels: { app: a } }, template: { metadata: ${metadata}, spec: { ${containers} } } } }`;
    assert.deepEqual(field(create(deployment), "spec.template.metadata.annotations"), { a: "b" });
  });
});
