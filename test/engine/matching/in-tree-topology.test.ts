/** Node affinity of in-tree cloud volumes, translated for the CSI drivers that serve them. */
import assert from "node:assert/strict";
import type { PersistentVolume } from "../../../src/engine/api/types.ts";
import { withDriverTopology } from "../../../src/engine/matching/in-tree-topology.ts";
import { volume } from "./volumes.ts";

const awsElasticBlockStore = { volumeID: "vol-1" };

function terms(
  given: Partial<PersistentVolume["spec"]>,
  labels: Record<string, string> = {},
): unknown {
  const made = volume("pv", "1Gi", "RWO", { spec: given, metadata: { labels } });
  const required = withDriverTopology(made).spec.nodeAffinity?.required;
  return required?.nodeSelectorTerms.map((term) =>
    term.matchExpressions?.map(({ key, values }) => [key, ...(values ?? [])]),
  );
}

function affinity(key: string): PersistentVolume["spec"]["nodeAffinity"] & object {
  const matchExpressions = [{ key, operator: "In", values: ["a"] }];
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}

suite("topology of in-tree volumes", () => {
  test("a zone in the affinity gets the driver's key", () => {
    for (const key of ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"])
      assert.deepEqual(terms({ awsElasticBlockStore, nodeAffinity: affinity(key) }), [
        [["topology.ebs.csi.aws.com/zone", "a"]],
      ]);
  });

  test("a zone label is added if the affinity names no zone", () => {
    const gcePersistentDisk = { pdName: "disk" };
    const labels = { "topology.kubernetes.io/zone": "b__a__b" };
    assert.deepEqual(terms({ gcePersistentDisk }, labels), [[["topology.gke.io/zone", "a", "b"]]]);
    assert.deepEqual(terms({ gcePersistentDisk, nodeAffinity: affinity("disk") }, labels), [
      [
        ["disk", "a"],
        ["topology.gke.io/zone", "a", "b"],
      ],
    ]);
  });

  test("a zone in the affinity, with the old or the new key, overrides the zone label", () => {
    const nodeAffinity = affinity("failure-domain.beta.kubernetes.io/zone");
    const labels = { "topology.kubernetes.io/zone": "b" };
    assert.deepEqual(terms({ awsElasticBlockStore, nodeAffinity }, labels), [
      [["topology.ebs.csi.aws.com/zone", "a"]],
    ]);
  });

  test("an affinity that only requires that a zone exists is kept beside the zone label", () => {
    const key = "topology.kubernetes.io/zone";
    const matchExpressions = [{ key, operator: "Exists" }];
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
    assert.deepEqual(terms({ awsElasticBlockStore, nodeAffinity }), [[[key]]]);
    assert.deepEqual(terms({ awsElasticBlockStore, nodeAffinity }, { [key]: "a" }), [
      [[key], ["topology.ebs.csi.aws.com/zone", "a"]],
    ]);
  });

  test("the old key for regions becomes the new one if it has values", () => {
    const old = "failure-domain.beta.kubernetes.io";
    const zone = ["topology.ebs.csi.aws.com/zone", "a"];
    const region = (requirement: { operator: string; values?: string[] }): unknown => {
      const matchExpressions = [{ key: `${old}/region`, ...requirement }];
      const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
      return terms({ awsElasticBlockStore, nodeAffinity }, { [`${old}/zone`]: "a" });
    };
    assert.deepEqual(region({ operator: "In", values: ["eu"] }), [
      [["topology.kubernetes.io/region", "eu"], zone],
    ]);
    assert.deepEqual(region({ operator: "Exists" }), [[[`${old}/region`], zone]]);
  });

  test("a vSphere volume's zone and region labels are one name each", () => {
    const vsphereVolume = { volumePath: "[store] disk" };
    const labels = {
      "topology.kubernetes.io/zone": "a__b",
      "topology.kubernetes.io/region": "eu",
    };
    const region = "topology.csi.vmware.com/region";
    assert.deepEqual(terms({ vsphereVolume }, labels), [
      [
        ["topology.csi.vmware.com/zone", "a__b"],
        [region, "eu"],
      ],
    ]);
    const nodeAffinity = affinity("topology.kubernetes.io/region");
    assert.deepEqual(terms({ vsphereVolume, nodeAffinity }), [[[region, "a"]]]);
  });

  test("volumes without a zone and volumes of other types are not changed", () => {
    assert.equal(terms({ awsElasticBlockStore }), undefined);
    const nodeAffinity = affinity("topology.kubernetes.io/zone");
    assert.deepEqual(terms({ local: { path: "/mnt" }, nodeAffinity }), [
      [["topology.kubernetes.io/zone", "a"]],
    ]);
  });
});
