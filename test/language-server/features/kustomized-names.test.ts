import assert from "node:assert/strict";
import { completions } from "../../../src/language-server/features/completion.ts";
import {
  atCursor,
  checkDefinition,
  checkHover,
  checkReferences,
} from "../../support/language-features.ts";

/** A claim and references to it, in a kustomization that changes all names; the cursor is at the first `data` of a file. */
const shop = (cursor: "claim" | "pod" | "patch"): string => {
  const data = (place: string): string => (place === cursor ? "da$0ta" : "data");
  return `
  #- kustomization.yaml
  resources: [claim.yaml, pod.yaml]
  namespace: shop
  namePrefix: dev-
  patches: [{ path: larger.yaml }]
  #- claim.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: ${data("claim")} }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  #- larger.yaml
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: ${data("patch")} }
  spec: { resources: { requests: { storage: 2Gi } } }
  #- pod.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: ${data("pod")} } }]
`;
};

suite("names that kustomize changes", () => {
  test("lead to the object that has them in its file, also from a patch", async () => {
    await checkDefinition(shop("pod"), ["claim.yaml:3: data"]);
    await checkDefinition(shop("patch"), ["claim.yaml:3: data"]);
  });

  test("are found in all files", () =>
    checkReferences(shop("claim"), [
      "claim.yaml:3: data",
      "pod.yaml:6: data",
      "larger.yaml:3: data",
    ]));

  test("are found where a kustomization selects their object, but not in patterns", () =>
    checkReferences(
      `
      #- base/kustomization.yaml
      resources: [claim.yaml]
      #- base/claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: da$0ta, namespace: shop }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- kustomization.yaml
      resources: [base]
      namePrefix: dev-
      patches:
        - target: { kind: PersistentVolumeClaim, name: data }
          patch: '[{ "op": "add", "path": "/metadata/labels", "value": { "a": "b" } }]'
        - target: { kind: PersistentVolumeClaim, name: dat. }
          patch: '[{ "op": "add", "path": "/metadata/labels", "value": { "a": "b" } }]'
        - target: { kind: Pod, name: data }
          patch: '[{ "op": "add", "path": "/metadata/labels", "value": { "a": "b" } }]'
      replacements:
        - source: { kind: PersistentVolumeClaim, name: data, namespace: shop, fieldPath: metadata.name }
          targets: [{ select: { kind: PersistentVolumeClaim, name: data }, fieldPaths: [metadata.annotations.a], options: { create: true } }]
      vars: [{ name: DATA, objref: { apiVersion: v1, kind: PersistentVolumeClaim, name: data } }]
    `,
      [
        "base/claim.yaml:3: data",
        "kustomization.yaml:4: data",
        "kustomization.yaml:11: data",
        "kustomization.yaml:12: data",
        "kustomization.yaml:13: data",
      ],
    ));

  test("are offered as the files have them", async () => {
    const { analysis, file, offset } = await atCursor(shop("pod").replace("da$0ta", "$0"), false);
    const items = completions(analysis, file, offset);
    assert.ok(items.some(({ label }) => label === "data"));
    assert.ok(!items.some(({ label }) => label === "dev-data"));
  });

  test("are shown in hovers as the cluster has them", async () => {
    await checkHover(shop("pod"), ["shop/dev-data"]);
    await checkHover(shop("claim"), ["shop/dev-data"]);
  });
});
