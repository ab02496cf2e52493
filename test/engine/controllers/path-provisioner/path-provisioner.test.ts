/** Upstream: sig-storage-lib-external-provisioner v11, rancher/local-path-provisioner. */
import assert from "node:assert/strict";
import { verdicts } from "../../../../src/engine/explain/verdicts.ts";
import { assumeCluster } from "../../../../src/engine/profiles/assume-cluster.ts";

import { Simulation } from "../../../../src/engine/simulation.ts";
import { exhaust } from "../../../support/replay.ts";
import { manifests } from "../../../support/storage-run.ts";

const claim = (spec: string): string => `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }
`;
const pod = `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;

/** A cluster of kind, whose one class is local-path's. */
class Kind {
  readonly simulation = new Simulation({
    version: "1.36",
    seed: 1,
    cluster: assumeCluster([], "kind").cluster,
    steps: [],
  });

  constructor() {
    exhaust(this.simulation.boot());
  }

  apply(text: string): this {
    exhaust(this.simulation.step({ type: "apply", manifests: manifests(text) }));
    return this;
  }

  delete(kind: "Pod" | "PersistentVolumeClaim" | "Node", name: string): this {
    exhaust(this.simulation.step({ type: "delete", objects: [{ kind, name }] }));
    return this;
  }

  advance(seconds: number): this {
    exhaust(this.simulation.step({ type: "advance", ms: seconds * 1000 }));
    return this;
  }

  get volumes() {
    return this.simulation.runtime.api.store.list("PersistentVolume");
  }

  get claim() {
    return this.simulation.runtime.api.store.get("PersistentVolumeClaim", "default", "data");
  }

  get verdict() {
    const { trace } = this.simulation;
    return verdicts(trace).find(({ ref }) => ref === "PersistentVolumeClaim/default/data");
  }

  /** What the provisioner says about the claim. */
  get events(): readonly string[] {
    return this.simulation.trace.entries.flatMap((e) =>
      e.type === "event" && e.actor.startsWith("path-provisioner")
        ? [`${e.reason} ${e.message}`]
        : [],
    );
  }
}

suite("path provisioners", () => {
  test("a volume is made on the pod's node, without a finalizer, and goes with its claim", () => {
    const kind = new Kind().apply(claim("")).apply(pod).advance(30);
    const [volume] = kind.volumes;
    assert.equal(kind.claim?.status?.phase, "Bound");
    assert.deepEqual(volume?.metadata.finalizers, ["kubernetes.io/pv-protection"]);
    assert.deepEqual(Object.keys(volume.metadata.annotations ?? {}), [
      "local.path.provisioner/selected-node",
      "pv.kubernetes.io/provisioned-by",
    ]);
    assert.match(
      volume.spec.hostPath?.path ?? "",
      /^\/opt\/local-path-provisioner\/pvc-.*_default_data$/,
    );
    kind.delete("Pod", "web").delete("PersistentVolumeClaim", "data").advance(60);
    assert.deepEqual(kind.volumes, []);
  });

  test("what several nodes share it does not make, however often it tries", () => {
    const kind = new Kind().apply(claim("").replace("ReadWriteOnce", "ReadWriteMany")).apply(pod);
    kind.advance(40);
    const refused =
      'ProvisioningFailed failed to provision volume with StorageClass "standard": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes';
    assert.equal(kind.events.filter((line) => line === refused).length, 2);
    assert.equal(kind.claim?.status?.phase, "Pending");
    assert.equal(kind.verdict?.kind, "fails");
    assert.equal(kind.verdict.root?.field, "spec.accessModes");
    assert.ok((kind.verdict.withinMs ?? Infinity) <= 30_000);
  });

  test("a block volume it refuses once, and does not try", () => {
    const kind = new Kind()
      .apply(claim("volumeMode: Block"))
      .apply(
        pod.replace("volumeMounts", "volumeDevices").replace("mountPath: /v", "devicePath: /dev/v"),
      );
    kind.advance(60);
    assert.deepEqual(
      [...new Set(kind.events)],
      ["ProvisioningFailed rancher.io/local-path does not support block volume provisioning"],
    );
    assert.deepEqual(kind.volumes, []);
    assert.equal(kind.verdict?.kind, "stuck");
    assert.equal(kind.verdict.root?.field, "spec.volumeMode");
  });

  test("a claim for a node that is gone goes back to the scheduler", () => {
    const kind = new Kind().apply(
      claim("").replace(
        "name: data",
        "name: data, annotations: { volume.kubernetes.io/selected-node: gone }",
      ),
    );
    kind.advance(5);
    assert.deepEqual(kind.events, ['ProvisioningFailed nodes "gone" not found']);
    assert.equal(
      kind.claim?.metadata.annotations?.["volume.kubernetes.io/selected-node"],
      undefined,
    );
  });
});
