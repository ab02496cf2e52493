import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Kind, type KubeObject, makeRef } from "../../../src/engine/api/meta.ts";
import type { Pod } from "../../../src/engine/api/types.ts";
import { DriverKnowledge } from "../../../src/engine/csi/catalogue/driver-knowledge.ts";
import type { Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import { type AssumedCluster, assumeCluster } from "../../../src/engine/profiles/assume-cluster.ts";
import type { Manifest, Step } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { parseManifests } from "../../conformance/scenario-file.ts";
import { exhaust } from "../../support/replay.ts";

/** Two nodes of EKS as `kubectl get … -A -o yaml` prints them: a StatefulSet with bound claims, a Deployment. */
const [list] = parseManifests(
  readFileSync(path.join(import.meta.dirname, "../../support/running-cluster.yaml"), "utf8"),
);
const running = list?.["items"] as readonly Manifest[];
const [first, second] = ["ip-10-0-1-11.ec2.internal", "ip-10-0-2-22.ec2.internal"];
const rest: Step = { type: "settle", limitMs: 600_000, quietMs: 130_000 };

function imported(objects: readonly Manifest[], isPartial = false): AssumedCluster {
  return assumeCluster([], undefined, { objects, isPartial });
}

function leftOutOf({ leftOut = [] }: AssumedCluster): readonly string[] {
  return leftOut.map(({ kind, refs, without }) => `${refs.length} ${kind} without ${without}`);
}

function run(state: readonly Manifest[], ...steps: readonly Step[]): Simulation {
  return runFrom(imported(state), ...steps);
}

function runFrom({ cluster }: AssumedCluster, ...steps: readonly Step[]): Simulation {
  const simulation = new Simulation({ version: "1.36", seed: 1, cluster, steps: [...steps, rest] });
  exhaust(simulation.slices());
  return simulation;
}

const grow: Step = {
  type: "patch",
  object: { kind: "PersistentVolumeClaim", namespace: "shop", name: "data-db-0" },
  patch: { spec: { resources: { requests: { storage: "30Gi" } } } },
};

function writes({ trace }: Simulation): readonly string[] {
  return trace.entries.flatMap((e) =>
    e.type === "write" && e.actor !== "cluster" && e.actor !== "user"
      ? [`${e.actor} ${e.verb} ${e.ref}`]
      : [],
  );
}

function calls({ trace }: Simulation): readonly string[] {
  return trace.entries.flatMap((e) =>
    e.type === "call" ? [`${e.call} ${String(e.request["node_id"] ?? e.node)}`.trim()] : [],
  );
}

function get<K extends Kind>(
  { runtime }: Simulation,
  kind: K,
  name: string,
): KubeObject<K> | undefined {
  const { store } = runtime.api;
  return store.get(kind, "shop", name) ?? store.get(kind, undefined, name);
}

function verdictOf({ trace }: Simulation, pod: string): Verdict | undefined {
  return verdicts(trace).find(({ ref }) => ref === makeRef("Pod", "shop", pod));
}

function of(...kinds: readonly string[]): readonly Manifest[] {
  return running.filter((object) => kinds.includes(String(object["kind"])));
}

/** The objects with one of them changed. */
function changed(
  kind: string,
  name: string,
  change: (object: Record<string, Record<string, unknown>>) => void,
): readonly Manifest[] {
  return running.map((object) => {
    const copy = structuredClone(object) as Record<string, Record<string, unknown>>;
    if (String(copy["kind"]) === kind && copy["metadata"]?.["name"] === name) change(copy);
    return copy;
  });
}

suite("an imported cluster", () => {
  test("stays as it is: without a write, a CSI call or an event", () => {
    const simulation = run(running);
    assert.deepEqual(writes(simulation), []);
    assert.deepEqual(calls(simulation), []);
    assert.deepEqual(
      simulation.trace.entries.filter((e) => e.type === "event"),
      [],
    );
  });

  test("keeps UIDs, statuses and finalizers, and its age instead of dates", () => {
    const simulation = run(running);
    const claim = get(simulation, "PersistentVolumeClaim", "data-db-0");
    const node = get(simulation, "Node", first);
    assert.equal(claim?.status?.phase, "Bound");
    assert.deepEqual(claim?.metadata.finalizers, ["kubernetes.io/pvc-protection"]);
    assert.equal(
      get(simulation, "Pod", "db-0")?.status?.containerStatuses?.[0]?.image,
      "docker.io/library/postgres:17",
    );
    assert.equal(node?.status?.conditions?.[0]?.lastHeartbeatTime, "2025-12-31T23:59:59Z");
    assert.equal(claim?.metadata.creationTimestamp, "2025-12-29T22:02:04Z");
  });

  test("keeps its claims bound if the UIDs of volumes and claims were removed", () => {
    const shortened = of("PersistentVolumeClaim", "PersistentVolume", "StorageClass").map(
      (object) => {
        const copy = structuredClone(object) as Record<string, Record<string, unknown>>;
        delete copy["metadata"]?.["uid"];
        const claimRef = copy["spec"]?.["claimRef"] as Record<string, unknown> | undefined;
        if (claimRef !== undefined) delete claimRef["uid"];
        return copy;
      },
    );
    const simulation = run(shortened);
    assert.equal(get(simulation, "PersistentVolumeClaim", "data-db-0")?.status?.phase, "Bound");
    assert.deepEqual(
      writes(simulation).filter((write) => write.includes("Volume")),
      [],
    );
  });

  test("has its pods' volumes mounted on the nodes' machines", () => {
    const { runtime } = run(running);
    const mounts = runtime.machines.get(first)?.mounts.entries ?? [];
    const sources = mounts.filter(({ fsType }) => fsType === "ext4").map(({ source }) => source);
    assert.equal(sources[0], "/dev/xvdaa");
    assert.equal(sources.length, 2);
  });

  test("mounts an attached volume again for the pod that replaces a deleted one", () => {
    const simulation = run(running, {
      type: "delete",
      objects: [{ kind: "Pod", namespace: "shop", name: "db-1", grace: 0 }],
    });
    assert.deepEqual(calls(simulation), [
      `NodeUnpublishVolume ${second}`,
      `NodePublishVolume ${second}`,
    ]);
    assert.equal(get(simulation, "Pod", "db-1")?.status?.phase, "Running");
    assert.equal(get(simulation, "Pod", "db-1")?.spec.nodeName, second);
  });

  test("attaches new volumes by the node IDs of the drivers", () => {
    const simulation = run(running, {
      type: "scale",
      object: { kind: "StatefulSet", namespace: "shop", name: "db" },
      replicas: 3,
    });
    const published = calls(simulation).filter((call) => call.startsWith("ControllerPublish"));
    assert.match(published.join(), /^ControllerPublishVolume i-0[ab]+\d$/);
    assert.equal(get(simulation, "Pod", "db-2")?.status?.phase, "Running");
  });

  test("grows a volume that was provisioned before", () => {
    assert.equal(
      get(run(running, grow), "PersistentVolumeClaim", "data-db-0")?.status?.capacity?.["storage"],
      "30Gi",
    );
  });

  test("detaches a volume when no pod needs it any more", () => {
    const simulation = run(running, {
      type: "scale",
      object: { kind: "StatefulSet", namespace: "shop", name: "db" },
      replicas: 1,
    });
    assert.deepEqual(calls(simulation), [
      `NodeUnpublishVolume ${second}`,
      `NodeUnstageVolume ${second}`,
      "ControllerUnpublishVolume i-0bbbbbbbbbbbbbbb2",
    ]);
    assert.equal(simulation.runtime.api.store.list("VolumeAttachment").length, 1);
  });

  test("runs a driver's node plugin only on nodes whose CSINode lists it", () => {
    const halved = changed("CSINode", second, (object) => {
      object["spec"] = { drivers: [] };
    });
    const simulation = run(halved, {
      type: "delete",
      objects: [{ kind: "Pod", namespace: "shop", name: "db-1", grace: 0 }],
    });
    assert.deepEqual(get(simulation, "CSINode", second)?.spec.drivers, []);
    assert.notEqual(get(simulation, "Pod", "db-1")?.status?.phase, "Running");
  });

  test("keeps a container waiting for a reason that is not simulated", () => {
    const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "nginx:1.29"' };
    const pulling = changed("Pod", "web-6d4b9c7f5d-x2k9p", (object) => {
      const statuses = object["status"]?.["containerStatuses"] as Record<string, unknown>[];
      for (const status of statuses)
        Object.assign(status, { ready: false, started: false, state: { waiting } });
    });
    const simulation = run(pulling);
    const pod = get(simulation, "Pod", "web-6d4b9c7f5d-x2k9p");
    assert.deepEqual(pod?.status?.containerStatuses?.[0]?.state?.waiting, waiting);
    const verdict = verdictOf(simulation, "web-6d4b9c7f5d-x2k9p");
    assert.equal(verdict?.message, waiting.message);
    assert.equal(verdict?.root?.field, "spec.containers[0].image");
  });

  test("says which container keeps crashing, and how, without a saved event", () => {
    const crashing = changed("Pod", "web-6d4b9c7f5d-x2k9p", (object) => {
      const statuses = object["status"]?.["containerStatuses"] as Record<string, unknown>[];
      for (const status of statuses)
        Object.assign(status, {
          ready: false,
          started: false,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: { exitCode: 137, reason: "Error" } },
        });
    });
    const verdict = verdictOf(run(crashing), "web-6d4b9c7f5d-x2k9p");
    assert.match(
      verdict?.headline ?? "",
      /^is not ready on \S+: container "\w+" keeps exiting with exit code 137$/,
    );
    assert.equal(verdict?.root?.field, "spec.containers[0]");
  });

  test("keeps a node's conditions", () => {
    const notReady = { reason: "KubeletNotReady", message: "cni plugin not initialized" };
    const sick = changed("Node", second, (object) => {
      const conditions = object["status"]?.["conditions"] as Record<string, unknown>[];
      Object.assign(conditions.find((c) => c["type"] === "Ready") ?? {}, {
        status: "False",
        ...notReady,
      });
    });
    const ready = get(run(sick), "Node", second)?.status?.conditions?.find(
      (c) => c.type === "Ready",
    );
    assert.deepEqual([ready?.status, ready?.message], ["False", "cni plugin not initialized"]);
  });

  test("keeps its pods without ControllerRevisions, owners of ReplicaSets, and Secrets", () => {
    const kinds =
      "Node CSINode CSIDriver StorageClass PersistentVolume PersistentVolumeClaim".split(" ");
    const state = of(...kinds, "VolumeAttachment", "StatefulSet", "ReplicaSet", "Pod");
    const simulation = run(state);
    assert.deepEqual(writes(simulation), []);
    assert.equal(simulation.runtime.api.store.list("Pod").length, 4);
  });

  test("has the Secrets and keys that running pods have read, for the pods that replace them", () => {
    const secretless = running.filter(({ kind }) => kind !== "Secret");
    const simulation = run(secretless, {
      type: "delete",
      objects: [{ kind: "Pod", namespace: "shop", name: "db-0", grace: 0 }],
    });
    assert.equal(verdictOf(simulation, "db-0")?.kind, "healthy");
  });

  test("lacks the Secret that a pending pod waits for", () => {
    const name = "web-6d4b9c7f5d-x2k9p";
    const waits = changed("Pod", name, (object) => {
      const { volumes, containers } = object["spec"] as unknown as Pod["spec"];
      object["spec"] = {
        ...object["spec"],
        volumes: [...(volumes ?? []), { name: "token", secret: { secretName: "token" } }],
        containers: containers.map((container) => ({
          ...container,
          volumeMounts: [{ name: "token", mountPath: "/token" }],
        })),
      };
      const { containerStatuses: _, ...status } = object["status"] ?? {};
      object["status"] = { ...status, phase: "Pending" };
    });
    assert.match(verdictOf(run(waits), name)?.message ?? "", /secret "token" not found/);
  });

  test("keeps the pods of a StatefulSet whose revision was serialized by another version", () => {
    const other = changed("ControllerRevision", "db-7c9d6f5b8", (object) => {
      object["data"] = { ...object["data"], more: {} };
    });
    assert.deepEqual(writes(run(other)), []);
  });

  /** Adds a DaemonSet with a pod on each node, like the Deployment's. */
  function withDaemons(revisions: readonly Manifest[]): readonly Manifest[] {
    const [web] = running.filter(({ kind, metadata }) => {
      return kind === "Pod" && String((metadata as Manifest)["name"]).startsWith("web-");
    });
    const { spec, status } = web as unknown as Record<string, Manifest>;
    const labels = { app: "agent" };
    const owner = { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: "agent" };
    const pods = [first, second].map((nodeName, index) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `agent-${index}`,
        namespace: "shop",
        uid: `agent-${index}`,
        labels: { ...labels, "controller-revision-hash": "5b8f" },
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: { ...spec, nodeName },
      status,
    }));
    const scheduled = {
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberAvailable: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      updatedNumberScheduled: 2,
      observedGeneration: 1,
    };
    const { containers } = spec as Manifest;
    const daemons = {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "agent", namespace: "shop", uid: "agent", generation: 1 },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
      status: scheduled,
    };
    return [...running, daemons, ...pods, ...revisions];
  }

  test("keeps the pods of a DaemonSet, with or without its revisions", () => {
    const revision = (name: string, revision: number): Manifest => ({
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name,
        namespace: "shop",
        uid: name,
        labels: { app: "agent", "controller-revision-hash": name.slice("agent-".length) },
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            name: "agent",
            uid: "agent",
            controller: true,
          },
        ],
      },
      data: {},
      revision,
    });
    for (const revisions of [[], [revision("agent-5b8f", 2), revision("agent-77aa", 1)]]) {
      const { runtime } = run(withDaemons(revisions));
      const pods = runtime.api.store.list("Pod").map(({ metadata }) => metadata.uid);
      assert.deepEqual(pods.filter((uid) => uid.startsWith("agent-")).sort(), [
        "agent-0",
        "agent-1",
      ]);
    }
  });

  test("has the image pull Secrets, unless Secrets were saved without them", () => {
    const secretless = changed("Pod", "db-0", (object) => {
      object["spec"] = { ...object["spec"], imagePullSecrets: [{ name: "registry" }] };
    }).filter(({ kind }) => kind !== "Secret");
    const complaints = (state: readonly Manifest[]): readonly string[] =>
      run(state).trace.entries.flatMap((e) => (e.type === "event" ? [e.reason] : []));
    assert.deepEqual(complaints(secretless), []);
    const other = { apiVersion: "v1", kind: "Secret", metadata: { name: "db", namespace: "shop" } };
    assert.deepEqual(
      [...new Set(complaints([...secretless, other]))],
      ["FailedToRetrieveImagePullSecret"],
    );
  });

  test("leaves out objects that need a missing kind, and says so", () => {
    const state = of("StorageClass", "PersistentVolume", "StatefulSet", "Deployment");
    assert.deepEqual(leftOutOf(imported(state)), [
      "1 StatefulSet without Pod",
      "2 PersistentVolume without PersistentVolumeClaim",
      "1 Deployment without ReplicaSet",
    ]);
    assert.deepEqual(
      writes(run(state)).filter((write) => write.includes("shop")),
      [],
    );
  });

  test("reports a failed pod that was replaced as healthy", () => {
    const pod = running.find(
      ({ metadata }) => (metadata as Manifest)["name"] === "web-6d4b9c7f5d-x2k9p",
    );
    const evicted: Manifest = {
      ...pod,
      metadata: { ...(pod?.["metadata"] as Manifest), name: "evicted", uid: "evicted" },
      status: { phase: "Failed", reason: "Evicted", message: "The node was low on resource" },
    };
    const { trace } = run([...running, evicted]);
    const verdict = verdicts(trace).find(({ ref }) => ref === "Pod/shop/evicted");
    assert.deepEqual(
      [verdict?.kind, verdict?.headline],
      ["healthy", "has failed: Evicted; its ReplicaSet has all its pods without it"],
    );
  });

  test("can do without cluster-scoped objects: claims imply volumes and classes, pods imply nodes", () => {
    const state = running.filter(
      ({ metadata }) => (metadata as Manifest)["namespace"] !== undefined,
    );
    const cluster = imported(state);
    assert.deepEqual(leftOutOf(cluster), []);
    assert.deepEqual(
      cluster.cluster.manifests
        .filter(({ kind }) => kind === "StorageClass")
        .map(({ metadata, provisioner }) => [(metadata as Manifest)["name"], provisioner]),
      [
        ["gp3", "ebs.csi.aws.com"],
        ["gp2", "kubernetes.io/aws-ebs"],
      ],
    );
    // Nothing implies that the volumes are attached.
    assert.deepEqual(
      writes(runFrom(cluster)).filter((write) => /\/shop\/| update PersistentVolume\//.test(write)),
      [],
    );
    const grown = run(state, grow);
    assert.equal(
      get(grown, "PersistentVolumeClaim", "data-db-0")?.status?.capacity?.["storage"],
      "30Gi",
    );
  });

  test("deletes a volume without waiting for an attacher if its driver is described as not attaching", () => {
    const driver = "disks.example.com";
    const claims = running
      .filter(({ kind }) => kind === "PersistentVolumeClaim")
      .map((claim) =>
        JSON.parse(JSON.stringify(claim).replaceAll("ebs.csi.aws.com", driver)),
      ) as readonly Manifest[];
    const knowledge = new DriverKnowledge([{ name: driver, traits: { attachRequired: false } }]);
    const saved = { objects: claims, isPartial: false };
    const name = "data-db-0";
    const simulation = runFrom(assumeCluster([], undefined, saved, knowledge), {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", namespace: "shop", name }],
    });
    const left = [...simulation.trace.stateAt(simulation.trace.entries.length - 1)].flatMap(
      ([, object]) =>
        object.kind === "PersistentVolume" && object.spec.claimRef?.name === name ? [object] : [],
    );
    assert.deepEqual(left, []);
  });

  test("leaves out objects whose own claim, volume or pod is missing, as if one namespace was saved", () => {
    const state = running.filter((object) => {
      const metadata = object["metadata"] as Manifest;
      return metadata["name"] !== "data-db-1";
    });
    assert.deepEqual(leftOutOf(imported(state)), [
      "1 Pod without PersistentVolumeClaim",
      "1 PersistentVolume without PersistentVolumeClaim",
      "1 StatefulSet without Pod",
      "1 VolumeAttachment without PersistentVolume",
    ]);
    assert.deepEqual(
      writes(run(state)).filter((write) => write.includes("pvc-") || write.includes("csi-")),
      [],
    );
  });

  test("does not recreate a pod that is missing because the file breaks off", () => {
    const state = running.filter((object) => (object["metadata"] as Manifest)["name"] !== "db-1");
    assert.deepEqual(leftOutOf(imported(state)), []);
    const partial = imported(state, true);
    assert.deepEqual(leftOutOf(partial), ["1 StatefulSet without Pod"]);
    const podWrites = (simulation: Simulation): readonly string[] =>
      writes(simulation).filter((write) => write.includes(" Pod/"));
    assert.deepEqual(podWrites(runFrom(partial)), []);
    assert.notDeepEqual(podWrites(run(state)), []);
  });

  test("keeps volumes attached that only the Nodes list, but only if pods need them", () => {
    const withoutAttachments = running.filter(({ kind }) => kind !== "VolumeAttachment");
    const simulation = run(withoutAttachments);
    assert.deepEqual(writes(simulation), []);
    assert.deepEqual(calls(simulation), []);
    const attached = (kinds: readonly string[]): readonly unknown[] =>
      run(of(...kinds))
        .runtime.api.store.list("Node")
        .map(({ status }) => status?.volumesAttached);
    assert.deepEqual(attached(["Node", "PersistentVolume", "PersistentVolumeClaim"]), [[], []]);
  });

  test("detaches a volume through its driver even if its VolumeAttachment was not saved", () => {
    const withoutAttachments = running.filter(({ kind }) => kind !== "VolumeAttachment");
    const simulation = run(withoutAttachments, {
      type: "scale",
      object: { kind: "StatefulSet", namespace: "shop", name: "db" },
      replicas: 1,
    });
    assert.deepEqual(calls(simulation).slice(-1), [
      "ControllerUnpublishVolume i-0bbbbbbbbbbbbbbb2",
    ]);
    assert.equal(simulation.runtime.api.store.list("VolumeAttachment").length, 1);
  });

  test("evicts the pods of a tainted node in time, without events before", () => {
    const tainted = changed("Node", second, (object) => {
      const key = "node.kubernetes.io/not-ready";
      object["spec"] = {
        ...object["spec"],
        taints: ["NoSchedule", "NoExecute"].map((effect) => ({ key, effect })),
      };
      const conditions = object["status"]?.["conditions"] as Record<string, unknown>[];
      Object.assign(conditions.find((c) => c["type"] === "Ready") ?? {}, { status: "False" });
    });
    const early = run(tainted);
    assert.deepEqual(
      early.trace.entries.filter((e) => e.type === "event"),
      [],
    );
    const late = run(tainted, { type: "advance", ms: 300_000 });
    const evicted = late.trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "TaintManagerEviction" ? [e.message] : [],
    );
    assert.deepEqual(evicted, [
      "Marking for deletion Pod shop/db-1",
      "Marking for deletion Pod shop/web-6d4b9c7f5d-zz7qd",
    ]);
  });

  test("keeps controllers whose pods have lost their ownerReferences", () => {
    const state = running.map((object) => {
      const copy = structuredClone(object) as Record<string, Record<string, unknown>>;
      if (object["kind"] === "Pod") delete copy["metadata"]?.["ownerReferences"];
      return copy;
    });
    assert.deepEqual(leftOutOf(imported(state, true)), []);
  });

  test("keeps a Lost claim, although its volume is missing", () => {
    const lost = changed("PersistentVolumeClaim", "data-db-0", (object) => {
      object["status"] = { ...object["status"], phase: "Lost" };
    });
    const state = lost.filter(({ kind }) => kind === "PersistentVolumeClaim").slice(0, 1);
    assert.deepEqual(leftOutOf(imported(state)), []);
  });

  test("keeps the capacity that CSIStorageCapacity objects publish", () => {
    const capable = changed("CSIDriver", "ebs.csi.aws.com", (object) => {
      object["spec"] = { ...object["spec"], storageCapacity: true };
    });
    const room: Manifest = {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIStorageCapacity",
      metadata: { name: "csisc-x", namespace: "kube-system" },
      nodeTopology: { matchLabels: { "topology.kubernetes.io/zone": "us-east-1a" } },
      storageClassName: "gp3",
      capacity: "1Gi",
    };
    const grow: Step = {
      type: "scale",
      object: { kind: "StatefulSet", namespace: "shop", name: "db" },
      replicas: 3,
    };
    assert.deepEqual(writes(run([...capable, room])), []);
    const events = run([...capable, room], grow).trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "FailedScheduling" ? [e.message] : [],
    );
    assert.match(events.join(), /2 node\(s\) did not have enough free storage/);
  });

  test("has its nodes' version, or the nearest one that is simulated", () => {
    const versionsOf = (kubeletVersion: string): readonly unknown[] => {
      const { kubernetesVersion, otherVersion } = imported([
        {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name: "n" },
          status: { nodeInfo: { kubeletVersion } },
        },
      ]);
      return [kubernetesVersion, otherVersion];
    };
    assert.deepEqual(versionsOf("v1.34.2-gke.100"), ["1.34", undefined]);
    assert.deepEqual(versionsOf("v1.28.0"), ["1.32", "1.28"]);
    assert.deepEqual(versionsOf("v1.40.1"), ["1.36", "1.40"]);
    assert.deepEqual(versionsOf("unknown"), [undefined, undefined]);
  });

  test("has the nodes that other objects name if no Nodes were saved", () => {
    const { cluster } = imported(of("Pod", "CSINode"));
    assert.deepEqual(cluster.nodes.map(({ name }) => name).sort(), [first, second]);
  });

  test("ignores invalid objects", () => {
    const broken: readonly Manifest[] = [
      { apiVersion: "v1", kind: "Pod" },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: "?" },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "q" }, spec: { restartPolicy: "Never" } },
      { apiVersion: "v1", kind: "Node", metadata: "x" },
      { apiVersion: "v9", kind: "Unheard", metadata: { name: "u" } },
    ];
    assert.equal(run(broken).runtime.api.store.list("Pod").length, 0);
  });
});
