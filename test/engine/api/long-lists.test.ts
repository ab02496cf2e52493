/**
 * Lists as long as a manifest can have them. A rule that compares each entry with all others would exceed the time limit of
 * the test.
 */
import assert from "node:assert/strict";
import { answerCreate } from "../../../src/engine/api/requests.ts";
import { newestVersion } from "../../../src/engine/scenario.ts";
import { clusterOf, refusal } from "./answer.ts";

const count = 50_000;

type Fields = Readonly<Record<string, unknown>>;

function list<T>(entry: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => entry(index));
}

const app = { name: "app", image: "i" };

function refusalOf(kind: string, apiVersion: string, rest: Fields, metadata: Fields = {}): string {
  const manifest = { apiVersion, kind, ...rest, metadata: { name: "a", ...metadata } };
  const context = { version: newestVersion, cluster: clusterOf(), now: "2026-01-01T00:00:00Z" };
  return refusal(answerCreate(manifest, context));
}

function refusalOfPod(spec: Fields, metadata: Fields = {}): string {
  return refusalOf("Pod", "v1", { spec: { containers: [app], ...spec } }, metadata);
}

suite("The rules take linear time for long lists of", () => {
  test("owner references", () => {
    const reference = { apiVersion: "v1", kind: "Pod", name: "p" };
    const ownerReferences = list((index) => ({ ...reference, uid: `u${index % (count - 1)}` }));
    assert.equal(refusalOf("ConfigMap", "v1", {}, { ownerReferences }), "accepted");
  });

  test("mounts, devices and their volumes", () => {
    const volumeMounts = list((index) => ({ name: "v", mountPath: `/v${index}` }));
    const volumeDevices = list((index) => ({ name: `d${index}`, devicePath: `/d${index}` }));
    const persistentVolumeClaim = { claimName: "c" };
    const devices = list((index) => ({ name: `d${index}`, persistentVolumeClaim }));
    const volumes = [{ name: "v", emptyDir: {} }, ...devices];
    assert.equal(
      refusalOfPod({ containers: [{ ...app, volumeMounts, volumeDevices }], volumes }),
      "accepted",
    );
  });

  test("variables from files", () => {
    const env = list((index) => ({
      name: `E${index}`,
      valueFrom: { fileKeyRef: { key: "K", path: "f", volumeName: `v${count - 1 - index}` } },
    }));
    const volumes = list((index) => ({ name: `v${index}`, emptyDir: {} }));
    assert.equal(refusalOfPod({ containers: [{ ...app, env }], volumes }), "accepted");
  });

  test("resource claims", () => {
    const claims = list((index) => ({ name: `c${index}` }));
    const resourceClaims = list((index) => ({ name: `c${index}`, resourceClaimName: "c" }));
    assert.equal(
      refusalOfPod({ containers: [{ ...app, resources: { claims } }], resourceClaims }),
      "accepted",
    );
  });

  test("topology spread constraints and label keys", () => {
    const labels = Object.fromEntries(list((index) => [`k${index}`, "v"]));
    const constraint = { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", labelSelector: {} };
    const matchLabelKeys = Object.keys(labels);
    const topologySpreadConstraints = [
      { ...constraint, topologyKey: "zone", matchLabelKeys },
      ...list((index) => ({ ...constraint, topologyKey: `k${index}` })),
    ];
    assert.equal(refusalOfPod({ topologySpreadConstraints }, { labels }), "accepted");
  });

  test("empty topologies", () => {
    const allowedTopologies = Array.from({ length: 10_000 }, () => ({}));
    const rest = { provisioner: "p", allowedTopologies };
    const refused = refusalOf("StorageClass", "storage.k8s.io/v1", rest);
    const last = 'allowedTopologies[9999].matchLabelExpressions: Duplicate value: ""';
    assert.equal(refused.slice(refused.lastIndexOf("\n") + 1), last);
  });
});
