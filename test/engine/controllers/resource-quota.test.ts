/** ResourceQuotas: what they count, what they refuse, and when usage is released. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { resourceQuotaController } from "../../../src/engine/controllers/resource-quota.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { bare } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { claim as claimOfFast, StorageRun } from "../../support/storage-run.ts";
import { oneNode } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };

function claim(name: string, size: string, more = ""): Step {
  const metadata = {
    name,
    ...(more !== "" && { annotations: { "volume.beta.kubernetes.io/storage-class": more } }),
  };
  const spec = {
    storageClassName: "",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: size } },
  };
  return {
    type: "apply",
    manifests: [{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec }],
  };
}

function quota(hard: string, used: string): string {
  return `
    kind: ResourceQuota
    metadata: {name: limits}          #=> ${used}
    spec: {hard: {${hard}}}`;
}

function refusals(played: ReturnType<typeof play>): readonly string[] {
  return played.requests.flatMap((request) =>
    request.status === 403 ? [request.message ?? ""] : [],
  );
}

suite("ResourceQuota", () => {
  test("counts existing objects, despite crashes", () => {
    check(
      `
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec: {storageClassName: ""}
      ---
      kind: ResourceQuota
      metadata: {name: limits}          #=> persistentvolumeclaims 1 of 2, requests.storage 1Gi of 5Gi
      spec: {hard: {persistentvolumeclaims: "2", requests.storage: 5Gi}}
      `,
      // A controller that counted before it knew of the claim counts again after five minutes.
      { cluster: oneNode, steps: [{ type: "advance", ms: 301_000 }] },
    );
  });

  test("counts again when a Service no longer uses node ports", () => {
    const limited = (ports: number): string => `
      kind: Service
      metadata: {name: web}
      spec: {type: NodePort, selector: {app: web}, ports: [{port: 80}]}
      ---
      kind: ResourceQuota
      metadata: {name: limits}          #=> services 1 of 5, services.nodeports ${ports} of 2
      spec: {hard: {services: 5, services.nodeports: 2}}`;
    const object = { kind: "Service", name: "web" } as const;
    const inside: Step = { type: "patch", object, patch: { spec: { type: "ClusterIP" } } };
    play(limited(1), { steps: [settle] });
    play(limited(0), { steps: [settle, inside, settle] });
  });

  test("has no usage in its status if it limits only unknown resources", () => {
    const played = play(quota("count/novelties.example.com: 1", ""), { steps: [settle] });
    assert.deepEqual(played.get("ResourceQuota", "limits")?.status, {
      hard: { "count/novelties.example.com": "1" },
    });
  });

  // Upstream: SyncMonitors makes an evaluator of each resource that can be listed and watched.
  test("counts zero for kinds that every cluster serves, without any object", () => {
    const ingresses = "count/ingresses.networking.k8s.io";
    play(quota(`${ingresses}: 4, pods: 2`, `${ingresses} 0 of 4, pods 0 of 2`), {
      steps: [settle],
    });
  });

  test("keeps the text of a limit in its status if the spec only writes the same amount differently", () => {
    const object = { kind: "ResourceQuota", name: "limits" } as const;
    const patch = { spec: { hard: { "requests.storage": "5368709120" } } };
    play(quota("requests.storage: 5Gi", "requests.storage 0 of 5Gi"), {
      steps: [settle, { type: "patch", object, patch }, settle],
    });
  });

  test("drops a removed limit from its status", () => {
    const object = { kind: "ResourceQuota", name: "limits" } as const;
    const patch = { spec: { hard: { "requests.storage": null } } };
    play(
      quota("persistentvolumeclaims: 5, requests.storage: 5Gi", "persistentvolumeclaims 0 of 5"),
      {
        steps: [settle, { type: "patch", object, patch }, settle],
      },
    );
  });

  test("refuses a claim that exceeds it, and names the amounts", () => {
    const played = play(quota("requests.storage: 3Gi", "requests.storage 2Gi of 3Gi"), {
      steps: [claim("one", "2Gi"), claim("two", "2Gi"), settle],
    });
    assert.deepEqual(refusals(played), [
      'persistentvolumeclaims "two" is forbidden: exceeded quota: limits, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi',
    ]);
  });

  // Upstream: Quantity's CanonicalizeBytes, and ParseQuantity of what it has written.
  test("shows a sum of binary and decimal sizes as the API server parses it", () => {
    play(quota("requests.storage: 10G", "requests.storage 2572864k of 10G"), {
      steps: [settle, claim("one", "1500Mi"), claim("two", "1G"), settle],
    });
  });

  test("charges a claim until it is removed", () => {
    const remove: Step = {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: "one" }],
    };
    play(quota('persistentvolumeclaims: "1"', "persistentvolumeclaims 1 of 1"), {
      steps: [claim("one", "1Gi"), settle, remove, settle, claim("two", "1Gi"), settle],
    });
  });

  test("counts a claim for the class that it finally has", () => {
    const hard = 'fast.storageclass.storage.k8s.io/persistentvolumeclaims: "1"';
    const played = play(
      quota(hard, "fast.storageclass.storage.k8s.io/persistentvolumeclaims 1 of 1"),
      {
        steps: [
          claim("one", "1Gi", "fast"),
          claim("two", "1Gi", "fast"),
          claim("three", "1Gi"),
          settle,
        ],
      },
    );
    assert.equal(refusals(played).length, 1);
  });

  test("shows usage above a limit that was lowered", () => {
    const grow = (size: string): Step => ({
      type: "patch",
      object: { kind: "ResourceQuota", name: "limits" },
      patch: { spec: { hard: { "requests.storage": size } } },
    });
    play(quota("requests.storage: 3Gi", "requests.storage 2Gi of 1Gi"), {
      steps: [claim("one", "2Gi"), settle, grow("1Gi"), settle],
    });
  });

  // Upstream: CheckRequest subtracts the old usage only if the old object was in the quota's scopes.
  test("a claim that enters a quota's scope by its new VolumeAttributesClass is charged in full", () => {
    const bound = (name: string, volumeAttributesClassName: string): Step => {
      const accessModes = ["ReadWriteOnce"];
      const csi = { driver: "block.csi.test", volumeHandle: name };
      const claimRef = { namespace: "default", name };
      return {
        type: "apply",
        manifests: [
          {
            apiVersion: "v1",
            kind: "PersistentVolume",
            metadata: { name },
            spec: {
              capacity: { storage: "2Gi" },
              accessModes,
              volumeAttributesClassName,
              csi,
              claimRef,
            },
          },
          {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name },
            spec: {
              storageClassName: "",
              volumeAttributesClassName,
              accessModes,
              resources: { requests: { storage: "2Gi" } },
            },
          },
        ],
      };
    };
    const toGold: Step = {
      type: "patch",
      object: { kind: "PersistentVolumeClaim", name: "two" },
      patch: { spec: { volumeAttributesClassName: "gold" } },
    };
    const more: Step = {
      type: "patch",
      object: { kind: "ResourceQuota", name: "limits" },
      patch: { spec: { hard: { persistentvolumeclaims: "2" } } },
    };
    const scoped = `
    kind: ResourceQuota
    metadata: {name: limits}          #=> persistentvolumeclaims 2 of 2, requests.storage 4Gi of 5Gi
    spec:
      hard: {persistentvolumeclaims: "1", requests.storage: 5Gi}
      scopeSelector:
        matchExpressions:
          - {scopeName: VolumeAttributesClass, operator: In, values: [gold]}`;
    const steps = [bound("one", "gold"), bound("two", "silver"), settle, toGold, more, settle];
    const played = play(scoped, { steps: [...steps, toGold, settle] });
    assert.deepEqual(refusals(played), [
      'persistentvolumeclaims "two" is forbidden: exceeded quota: limits, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1',
    ]);
  });

  testWithFaults(
    "a claim counts for its old and its new VolumeAttributesClass until it is modified",
    () => {
      const limitOf = (name: string): string => `
      kind: VolumeAttributesClass
      metadata: { name: ${name} }
      driverName: d.csi
      parameters: { iops: "1" }
      ---
      kind: ResourceQuota
      metadata: { name: ${name} }
      spec:
        hard: { persistentvolumeclaims: "1" }
        scopeSelector:
          matchExpressions: [{ scopeName: VolumeAttributesClass, operator: In, values: [${name}] }]
    `;
      const run = new StorageRun({ driver: { modify: true } });
      run.apply(limitOf("gold")).apply(limitOf("silver"));
      const used = () =>
        ["gold", "silver"].map(
          (name) => run.get("ResourceQuota", name)?.status?.used?.["persistentvolumeclaims"],
        );
      run.apply(claimOfFast.replace("fast", "fast, volumeAttributesClassName: gold")).settle();
      assert.deepEqual(used(), ["1", "0"]);
      run.fault("ControllerModifyVolume", { code: "Unavailable", times: 0 });
      const spec = { volumeAttributesClassName: "silver" };
      run.patch("PersistentVolumeClaim", "data", { spec }).advance(30);
      assert.deepEqual(used(), ["1", "1"]);
      run.step({ type: "fault", fault: { driver: "d.csi", clear: true } }).advance(400);
      assert.deepEqual(used(), ["0", "1"]);
    },
  );

  test("a pod has to request what a quota on CPU or memory limits", () => {
    const pod: Step = {
      type: "apply",
      manifests: [
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "web" },
          spec: {
            containers: [{ name: "main", image: "app", resources: { requests: { cpu: "1" } } }],
          },
        },
      ],
    };
    const played = play(
      quota('cpu: "2", requests.memory: 1Gi', "cpu 0 of 2, requests.memory 0 of 1Gi"),
      {
        steps: [pod, settle],
      },
    );
    assert.deepEqual(refusals(played), [
      'pods "web" is forbidden: failed quota: limits: must specify requests.memory for: main',
    ]);
  });

  test("a pod stuck in termination is no longer counted at the next full resync", () => {
    const leaving = bare("Pod", "web", {
      metadata: {
        deletionTimestamp: "2026-01-01T00:00:30Z",
        deletionGracePeriodSeconds: 30,
        finalizers: ["example.com/keep"],
      },
      spec: { containers: [] },
      status: { phase: "Running" },
    });
    const hard = { pods: "1", "count/pods": "5" };
    const limits = bare("ResourceQuota", "limits", { spec: { hard }, status: { hard } });
    const scene = new Scene([resourceQuotaController], [limits, leaving]);
    const used = (): unknown => scene.get("ResourceQuota", "default", "limits")?.status?.used;
    scene.run(299_000);
    assert.deepEqual(used(), { pods: "1", "count/pods": "1" });
    scene.run(3_000);
    assert.deepEqual(used(), { pods: "0", "count/pods": "1" });
  });

  test("a request for an existing object is charged before it is refused, until the next full resync", () => {
    const limits = bare("ResourceQuota", "limits", { spec: { hard: { pods: "2" } } });
    const scene = new Scene([resourceQuotaController], [limits]).run(100);
    const used = () => scene.get("ResourceQuota", "default", "limits")?.status?.used?.["pods"];
    const create = () => {
      const spec = { containers: [{ name: "main", image: "app" }] };
      const metadata = { name: "web", namespace: "default" };
      const answer = scene.runtime.api.create({ apiVersion: "v1", kind: "Pod", metadata, spec });
      scene.run(100);
      return [answer.ok ? "Created" : answer.error.reason, used()];
    };
    assert.deepEqual(
      [create(), create(), create()],
      [
        ["Created", "1"],
        ["AlreadyExists", "2"],
        ["Forbidden", "2"],
      ],
    );
    scene.run(299_000);
    assert.equal(used(), "2");
    scene.run(1000);
    assert.deepEqual(
      [used(), create(), scene.run(300_000) && used()],
      ["1", ["AlreadyExists", "2"], "1"],
    );
  });

  test("counts again at any change of a claim", () => {
    const claim = bare("PersistentVolumeClaim", "data", {
      spec: { resources: { requests: { storage: "1Gi" } } },
    });
    const hard = { persistentvolumeclaims: "5" };
    const limits = bare("ResourceQuota", "limits", { spec: { hard }, status: { hard } });
    const scene = new Scene([resourceQuotaController], [limits, claim]).run(100);
    const { api } = scene.runtime;
    const wrong = (object: KubeObject): KubeObject =>
      ({ ...object, status: { hard, used: { persistentvolumeclaims: "0" } } }) as KubeObject;
    api.patch("ResourceQuota", "default", "limits", "status", wrong);
    const used = (): unknown =>
      scene.run(100).get("ResourceQuota", "default", "limits")?.status?.used;
    assert.deepEqual(used(), { persistentvolumeclaims: "0" });
    const bound = (object: KubeObject): KubeObject =>
      ({ ...object, status: { phase: "Bound" } }) as KubeObject;
    api.patch("PersistentVolumeClaim", "default", "data", "status", bound);
    assert.deepEqual(used(), { persistentvolumeclaims: "1" });
  });

  test("a pod that gets a deadline moves from one quota to another", () => {
    const scoped = (scope: string, used: string): string => `
    kind: ResourceQuota
    metadata: {name: ${scope.toLowerCase()}}          #=> pods ${used}
    spec: {hard: {pods: "1"}, scopes: [${scope}]}`;
    const web = (name: string, spec: object = {}): Step => ({
      type: "apply",
      manifests: [
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name },
          spec: { containers: [{ name: "main", image: "app" }], ...spec },
        },
      ],
    });
    const limit: Step = {
      type: "patch",
      object: { kind: "Pod", name: "web" },
      patch: { spec: { activeDeadlineSeconds: 3600 } },
    };
    const both = (open: string, limited: string): string =>
      `${scoped("NotTerminating", open)}\n---${scoped("Terminating", limited)}`;
    play(both("0 of 1", "1 of 1"), { steps: [settle, web("web"), limit, settle] });
    // Up to 1.32 only the full resync, every five minutes, noticed that.
    const after = (ms: number): readonly Step[] => [
      settle,
      web("web"),
      limit,
      { type: "advance", ms },
    ];
    play(both("1 of 1", "0 of 1"), { version: "1.32", steps: after(60_000) });
    play(both("0 of 1", "1 of 1"), { version: "1.32", steps: after(300_000) });
    const brief = web("brief", { activeDeadlineSeconds: 3600 });
    const played = play(both("1 of 1", "1 of 1"), {
      steps: [settle, web("web"), brief, limit, settle],
    });
    assert.deepEqual(refusals(played), [
      'pods "web" is forbidden: exceeded quota: terminating, requested: pods=1, used: pods=1, limited: pods=1',
    ]);
    const cpu = scoped("Terminating", "0 of 1, requests.cpu 0 of 1").replace(
      "hard: {",
      'hard: {requests.cpu: "1", ',
    );
    assert.deepEqual(refusals(play(cpu, { steps: [settle, web("web"), limit, settle] })), [
      'pods "web" is forbidden: failed quota: terminating: must specify requests.cpu for: main',
    ]);
  });

  test("a pod that has ended is no longer counted as running", () => {
    const pod: Step = {
      type: "apply",
      manifests: [
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "web" },
          spec: {
            restartPolicy: "Never",
            containers: [{ name: "main", image: "app", command: ["sleep", "1"] }],
          },
        },
      ],
    };
    play(quota('pods: "1", count/pods: "5"', "count/pods 1 of 5, pods 0 of 1"), {
      steps: [pod, settle],
    });
  });
});
