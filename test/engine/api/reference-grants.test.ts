import assert from "node:assert/strict";
import { create, refusal } from "./answer.ts";

const answerTo = (from: string, to: string): string =>
  refusal(
    create(
      `{ apiVersion: gateway.networking.k8s.io/v1beta1, kind: ReferenceGrant, metadata: { name: g }, spec: { from: ${from}, to: ${to} } }`,
    ),
  );
const claims = '{ group: "", kind: PersistentVolumeClaim, namespace: team }';
const snapshots = "{ group: snapshot.storage.k8s.io, kind: VolumeSnapshot }";

suite("A ReferenceGrant", () => {
  test("must have from and to lists of limited length", () => {
    assert.equal(answerTo(`[${claims}]`, `[${snapshots}]`), "accepted");
    assert.equal(
      answerTo("[]", `[${Array(17).fill(snapshots).join(", ")}]`),
      [
        "spec.from: Invalid value: 0: spec.from in body should have at least 1 items",
        "spec.to: Too many: 17: must have at most 16 items",
      ].join("\n"),
    );
  });

  test("has no fields in misplaced lists, nor those that JavaScript gives every object", () => {
    assert.match(
      answerTo(`[${claims}, [${claims}]]`, `[{ group: "", kind: A, constructor: x }]`),
      /strict decoding error: unknown field "spec\.from\[1\]\[0\]\.group", unknown field "spec\.from\[1\]\[0\]\.kind", unknown field "spec\.from\[1\]\[0\]\.namespace", unknown field "spec\.to\[0\]\.constructor"$/,
    );
  });

  test("must have valid groups, kinds, namespaces and names", () => {
    assert.equal(
      answerTo(
        `[{ group: "A b", kind: "", namespace: Team }]`,
        `[{ group: "", kind: 1a, name: ${"n".repeat(254)} }]`,
      ),
      [
        String.raw`spec.from[0].group: Invalid value: "A b": spec.from[0].group in body should match '^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'`,
        'spec.from[0].kind: Invalid value: "": spec.from[0].kind in body should be at least 1 chars long',
        "spec.from[0].namespace: Invalid value: \"Team\": spec.from[0].namespace in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
        "spec.to[0].kind: Invalid value: \"1a\": spec.to[0].kind in body should match '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$'",
        "spec.to[0].name: Too long: may not be more than 253 bytes",
      ].join("\n"),
    );
  });
});
