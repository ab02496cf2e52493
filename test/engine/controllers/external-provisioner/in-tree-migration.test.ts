/** Row 14 of the upstream behaviour table, and the translations of csi-translation-lib. */
import assert from "node:assert/strict";
import type { StorageClass } from "../../../../src/engine/api/types.ts";
import { translatedClass } from "../../../../src/engine/controllers/external-provisioner/in-tree-migration.ts";
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
    assert.deepEqual(metadata.labels, { "topology.kubernetes.io/zone": "b" });
    assert.equal(spec.csi, undefined);
    assert.equal(spec.awsElasticBlockStore?.fsType, "ext4");
    assert.deepEqual(spec.nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["b"] }] },
    ]);
  });

  test("zones are parameters of some drivers only, and topologies are named anew for those that have zones", () => {
    const matchLabelExpressions = [{ key: "topology.kubernetes.io/zone", values: ["a"] }];
    const seen = (provisioner: string, parameters: Record<string, string>): unknown => {
      const given = { metadata: { name: "c" }, provisioner, parameters };
      const allowedTopologies = "zones" in parameters ? [] : [{ matchLabelExpressions }];
      const translated = translatedClass({
        ...given,
        allowedTopologies,
      } as unknown as StorageClass);
      assert.ok(translated.ok);
      const terms = translated.value.allowedTopologies ?? [];
      const requirements = terms.flatMap((term) => term.matchLabelExpressions ?? []);
      return [translated.value.parameters, requirements.map((r) => [r.key, ...(r.values ?? [])])];
    };
    assert.deepEqual(seen("kubernetes.io/gce-pd", { zones: "a,b" }), [
      {},
      [["topology.gke.io/zone", "a", "b"]],
    ]);
    assert.deepEqual(seen("kubernetes.io/cinder", { zones: "a,b" }), [{ zones: "a,b" }, []]);
    assert.deepEqual(seen("kubernetes.io/cinder", {}), [
      {},
      [["topology.cinder.csi.openstack.org/zone", "a"]],
    ]);
    assert.deepEqual(seen("kubernetes.io/azure-file", {}), [
      {},
      [["topology.kubernetes.io/zone", "a"]],
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
