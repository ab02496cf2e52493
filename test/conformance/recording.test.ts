import assert from "node:assert/strict";
import { record } from "./recording.ts";
import { parseManifests } from "./scenario-file.ts";

suite("a recording by the engine", () => {
  test("changes what is there by a merge patch, as the recordings were made, among other documents too", () => {
    const claim = (spec: string): string => `
kind: PersistentVolumeClaim
apiVersion: v1
metadata: {name: data}
spec: {${spec}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: beside}`;
    const texts = [
      claim(
        "storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}",
      ),
      claim("volumeName: pv"),
      "kind: PersistentVolumeClaim\napiVersion: v1",
    ];
    const steps = texts.map(
      (text) => ({ type: "apply", manifests: parseManifests(text) }) as const,
    );
    const cluster = { name: "test", nodes: [], drivers: [], manifests: [] };
    const { simulation } = record("patched", { version: "1.36", seed: 1, cluster, steps });
    const found = simulation.runtime.api.store.get("PersistentVolumeClaim", "default", "data");
    assert.equal(found?.spec.volumeName, "pv");
    assert.equal(found?.spec.storageClassName, "fast");
  });
});
