/** What the Deployment controller does with Deployments and ReplicaSets that it finds: sizes, history, names, progress. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { deploymentController } from "../../../../src/engine/controllers/deployment/deployment.ts";
import { bare, controllerIn } from "../../../support/bare-objects.ts";
import { Scene } from "../../../support/component-scene.ts";

const template = (version: number) => ({
  metadata: { labels: { app: "web" }, annotations: { version: String(version) } },
  // With defaults, as the API server stores it; otherwise no new ReplicaSet would match the template.
  spec: {
    containers: [
      {
        name: "main",
        image: "app",
        imagePullPolicy: "Always",
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  },
});

const web = (spec: object = {}, status: object = {}): KubeObject<"Deployment"> =>
  bare("Deployment", "web", {
    metadata: { generation: 1, annotations: { "deployment.kubernetes.io/revision": "9" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: template(9),
      ...spec,
    },
    status,
  });

interface SetParts {
  /** Of the template; the Deployment's is 9. */
  readonly version?: number;
  readonly replicas?: number;
  /** The Deployment's size when this set was last scaled; 0 for no such annotation. */
  readonly desired?: number;
  readonly max?: number;
  readonly status?: object;
  readonly metadata?: object;
}

function set(name: string, { version = 1, replicas = 0, desired, ...more }: SetParts = {}) {
  const size = desired ?? replicas;
  return bare("ReplicaSet", name, {
    metadata: {
      generation: 1,
      labels: { app: "web" },
      annotations: {
        version: String(version),
        "deployment.kubernetes.io/revision": String(version),
        ...(size > 0 && {
          "deployment.kubernetes.io/desired-replicas": String(size),
          "deployment.kubernetes.io/max-replicas": String(more.max ?? size),
        }),
      },
      ownerReferences: [controllerIn(web())],
      ...more.metadata,
    },
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template(version) },
    status: {
      observedGeneration: 1,
      replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      ...more.status,
    },
  });
}

function sceneOf(
  deployment: KubeObject<"Deployment">,
  ...sets: readonly ReturnType<typeof set>[]
): Scene {
  return new Scene([deploymentController], [deployment, ...sets]).run(200);
}

const told = (scene: Scene): readonly string[] =>
  scene.events.map((line) => line.replace("Deployment/default/web ", ""));
const sizes = (scene: Scene): string =>
  scene.runtime.api.store
    .list("ReplicaSet")
    .map(({ metadata, spec }) => `${metadata.name} ${spec?.replicas}`)
    .sort()
    .join(", ");
const conditionsOf = (scene: Scene) =>
  scene
    .get("Deployment", "default", "web")
    ?.status?.conditions?.map((c) => `${c.type} ${c.status} ${c.reason}: ${c.message}`);

suite("a Deployment that is scaled", () => {
  const paused = { paused: true };

  test("undoes a change of its ReplicaSet's size", () => {
    const scene = sceneOf(web(), set("new", { version: 9, replicas: 3, desired: 1 }));
    assert.equal(sizes(scene), "new 1");
    assert.deepEqual(told(scene), [
      "Normal ScalingReplicaSet Scaled down replica set new from 3 to 1",
    ]);
  });

  test("scales the only active set, or else the new one, or else the latest", () => {
    const only = sceneOf(
      web({ ...paused, replicas: 3 }),
      set("a", { replicas: 1 }),
      set("b", { version: 9 }),
    );
    assert.equal(sizes(only), "a 3, b 0");
    const none = sceneOf(web({ ...paused, replicas: 3 }), set("a"), set("b", { version: 9 }));
    assert.equal(sizes(none), "a 0, b 3");
    const later = { metadata: { ...set("b").metadata, creationTimestamp: "2026-01-01T00:05:00Z" } };
    const latest = sceneOf(web({ ...paused, replicas: 3 }), set("c"), set("b", later), set("a"));
    assert.equal(sizes(latest), "a 0, b 3, c 0");
    assert.deepEqual(told(latest), [
      "Normal ScalingReplicaSet Scaled up replica set b from 0 to 3",
    ]);
  });

  const spread = (replicas: number, maxSurge: number, ...sets: readonly ReturnType<typeof set>[]) =>
    sizes(
      sceneOf(
        web({ ...paused, replicas, strategy: { rollingUpdate: { maxSurge, maxUnavailable: 1 } } }),
        ...sets,
      ),
    );

  test("spreads added and removed replicas over its sets by size", () => {
    const before = { desired: 10 };
    const three = [
      set("a", { ...before, replicas: 5 }),
      set("b", { ...before, replicas: 3 }),
      set("c", { ...before, version: 9, replicas: 2 }),
    ];
    assert.equal(spread(12, 0, ...three), "a 6, b 4, c 2");
    assert.equal(spread(20, 0, ...three), "a 10, b 6, c 4");
    assert.equal(spread(5, 0, ...three), "a 2, b 2, c 1");
    assert.equal(spread(1, 0, ...three), "a 1, b 0, c 0");
    assert.equal(spread(0, 0, ...three), "a 0, b 0, c 0");
  });

  test("of sets of equal size the newest grows first, and the oldest shrinks first", () => {
    const created = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
    const at = (name: string, minute: number, version: number) => {
      const found = set(name, { version, replicas: 2, desired: 6 });
      return { ...found, metadata: { ...found.metadata, creationTimestamp: created(minute) } };
    };
    const three = [at("a", 1, 1), at("b", 2, 2), at("c", 3, 9)];
    assert.equal(spread(7, 0, ...three), "a 2, b 2, c 3");
    assert.equal(spread(5, 0, ...three), "a 1, b 2, c 2");
  });

  test("counts the surge allowed now and the one allowed before", () => {
    const then = { desired: 10, max: 12 };
    const two = [
      set("a", { ...then, replicas: 8 }),
      set("b", { ...then, version: 9, replicas: 4 }),
    ];
    assert.equal(spread(20, 4, ...two), "a 16, b 8");
  });

  test("uses the size in the status if a set has no max-replicas", () => {
    const bareOf = (name: string, version: number) => {
      const found = set(name, { version, replicas: 2, desired: 4 });
      const annotations = {
        ...found.metadata.annotations,
        "deployment.kubernetes.io/max-replicas": "0",
      };
      return { ...found, metadata: { ...found.metadata, annotations } };
    };
    const grown = (status: object) =>
      sizes(
        sceneOf(
          web(
            { replicas: 8, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
            status,
          ),
          bareOf("a", 1),
          bareOf("b", 9),
        ),
      );
    assert.equal(grown({ replicas: 4 }), "a 4, b 4");
    assert.equal(grown({}), "a 2, b 6");
  });

  test("empties the old sets once the new one has its full size and is available", () => {
    const full = set("new", { version: 9, replicas: 3 });
    const old = set("old", { replicas: 2, desired: 5 });
    assert.equal(sizes(sceneOf(web({ ...paused, replicas: 3 }), old, full)), "new 3, old 0");
    const behind = set("new", { version: 9, replicas: 3, status: { availableReplicas: 2 } });
    assert.equal(sizes(sceneOf(web({ ...paused, replicas: 3 }), old, behind)), "new 2, old 1");
    const noted = set("new", { version: 9, replicas: 3, desired: 4 });
    assert.equal(sizes(sceneOf(web({ ...paused, replicas: 3 }), old, noted)), "new 2, old 1");
  });

  test("scales the largest set first, but empties sets from the newest on", () => {
    const made = (minute: number) => ({
      metadata: { creationTimestamp: `2026-01-01T00:0${minute}:00Z` },
    });
    const spreading = sceneOf(
      web({ ...paused, replicas: 12 }),
      set("a", { replicas: 1, desired: 6 }),
      set("b", { replicas: 3, desired: 6 }),
      set("c", { version: 9, replicas: 2, desired: 6 }),
    );
    assert.deepEqual(told(spreading), [
      "Normal ScalingReplicaSet Scaled up replica set b from 3 to 6",
      "Normal ScalingReplicaSet Scaled up replica set c from 2 to 4",
      "Normal ScalingReplicaSet Scaled up replica set a from 1 to 2",
    ]);
    const emptied = sceneOf(
      web({ ...paused, replicas: 2 }),
      set("a", { ...made(1), replicas: 1, desired: 2 }),
      set("b", { ...made(2), replicas: 1, desired: 2 }),
      set("c", { ...made(3), version: 9, replicas: 2 }),
    );
    assert.deepEqual(told(emptied), [
      "Normal ScalingReplicaSet Scaled down replica set b from 1 to 0",
      "Normal ScalingReplicaSet Scaled down replica set a from 1 to 0",
    ]);
  });

  test("shows in its status what the next sync finds, not what was just written", () => {
    const scene = sceneOf(
      web({ replicas: 3 }, { observedGeneration: 1 }),
      set("a", { version: 9, replicas: 1 }),
    );
    const unavailable = scene.runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.ref === "Deployment/default/web" && e.subresource === "status"
        ? [(e.after as KubeObject<"Deployment">).status?.unavailableReplicas]
        : [],
    );
    assert.deepEqual(unavailable, [undefined, 2]);
  });

  test("with Recreate scales none of several active sets", () => {
    const recreate = { ...paused, replicas: 4, strategy: { type: "Recreate" } };
    const two = [
      set("a", { replicas: 1, desired: 2 }),
      set("b", { version: 9, replicas: 1, desired: 2 }),
    ];
    assert.equal(sizes(sceneOf(web(recreate), ...two)), "a 1, b 1");
  });
});

suite("a Deployment that rolls out", () => {
  test("removes no further replicas in a sync in which a set could not be scaled", () => {
    const deployment = web({
      replicas: 4,
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
    });
    const sets = [
      set("a", { replicas: 1, desired: 4, status: { readyReplicas: 0, availableReplicas: 0 } }),
      set("b", { replicas: 1, desired: 4, status: { readyReplicas: 0, availableReplicas: 0 } }),
      set("c", { version: 9, replicas: 2, desired: 4 }),
    ];
    const scalings = (write: number) =>
      new Scene([deploymentController], [deployment, ...sets], {
        fault: { conflictOnWrite: { component: "deployment-controller", write } },
      })
        .run(200)
        .writes.slice(0, 3);
    const [scaleA, scaleB, status] = [
      "deployment-controller update ReplicaSet/default/a",
      "deployment-controller update ReplicaSet/default/b",
      "deployment-controller update Deployment/default/web status",
    ];
    assert.deepEqual(scalings(0), [scaleA, scaleB, status]);
    assert.deepEqual(scalings(1), [status, scaleA, scaleB]);
  });

  test("removes no more from an old set before its status shows the last removal", () => {
    const strategy = { rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } };
    const rolledOut = (availableReplicas: number) =>
      sizes(
        sceneOf(
          web({ replicas: 10, strategy }),
          set("old", { replicas: 5, desired: 10, max: 12, status: { availableReplicas } }),
          set("new", { version: 9, replicas: 7, desired: 10, max: 12 }),
        ),
      );
    assert.equal(rolledOut(7), "new 7, old 5");
    assert.equal(rolledOut(5), "new 10, old 1");
  });
});

suite("a Deployment's history", () => {
  const complete = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  const current = set("now", { version: 9, replicas: 1 });
  const left = (limit: number, ...old: readonly ReturnType<typeof set>[]) =>
    sizes(sceneOf(web({ revisionHistoryLimit: limit }, complete), current, ...old));

  test("is cut to the limit, oldest revisions first", () => {
    const old = [set("c", { version: 3 }), set("a", { version: 10 }), set("b", { version: 2 })];
    assert.equal(left(2, ...old), "a 0, c 0, now 1");
    assert.equal(left(3, ...old), "a 0, b 0, c 0, now 1");
    assert.equal(left(0, ...old), "now 1");
  });

  test("keeps sets that have pods, are not synced yet or are being deleted", () => {
    const leaving = {
      ...set("c").metadata,
      finalizers: ["a/b"],
      deletionTimestamp: "2026-01-01T00:00:00Z",
    };
    const old = [
      set("a", { status: { replicas: 1 } }),
      set("b", { status: { observedGeneration: 0 } }),
      set("c", { metadata: leaving }),
    ];
    assert.equal(left(0, ...old), "a 0, b 0, c 0, now 1");
  });

  test("is kept until the rollout is complete", () => {
    const running = { ...complete, availableReplicas: 0 };
    const started = set("now", { version: 9, replicas: 1, status: { availableReplicas: 0 } });
    const found = sceneOf(web({ revisionHistoryLimit: 0 }, running), started, set("a"));
    assert.equal(sizes(found), "a 0, now 1");
  });
});

suite("a Deployment's new ReplicaSet", () => {
  test("gets another name if its own is taken", () => {
    const first = sceneOf(web());
    const [{ metadata }] = first.runtime.api.store.list("ReplicaSet") as readonly [
      ReturnType<typeof set>,
    ];
    const foreign = set(metadata.name, { metadata: { ownerReferences: [], labels: {} } });
    const found = sceneOf(web(), foreign).run(2000);
    assert.equal(found.runtime.api.store.list("ReplicaSet").length, 2);
    assert.equal(found.get("Deployment", "default", "web")?.status?.collisionCount, 1);
    assert.equal(told(found).length, 1);
  });

  test("is reported in an event and in the condition if it cannot be created", () => {
    const invalid = { ...template(9), spec: { containers: [] } };
    const scene = sceneOf(web({ template: invalid, progressDeadlineSeconds: 600 }));
    const text =
      /^Failed to create new replica set "web-\S+": ReplicaSet\.apps "web-\S+" is invalid: .*$/;
    assert.match(
      told(scene)[0]
        ?.replace(/^×\d+ /, "")
        .replace("Warning ReplicaSetCreateError ", "") ?? "",
      text,
    );
    assert.match(
      conditionsOf(scene)?.[0] ?? "",
      /^Progressing False ReplicaSetCreateError: Failed to create new/,
    );
    const without = sceneOf(web({ template: invalid }));
    assert.equal(conditionsOf(without), undefined);
  });

  test("is not retried in a terminating namespace", () => {
    const namespace = bare("Namespace", "default", {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/held"] },
      status: { phase: "Terminating" },
    });
    for (const type of ["Recreate", "RollingUpdate"]) {
      const scene = new Scene([deploymentController], [namespace, web({ strategy: { type } })]);
      const { entries } = scene.run(5000).runtime.trace;
      assert.equal(entries.filter((e) => e.type === "refused").length, 1);
      assert.deepEqual(told(scene), []);
    }
  });

  test("has the Deployment's labels, hash, minReadySeconds and annotations", () => {
    const annotated = web({ minReadySeconds: 7 });
    const annotations = {
      note: "x",
      "deployment.kubernetes.io/revision": "9",
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
    };
    const scene = sceneOf(
      { ...annotated, metadata: { ...annotated.metadata, annotations } },
      set("old", { version: 4 }),
    );
    const made = scene.runtime.api.store
      .list("ReplicaSet")
      .find(({ metadata }) => metadata.name !== "old");
    const hash = made?.metadata.labels?.["pod-template-hash"];
    assert.equal(made?.metadata.name, `web-${hash}`);
    assert.deepEqual(made?.spec?.selector.matchLabels, { app: "web", "pod-template-hash": hash });
    assert.equal(made?.spec?.minReadySeconds, 7);
    assert.deepEqual(made?.metadata.annotations, {
      note: "x",
      "deployment.kubernetes.io/revision": "5",
      "deployment.kubernetes.io/desired-replicas": "1",
      "deployment.kubernetes.io/max-replicas": "1",
    });
  });

  test("takes over a change of minReadySeconds alone", () => {
    const scene = sceneOf(web(), set("only", { version: 9, replicas: 1 }));
    const { resourceVersion } = scene.get("ReplicaSet", "default", "only")?.metadata ?? {};
    scene.runtime.api.patch("Deployment", "default", "web", "", (current) =>
      current.kind === "Deployment" && current.spec !== undefined
        ? { ...current, spec: { ...current.spec, minReadySeconds: 4 } }
        : current,
    );
    scene.run(300);
    const found = scene.get("ReplicaSet", "default", "only");
    assert.equal(found?.spec?.minReadySeconds, 4);
    assert.notEqual(found?.metadata.resourceVersion, resourceVersion);
  });

  test("keeps its former revisions, and takes over later changes", () => {
    const before = set("back", { version: 9, replicas: 1 });
    const annotations = {
      ...before.metadata.annotations,
      "deployment.kubernetes.io/revision": "2",
      "deployment.kubernetes.io/revision-history": "1",
    };
    const back = { ...before, metadata: { ...before.metadata, annotations } };
    const scene = sceneOf(web({ minReadySeconds: 3 }), back, set("other", { version: 6 }));
    const found = scene.get("ReplicaSet", "default", "back");
    assert.equal(found?.spec?.minReadySeconds, 3);
    assert.equal(found?.metadata.annotations?.["deployment.kubernetes.io/revision"], "7");
    assert.equal(found?.metadata.annotations?.["deployment.kubernetes.io/revision-history"], "1,2");
    const { metadata } = scene.get("Deployment", "default", "web") ?? {};
    assert.equal(metadata?.annotations?.["deployment.kubernetes.io/revision"], "7");
  });

  test("is recorded with its revision by one status update, without a new generation", () => {
    const found = web({ progressDeadlineSeconds: 60 });
    const annotations = { ...found.metadata.annotations, note: "kept" };
    const scene = sceneOf(
      { ...found, metadata: { ...found.metadata, annotations } },
      set("old", { version: 4 }),
    );
    const { metadata, status } = scene.get("Deployment", "default", "web") ?? {};
    assert.deepEqual(metadata?.annotations, {
      note: "kept",
      "deployment.kubernetes.io/revision": "5",
    });
    assert.equal(metadata?.generation, 1);
    assert.equal(status?.observedGeneration, 1);
    const [first, ...others] = scene.runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.verb !== "create" && e.after?.kind === "Deployment" ? [e] : [],
    );
    assert.deepEqual(others.length, 1);
    assert.equal(first?.subresource, "status");
    const written = first?.after as KubeObject<"Deployment">;
    assert.equal(written.metadata.annotations?.["deployment.kubernetes.io/revision"], "5");
    assert.equal(written.status?.conditions?.[0]?.reason, "NewReplicaSetCreated");
  });
});

suite("a Deployment's conditions", () => {
  const deadline = { progressDeadlineSeconds: 60 };
  const progressing = (reason: string, more: object = {}) => ({
    type: "Progressing",
    status: "True",
    reason,
    lastUpdateTime: "2026-01-01T00:00:00Z",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    ...more,
  });
  const stuck = set("new", {
    version: 9,
    replicas: 1,
    status: { readyReplicas: 0, availableReplicas: 0 },
  });

  test("show that a rollout is progressing until its deadline, and no longer", () => {
    const scene = sceneOf(
      web(deadline, {
        replicas: 1,
        updatedReplicas: 1,
        conditions: [progressing("ReplicaSetUpdated")],
      }),
      stuck,
    );
    scene.run(59_000);
    assert.ok(conditionsOf(scene)?.some((c) => c.startsWith("Progressing True ReplicaSetUpdated")));
    scene.run(5000);
    assert.deepEqual(conditionsOf(scene), [
      "Available True MinimumReplicasAvailable: Deployment has minimum availability.",
      'Progressing False ProgressDeadlineExceeded: ReplicaSet "new" has timed out progressing.',
    ]);
  });

  test("show a missed deadline a second late, or at once if it was less than a second away", () => {
    const last = (lastUpdateTime: string) => {
      const conditions = [progressing("ReplicaSetUpdated", { lastUpdateTime })];
      const scene = sceneOf(web(deadline, { replicas: 1, updatedReplicas: 1, conditions }), stuck);
      return (ms: number) => {
        const { status } =
          scene.run(ms - scene.runtime.loop.now).get("Deployment", "default", "web") ?? {};
        return status?.conditions?.find((c) => c.type === "Progressing")?.reason;
      };
    };
    const soon = last("2025-12-31T23:59:01Z");
    assert.equal(soon(1000), "ReplicaSetUpdated");
    assert.equal(soon(1010), "ProgressDeadlineExceeded");
    const later = last("2025-12-31T23:59:03Z");
    assert.equal(later(3900), "ReplicaSetUpdated");
    assert.equal(later(4100), "ProgressDeadlineExceeded");
  });

  test("make a Deployment that was complete long ago and lacks a pod now be checked once a second", () => {
    const lastUpdateTime = "2025-12-31T20:00:00Z";
    const conditions = [progressing("NewReplicaSetAvailable", { lastUpdateTime })];
    const scene = sceneOf(web(deadline, { replicas: 1, updatedReplicas: 1, conditions }), stuck);
    const { loop } = scene.runtime;
    let steps = 0;
    for (const end = loop.now + 10_000; (loop.next ?? end) < end; steps++) loop.step();
    assert.ok(steps > 5 && steps < 60, String(steps));
  });

  test("show when the new set is found, and when the rollout is complete", () => {
    const [found, updated] = sceneOf(web(deadline), stuck).runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.after?.kind === "Deployment"
        ? (e.after.status?.conditions?.filter((c) => c.type === "Progressing") ?? [])
        : [],
    );
    assert.equal(found?.reason, "FoundNewReplicaSet");
    assert.equal(updated?.reason, "ReplicaSetUpdated");
    const done = sceneOf(web(deadline), set("new", { version: 9, replicas: 1 }));
    assert.ok(
      conditionsOf(done)?.includes(
        'Progressing True NewReplicaSetAvailable: ReplicaSet "new" has successfully progressed.',
      ),
    );
  });

  test("renew lastUpdateTime with each progress, and lastTransitionTime only with the status", () => {
    const times = (status: string): readonly unknown[] => {
      const before = progressing("ReplicaSetUpdated", {
        status,
        lastUpdateTime: "2025-12-31T23:59:30Z",
        lastTransitionTime: "2025-12-31T23:00:00Z",
      });
      const half = set("new", { version: 9, replicas: 2, status: { availableReplicas: 1 } });
      const given = web({ ...deadline, replicas: 2 }, { conditions: [before] });
      const found = sceneOf(given, half).get("Deployment", "default", "web")?.status?.conditions;
      const { lastUpdateTime, lastTransitionTime } =
        found?.find((c) => c.type === "Progressing") ?? {};
      return [lastUpdateTime, lastTransitionTime];
    };
    const now = "2026-01-01T00:00:00Z";
    assert.deepEqual(times("True"), [now, "2025-12-31T23:00:00Z"]);
    assert.deepEqual(times("Unknown"), [now, now]);
  });

  test("do not include Progressing without a deadline", () => {
    const status = { conditions: [progressing("ReplicaSetUpdated")] };
    assert.deepEqual(conditionsOf(sceneOf(web({}, status), stuck)), [
      "Available True MinimumReplicasAvailable: Deployment has minimum availability.",
    ]);
    const never = { progressDeadlineSeconds: 2_147_483_647 };
    assert.equal(conditionsOf(sceneOf(web(never, status), stuck))?.length, 1);
  });

  test("pass on why a ReplicaSet fails, with priority for the new one", () => {
    const failing = (message: string) => ({
      conditions: [
        {
          type: "ReplicaFailure",
          status: "True",
          reason: "FailedCreate",
          message,
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    });
    const old = set("old", { replicas: 1, status: failing("old") });
    const newer = (status: object) =>
      set("new", { version: 9, replicas: 1, status: { availableReplicas: 0, ...status } });
    const failure = (scene: Scene) =>
      conditionsOf(scene)?.find((c) => c.startsWith("ReplicaFailure"));
    assert.equal(
      failure(sceneOf(web({ replicas: 2 }), old, newer(failing("new")))),
      "ReplicaFailure True FailedCreate: new",
    );
    assert.equal(
      failure(sceneOf(web({ replicas: 2 }), old, newer({}))),
      "ReplicaFailure True FailedCreate: old",
    );
    const gone = web({}, { conditions: failing("past").conditions });
    assert.equal(failure(sceneOf(gone, newer({}))), undefined);
  });

  test("show a pause and its end, but not after a missed deadline", () => {
    const paused = sceneOf(web({ ...deadline, paused: true }), stuck);
    assert.ok(
      conditionsOf(paused)?.includes("Progressing Unknown DeploymentPaused: Deployment is paused"),
    );
    const resumed = sceneOf(
      web(deadline, { conditions: [progressing("DeploymentPaused", { status: "Unknown" })] }),
      stuck,
    );
    assert.ok(
      resumed.runtime.trace.entries.some(
        (e) =>
          e.type === "write" &&
          JSON.stringify(e.after).includes('"message":"Deployment is resumed"'),
      ),
    );
    const late = { conditions: [progressing("ProgressDeadlineExceeded", { status: "False" })] };
    assert.ok(
      conditionsOf(sceneOf(web({ ...deadline, paused: true }, late), stuck))?.some((c) =>
        c.startsWith("Progressing False ProgressDeadlineExceeded"),
      ),
    );
  });

  test("show too few available pods if more than maxUnavailable are missing", () => {
    const half = set("new", {
      version: 9,
      replicas: 4,
      status: { availableReplicas: 2, readyReplicas: 2 },
    });
    const scene = sceneOf(web({ replicas: 4 }), half);
    assert.deepEqual(conditionsOf(scene), [
      "Available False MinimumReplicasUnavailable: Deployment does not have minimum availability.",
    ]);
    const { conditions: _, ...counts } = scene.get("Deployment", "default", "web")?.status ?? {};
    assert.deepEqual(counts, {
      observedGeneration: 1,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 2,
    });
  });
});

suite("a Deployment's ownership of ReplicaSets", () => {
  test("a Deployment that selects everything gets an event and creates nothing", () => {
    const scene = sceneOf(web({ selector: {} }));
    assert.deepEqual(told(scene), [
      "Warning SelectingAll This deployment is selecting all pods. A non-empty selector is required.",
    ]);
    assert.deepEqual(scene.writes, []);
  });

  test("it adopts a ReplicaSet with its labels, releases one that has lost them, and leaves others' alone", () => {
    const owners = (found: Scene, name: string) =>
      found.get("ReplicaSet", "default", name)?.metadata.ownerReferences?.map(({ uid }) => uid);
    const other = [{ ...controllerIn(web()), uid: "other" }];
    const scene = sceneOf(
      web({ paused: true }),
      set("orphan", { metadata: { ownerReferences: undefined } }),
      set("lost", { metadata: { labels: {}, ownerReferences: [controllerIn(web())] } }),
      set("foreign", { metadata: { ownerReferences: other } }),
    );
    assert.deepEqual(owners(scene, "orphan"), ["web"]);
    assert.equal(owners(scene, "lost"), undefined);
    assert.deepEqual(owners(scene, "foreign"), ["other"]);
  });
});
