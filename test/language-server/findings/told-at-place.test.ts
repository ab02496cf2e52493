import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

suite("a mistake that several objects get from one place", () => {
  test("is reported once, with the consequences for each", async () => {
    const pod = (name: string): string => `
  ---
  apiVersion: v1
  kind: Pod
  metadata: { name: ${name} }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: ${name} } }]
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: ${name} }
  spec:
    accessModes: [ReadWriteOnce]
    storageClassName: {{ .Values.class }}
    resources: { requests: { storage: 1Gi } }`;
    const service = await loadFixture(
      readFixture(`
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  #- shop/values.yaml
  class: fastt
  #- shop/templates/pods.yaml${pod("one")}${pod("two")}
  #- shop/templates/class.yaml
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fast }
  provisioner: csi.example.com`),
      true,
    );
    const found = findingsOf(service, memoryUri("shop/values.yaml"));
    assert.deepEqual(
      found.map(({ code }) => code),
      ["pvc-class-typo"],
    );
    assert.deepEqual(
      (found[0]?.related ?? []).map(({ message }) => message),
      ["Pod one stays Pending with it", "Pod two stays Pending with it"],
    );
  });
});
