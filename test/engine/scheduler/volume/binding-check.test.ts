/** Upstream: kube-scheduler plugins/volumebinding/binder_test.go TestCheckBindings v1.36. */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import {
  type BindingView,
  checkBindings,
} from "../../../../src/engine/scheduler/volume/binding-check.ts";
import { bare } from "../../../support/bare-objects.ts";

const node = bare("Node", "n1", { metadata: { labels: { zone: "a" } } });
const pod = bare("Pod", "web");
const selectedNode = "volume.kubernetes.io/selected-node";

const volume = (spec: object = {}, version = "5") =>
  bare("PersistentVolume", "pv", {
    metadata: { resourceVersion: version },
    spec: { claimRef: { name: "data", namespace: "default", uid: "data" }, ...spec },
  });
const bindCompleted = "pv.kubernetes.io/bind-completed";
const claim = (parts: { annotations?: object; spec?: object; version?: string } = {}) =>
  bare("PersistentVolumeClaim", "data", {
    metadata: {
      resourceVersion: parts.version ?? "5",
      annotations: parts.annotations ?? { [bindCompleted]: "yes", [selectedNode]: "n1" },
    },
    spec: { volumeName: "pv", ...parts.spec },
  });
const unbound = { annotations: { [selectedNode]: "n1" } };
const inZone = (zone: string) => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }],
    },
  },
});

interface There {
  readonly volume?: ReturnType<typeof volume> | "gone";
  readonly claim?: ReturnType<typeof claim> | "gone";
  readonly node?: "gone";
  readonly pod?: "gone";
  readonly version?: KubernetesVersion;
}

function view(there: There): BindingView {
  const known = <T>(object: T | "gone" | undefined, otherwise: T): T | undefined =>
    object === "gone" ? undefined : (object ?? otherwise);
  const caches = {
    watchedVolume: () => known(there.volume, volume()),
    watchedClaim: () => known(there.claim, claim()),
  };
  return {
    version: there.version ?? "1.36",
    caches: caches as unknown as BindingView["caches"],
    node: () => (there.node === "gone" ? undefined : node),
    pod: () => (there.pod === "gone" ? undefined : pod),
  };
}

/** Returns `bound`, `waiting`, or why the check fails. */
function finding(kind: "bindings" | "provisions", there: There): string {
  const written =
    kind === "bindings"
      ? { bindings: [{ claim: claim(), volume: volume({}, "5") }], provisions: [] }
      : { bindings: [], provisions: [claim()] };
  const found = checkBindings(view(there), pod, "n1", written as never);
  return found.type === "failed" ? found.error : found.type;
}

const outOfReach = 'pv "pv" node affinity doesn\'t match node "n1": no matching NodeSelectorTerms';

suite("the wait for a pod's volumes", () => {
  test("fails if the node or the pod is gone", () => {
    for (const kind of ["bindings", "provisions"] as const) {
      assert.equal(finding(kind, { node: "gone" }), 'failed to get node "n1": node "n1" not found');
      assert.equal(
        finding(kind, { pod: "gone" }),
        'pod does not exist any more: pod "web" not found',
      );
    }
  });

  test("for an existing volume ends when the claim is bound", () => {
    const of = (there: There): string => finding("bindings", there);
    assert.equal(of({}), "bound");
    assert.equal(of({ claim: claim(unbound) }), "waiting");
    assert.equal(of({ claim: claim({ spec: { volumeName: undefined } }) }), "waiting");
    assert.equal(of({ volume: volume({}, "4"), claim: claim(unbound) }), "waiting");
    assert.equal(of({ volume: volume({ claimRef: undefined }, "4") }), "waiting");
  });

  test("for an existing volume fails if the volume is gone, freed or out of reach", () => {
    const of = (there: There): string => finding("bindings", there);
    assert.equal(
      of({ volume: "gone" }),
      'failed to check binding: persistentvolumes "pv" not found',
    );
    assert.equal(
      of({ volume: "gone", version: "1.34" }),
      'failed to check binding: could not find v1.PersistentVolume "pv"',
    );
    assert.equal(
      of({ claim: "gone" }),
      'failed to check binding: persistentvolumeclaims "default/data" not found',
    );
    assert.equal(of({ volume: volume({ claimRef: undefined }) }), 'ClaimRef got reset for pv "pv"');
    assert.equal(
      of({ volume: volume({ claimRef: { name: "data" } }) }),
      'ClaimRef got reset for pv "pv"',
    );
    assert.equal(of({ volume: volume(inZone("b")) }), outOfReach);
    assert.equal(of({ volume: volume(inZone("a")) }), "bound");
  });

  test("for provisioning ends when the claim is bound to a volume in reach", () => {
    const of = (there: There): string => finding("provisions", there);
    assert.equal(of({}), "bound");
    assert.equal(of({ claim: claim({ ...unbound, spec: { volumeName: undefined } }) }), "waiting");
    assert.equal(of({ claim: claim({ version: "4" }) }), "waiting");
    assert.equal(of({ volume: "gone" }), "waiting");
    assert.equal(of({ volume: volume(inZone("b")) }), outOfReach);
    assert.equal(of({ claim: claim(unbound) }), "waiting");
  });

  test("for provisioning fails if the claim is gone or given to another node", () => {
    const of = (there: There): string => finding("provisions", there);
    assert.equal(
      of({ claim: "gone" }),
      'failed to check provisioning pvc: persistentvolumeclaims "default/data" not found',
    );
    assert.equal(
      of({ claim: "gone", version: "1.34" }),
      'failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "default/data"',
    );
    assert.equal(
      of({ claim: claim({ annotations: { [bindCompleted]: "yes", [selectedNode]: "n2" } }) }),
      'provisioning failed for PVC "data"',
    );
    assert.equal(
      of({ claim: claim({ annotations: { [bindCompleted]: "yes" } }) }),
      'provisioning failed for PVC "data"',
    );
    const plain = claim();
    const without = { ...plain, metadata: { ...plain.metadata, annotations: undefined } };
    assert.equal(
      of({ claim: without as unknown as typeof plain }),
      'selectedNode annotation reset for PVC "data"',
    );
  });
});
