/** StatefulSets: order, identity, claims, revisions, retention. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { podToReplace } from "../../../src/engine/controllers/stateful-set/rolling-update.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };
const claims = `volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: "", accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]`;

function volume(name: string): string {
  return `
    kind: PersistentVolume
    metadata: {name: ${name}}
    spec: {capacity: {storage: 1Gi}, persistentVolumeReclaimPolicy: Retain}
    ---`;
}

function set(spec: string): string {
  return `
    kind: StatefulSet
    metadata: {name: web}
    spec: {serviceName: web, ${spec}, ${runs("web")}}`;
}

function patch(spec: object): Step {
  return { type: "patch", object: { kind: "StatefulSet", name: "web" }, patch: { spec } as never };
}

const remove: Step = { type: "delete", objects: [{ kind: "StatefulSet", name: "web" }] };

function headlines({ simulation }: Played): readonly string[] {
  return verdicts(simulation.trace).map(({ headline }) => headline);
}

function owners(played: Played, claim: string): readonly string[] {
  const { ownerReferences = [] } = played.get("PersistentVolumeClaim", claim)?.metadata ?? {};
  return ownerReferences.map((owner) => `${owner.kind} ${owner.name}`);
}

suite("StatefulSet controller", () => {
  test("any number of replicas may be requested, and their pods are created one by one", () => {
    const played = play(set("replicas: 2147483647"), {
      cluster: oneNode,
      steps: [patch({ replicas: 2 }), settle],
    });
    assert.deepEqual(played.names("Pod"), ["web-0", "web-1"]);
  });

  test("a pod of a revision between the current and the new one is replaced, and counts never go below zero", () => {
    const placed = (disk: string): Step =>
      patch({ template: { spec: { nodeSelector: { disk } } } });
    const played = play(set("replicas: 1, podManagementPolicy: Parallel"), {
      cluster: oneNode,
      steps: [placed("tape"), settle, placed("wood"), settle],
    });
    assert.deepEqual(played.get("Pod", "web-0")?.spec.nodeSelector, { disk: "wood" });
    const counts = played.simulation.trace.entries.flatMap((entry) =>
      entry.type === "write" && entry.after?.kind === "StatefulSet"
        ? [(entry.after as KubeObject<"StatefulSet">).status?.currentReplicas ?? 0]
        : [],
    );
    assert.equal(Math.min(...counts), 0);
  });

  test("a status with more ready, current or updated pods than replicas, or fewer than zero, is refused", () => {
    const refusals = (status: object): readonly string[] => {
      const said: Step = {
        type: "patch",
        object: { kind: "StatefulSet", name: "web" },
        patch: { status } as never,
        subresource: "status",
      };
      const played = play(set("replicas: 1"), { cluster: oneNode, steps: [said] });
      return played.requests.flatMap(({ causes = [] }) =>
        causes.map(({ field, message }) => `${field}: ${message}`),
      );
    };
    const tooMany = "Invalid value: 2: cannot be greater than status.replicas";
    assert.deepEqual(refusals({ readyReplicas: 2, currentReplicas: 2 }), [
      `status.readyReplicas: ${tooMany}`,
      `status.currentReplicas: ${tooMany}`,
    ]);
    assert.deepEqual(refusals({ readyReplicas: 0 }), [
      "status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas",
    ]);
    assert.deepEqual(refusals({ updatedReplicas: -1 }), [
      "status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  test("creates claim and pod of each ordinal, despite crashes", () => {
    check(
      `${volume("one")}${volume("two")}
      kind: StatefulSet
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {serviceName: web, replicas: 2, ${claims}, ${runs("web")}}
      `,
      { cluster: oneNode },
    );
  });

  test("claims are named after template, set and ordinal, and pods carry their identity", () => {
    const played = play(`${volume("one")}${set(`replicas: 1, ${claims}`)}`);
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0"]);
    assert.deepEqual(played.get("PersistentVolumeClaim", "data-web-0")?.metadata.labels, {
      app: "web",
    });
    const pod = played.get("Pod", "web-0");
    assert.equal(pod?.spec.hostname, "web-0");
    assert.equal(pod?.spec.subdomain, "web");
    assert.equal(pod?.metadata.labels?.["statefulset.kubernetes.io/pod-name"], "web-0");
    assert.equal(pod?.metadata.labels?.["apps.kubernetes.io/pod-index"], "0");
    assert.deepEqual(played.events("SuccessfulCreate"), [
      "Create Claim data-web-0 Pod web-0 in StatefulSet web success",
      "Create Pod web-0 in StatefulSet web successful",
    ]);
  });

  test("of two claim templates with the same name the last one counts", () => {
    const other = claims.replace('storageClassName: ""', "storageClassName: fast").slice(0, -1);
    const both = claims.replace("volumeClaimTemplates: [", `${other}, `);
    const played = play(`${volume("pv")}${set(`replicas: 1, ${both}`)}`, { cluster: oneNode });
    assert.equal(played.get("Pod", "web-0")?.status?.phase, "Running");
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0"]);
    assert.equal(played.get("PersistentVolumeClaim", "data-web-0")?.spec.storageClassName, "");
  });

  test("the set overrides hostname and subdomain of its template", () => {
    const named = `
      kind: StatefulSet
      metadata: {name: web}
      spec: {replicas: 1, ${runs("web", "hostname: A_B, subdomain: C_D")}}`;
    const pod = play(named).get("Pod", "web-0");
    assert.equal(pod?.spec.hostname, "web-0");
    assert.equal(pod?.spec.subdomain, undefined);
  });

  test("an adopted pod without its claims blocks the set, because a pod's volumes cannot change", () => {
    const bare = `
    kind: Pod
    metadata: {name: web-0, labels: {app: web}}
    spec: {containers: [{name: main, image: app}]}
    ---`;
    const played = play(`${volume("one")}${bare}${set(`replicas: 2, ${claims}`)}`);
    assert.deepEqual(played.names("Pod"), ["web-0"]);
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0"]);
    const pod = played.get("Pod", "web-0");
    assert.equal(pod?.metadata.ownerReferences?.[0]?.name, "web");
    assert.equal(pod?.spec.volumes, undefined);
    assert.match(
      played.events("FailedUpdate")[0] ?? "",
      /^Update Pod web-0 in StatefulSet web failed error: Pod "web-0" is invalid: spec: Forbidden: pod updates may not change fields other than /,
    );
  });

  test("up to 1.34 the events begin in lower case", () => {
    const played = play(set("replicas: 1"), { version: "1.34" });
    assert.deepEqual(played.events("SuccessfulCreate"), [
      "create Pod web-0 in StatefulSet web successful",
    ]);
  });

  test("in order, a pod that is not ready delays the next", () => {
    const played = play(set(`replicas: 3, ${claims}`));
    assert.deepEqual(played.names("Pod"), ["web-0"]);
  });

  testWithFaults("in parallel, all pods are created at once", () => {
    const played = play(set(`replicas: 3, podManagementPolicy: Parallel, ${claims}`));
    assert.deepEqual(played.names("Pod"), ["web-0", "web-1", "web-2"]);
  });

  test("ordinals may start at another number", () => {
    const played = play(set("replicas: 2, ordinals: {start: 5}"));
    assert.deepEqual(played.names("Pod"), ["web-5", "web-6"]);
  });

  test("scaling down takes the highest ordinal first and keeps its claim", () => {
    const played = play(`${volume("one")}${volume("two")}${set(`replicas: 2, ${claims}`)}`, {
      steps: [patch({ replicas: 0 }), settle],
    });
    assert.deepEqual(played.events("SuccessfulDelete"), [
      "Delete Pod web-1 in StatefulSet web successful",
      "Delete Pod web-0 in StatefulSet web successful",
    ]);
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0", "data-web-1"]);
  });

  testWithFaults("an update replaces pods from the highest ordinal down to the partition", () => {
    const played = play(set("replicas: 3"), {
      steps: [
        patch({
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
          template: { metadata: { annotations: { version: "2" } } },
        }),
        settle,
      ],
    });
    assert.deepEqual(played.events("SuccessfulDelete"), [
      "Delete Pod web-2 in StatefulSet web successful",
      "Delete Pod web-1 in StatefulSet web successful",
    ]);
    const { status } = played.get("StatefulSet", "web") ?? {};
    assert.equal(status?.updatedReplicas, 2);
    assert.equal(status?.currentReplicas, 1);
    assert.notEqual(status?.currentRevision, status?.updateRevision);
  });

  test("a finished update makes the new revision the current one", () => {
    const played = play(set("replicas: 2"), {
      steps: [patch({ template: { metadata: { annotations: { version: "2" } } } }), settle],
    });
    const { status } = played.get("StatefulSet", "web") ?? {};
    assert.equal(status?.currentRevision, status?.updateRevision);
    assert.equal(status?.currentReplicas, 2);
    assert.equal(played.list("ControllerRevision").length, 2);
  });

  test("in order, a pod of a broken revision stays after a rollback until it is deleted", () => {
    const env = [{ name: "KEY", valueFrom: { secretKeyRef: { name: "missing", key: "key" } } }];
    const template = (more: object): Step =>
      patch({ template: { spec: { containers: [{ name: "main", image: "app", ...more }] } } });
    const roundTrip = [template({ env }), settle, template({}), settle];
    const isReady = (spec: string, ...steps: readonly Step[]): boolean =>
      play(set(spec), { steps: [...roundTrip, ...steps] }).get("StatefulSet", "web")?.status
        ?.readyReplicas === 2;
    assert.equal(isReady("replicas: 2"), false);
    const byHand: Step = { type: "delete", objects: [{ kind: "Pod", name: "web-1" }] };
    assert.equal(isReady("replicas: 2", byHand, settle), true);
    assert.equal(isReady("replicas: 2, podManagementPolicy: Parallel"), true);
  });

  test("a revision with changed labels still belongs to the set, and nothing is recreated", () => {
    const steps = (name: string): readonly Step[] => [
      {
        type: "patch",
        object: { kind: "ControllerRevision", name },
        patch: { metadata: { labels: { app: "other" } } },
      },
      patch({ replicas: 2 }),
      settle,
    ];
    const [name = ""] = play(set("replicas: 1"), { cluster: oneNode }).names("ControllerRevision");
    const played = play(set("replicas: 1"), { cluster: oneNode, steps: steps(name) });
    assert.deepEqual(played.names("ControllerRevision"), [name]);
    const { ownerReferences } = played.get("ControllerRevision", name)?.metadata ?? {};
    assert.deepEqual(
      ownerReferences?.map((owner) => owner.name),
      ["web"],
    );
    const { status } = played.get("StatefulSet", "web") ?? {};
    assert.deepEqual([status?.updateRevision, status?.updatedReplicas], [name, 2]);
  });

  test("OnDelete does not replace pods until they are deleted", () => {
    const played = play(set("replicas: 1, updateStrategy: {type: OnDelete}"), {
      steps: [patch({ template: { metadata: { annotations: { version: "2" } } } }), settle],
    });
    assert.equal(played.get("Pod", "web-0")?.metadata.annotations?.["version"], undefined);
  });

  test("claims have no owner by default; with whenDeleted Delete the set owns them", () => {
    const policy = (whenDeleted: string, whenScaled: string): Step =>
      patch({ persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
    const start = `${volume("one")}${volume("two")}${set(`replicas: 1, ${claims}`)}`;
    assert.deepEqual(owners(play(start), "data-web-0"), []);
    const deleted = play(start, { steps: [policy("Delete", "Retain"), settle] });
    assert.deepEqual(owners(deleted, "data-web-0"), ["StatefulSet web"]);
    const scaled = play(start, { steps: [policy("Retain", "Delete"), settle] });
    assert.deepEqual(owners(scaled, "data-web-0"), []);
  });

  testWithFaults("whenScaled Delete deletes the claim of an ordinal that is scaled down", () => {
    const policy = "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}";
    const played = play(
      `${volume("one")}${volume("two")}${set(`replicas: 2, ${policy}, ${claims}`)}`,
      {
        steps: [patch({ replicas: 1 }), settle],
      },
    );
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0"]);
  });

  test("an ordinal scaled up again before its old claim is gone is created only after a change of the set", () => {
    const policy = "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}";
    const start = `${volume("one")}${volume("two")}${volume("three")}${set(`replicas: 2, ${policy}, ${claims}`)}`;
    const downAndUp = [patch({ replicas: 1 }), patch({ replicas: 2 }), settle];
    const played = play(start, { steps: downAndUp });
    assert.deepEqual(played.names("Pod"), ["web-0"]);
    assert.deepEqual(played.names("PersistentVolumeClaim"), ["data-web-0"]);
    const held = "has 1 of 2 pods ready: web-1 is not created until something in the set changes";
    assert.ok(headlines(played).includes(held), headlines(played).join("\n"));
    const parallel = play(start.replace("replicas: 2,", "$& podManagementPolicy: Parallel,"), {
      steps: downAndUp,
    });
    assert.ok(headlines(parallel).includes(held), headlines(parallel).join("\n"));
    const touched: Step = {
      type: "patch",
      object: { kind: "StatefulSet", name: "web" },
      patch: { metadata: { annotations: { touched: "yes" } } },
    };
    const again = play(start, { steps: [...downAndUp, touched, settle] });
    assert.deepEqual(again.names("Pod"), ["web-0", "web-1"]);
    const looking = play(start.replace("replicas: 2,", "$& minReadySeconds: 5,"), {
      steps: downAndUp,
    });
    assert.deepEqual(looking.names("Pod"), ["web-0", "web-1"]);
    assert.deepEqual(looking.names("PersistentVolumeClaim"), ["data-web-0", "data-web-1"]);
  });

  testWithFaults("whenDeleted Delete deletes the claims with the set", () => {
    const policy = "persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}";
    const played = play(`${volume("one")}${set(`replicas: 1, ${policy}, ${claims}`)}`, {
      steps: [remove, settle],
    });
    assert.deepEqual(played.names("PersistentVolumeClaim"), []);
  });

  test("if a quota refuses a claim, its pod is not created, and both events say so", () => {
    const played = play(`
      kind: ResourceQuota
      metadata: {name: none}
      spec: {hard: {persistentvolumeclaims: "0"}}
      ---
      kind: StatefulSet
      metadata: {name: web}
      spec: {serviceName: web, replicas: 1, ${claims}, ${runs("web")}}`);
    assert.deepEqual(played.names("Pod"), []);
    const refusal = `persistentvolumeclaims "data-web-0" is forbidden: exceeded quota: none, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=0, limited: persistentvolumeclaims=0`;
    assert.deepEqual(played.events("FailedCreate"), [
      `Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: ${refusal}`,
      `Create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: ${refusal}`,
    ]);
  });
});

suite("pod to replace", () => {
  /** `pods` has a letter per pod: `o` old, `n` new; capitals are ready, `-` is missing. */
  function replaced(pods: string, rollingUpdate: object): string | undefined {
    const existing = new Map(
      [...pods].flatMap((state, ordinal) =>
        state === "-" ? [] : [[ordinal, pod(state, ordinal)] as const],
      ),
    );
    const replicas = { count: pods.length, existing };
    const updateStrategy = { type: "RollingUpdate", rollingUpdate };
    const set = {
      spec: { replicas: pods.length, updateStrategy },
    } as unknown as KubeObject<"StatefulSet">;
    return podToReplace({ set, replicas, updateRevision: "new", now: 0, version: "1.36" })?.metadata
      .name;
  }

  function pod(state: string, ordinal: number): KubeObject<"Pod"> {
    const revision = state.toLowerCase() === "o" ? "old" : "new";
    const status = state === state.toLowerCase() ? "False" : "True";
    return {
      metadata: { name: `${ordinal}`, labels: { "controller-revision-hash": revision } },
      spec: {},
      status: { phase: "Running", conditions: [{ type: "Ready", status }] },
    } as unknown as KubeObject<"Pod">;
  }

  const cases: readonly [string, string | undefined, object?][] = [
    ["OOO", "2"],
    ["OON", "1"],
    ["OOn", undefined],
    ["NNN", undefined],
    ["OO-", undefined],
    ["OOo", "2"],
    ["oOO", "2"],
    ["OOO", undefined, { partition: 3 }],
    ["OON", undefined, { partition: 2 }],
    ["OOO", "2", { maxUnavailable: 2 }],
  ];
  test("a new pod has to be ready for minReadySeconds; up to 1.33 it only has to be ready", () => {
    const replicas = {
      count: 2,
      existing: new Map([pod("O", 0), pod("N", 1)].map((one, ordinal) => [ordinal, one])),
    };
    const updateStrategy = { type: "RollingUpdate" };
    const set = {
      spec: { replicas: 2, updateStrategy, minReadySeconds: 60 },
    } as unknown as KubeObject<"StatefulSet">;
    const next = (version: "1.33" | "1.34") =>
      podToReplace({ set, replicas, updateRevision: "new", now: 0, version })?.metadata.name;
    assert.deepEqual([next("1.33"), next("1.34")], ["0", undefined]);
  });

  for (const [pods, expected, rollingUpdate = {}] of cases) {
    test(`of ${pods}: ${expected ?? "none"} (${JSON.stringify(rollingUpdate)})`, () => {
      assert.equal(replaced(pods, rollingUpdate), expected);
    });
  }
});
