/** Row 14 of the upstream behaviour table, and the translations of csi-translation-lib. */
import assert from "node:assert/strict";
import { knownDriver } from "../../../../src/engine/csi/catalogue/catalogue.ts";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import { Simulation } from "../../../../src/engine/simulation.ts";
import { manifests, threeZones } from "../../../support/storage-run.ts";

function provision(parameters: string, more = ""): Simulation {
  const name = "ebs.csi.aws.com";
  const simulation = new Simulation({
    version: "1.36",
    seed: 1,
    cluster: {
      name: "test",
      nodes: threeZones,
      drivers: [driverProfile({ ...knownDriver(name)?.traits, name })],
      manifests: [],
    },
    steps: [
      {
        type: "apply",
        manifests: manifests(`
          kind: StorageClass
          metadata: { name: gp2 }
          provisioner: kubernetes.io/aws-ebs
          parameters: ${parameters}
          ${more}
          ---
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec: { storageClassName: gp2 }
        `),
      },
      { type: "settle" },
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      { type: "settle" },
    ],
  });
  simulation.run();
  return simulation;
}

suite("in-tree classes", () => {
  test("14: the driver makes the volume, and it is stored with the in-tree source", () => {
    const { trace } = provision("{ type: gp2, fsType: ext4, zone: b }");
    const call = trace.entries.find((e) => e.type === "call" && e.call === "CreateVolume");
    assert.ok(call?.type === "call");
    assert.deepEqual(call.request["accessibility_requirements"], {
      requisite: [{ segments: { "topology.ebs.csi.aws.com/zone": "b" } }],
      preferred: [{ segments: { "topology.ebs.csi.aws.com/zone": "b" } }],
    });
    assert.equal((call.request["parameters"] as Record<string, string>)["type"], "gp2");
    const written = trace.entries.find(
      (e) => e.type === "write" && e.verb === "create" && e.ref.startsWith("PersistentVolume/"),
    );
    assert.ok(written?.type === "write" && written.after?.kind === "PersistentVolume");
    const { spec, metadata } = written.after;
    assert.equal(
      metadata.annotations?.["pv.kubernetes.io/provisioned-by"],
      "kubernetes.io/aws-ebs",
    );
    assert.equal(spec.csi, undefined);
    assert.equal(spec.awsElasticBlockStore?.fsType, "ext4");
    assert.deepEqual(spec.nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["b"] }] },
    ]);
  });

  test("and deletes it again", () => {
    const { trace, runtime } = provision("{ type: gp2 }");
    assert.ok(trace.entries.some((e) => e.type === "call" && e.call === "DeleteVolume"));
    assert.equal(runtime.api.store.list("PersistentVolume").length, 0);
  });

  test("zones and allowedTopologies exclude each other", () => {
    const terms =
      "allowedTopologies: [{ matchLabelExpressions: [{ key: topology.kubernetes.io/zone, values: [a] }] }]";
    const { trace } = provision("{ zone: b }", terms);
    const failure = trace.entries.find(
      (e) => e.type === "event" && e.reason === "ProvisioningFailed",
    );
    assert.ok(failure?.type === "event");
    assert.equal(
      failure.message,
      "failed to translate storage class: cannot simultaneously set allowed topologies and zone/zones parameters",
    );
  });
});
