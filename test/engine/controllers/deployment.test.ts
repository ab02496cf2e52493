/** Deployments: rollouts through ReplicaSets, their arithmetic, their conditions. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { deploymentController } from "../../../src/engine/controllers/deployment/deployment.ts";
import { maxSurge, maxUnavailable } from "../../../src/engine/controllers/deployment/fenceposts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };

function roll(spec: object = { template: { metadata: { annotations: { version: "2" } } } }): Step {
  return { type: "patch", object: { kind: "Deployment", name: "web" }, patch: { spec } as never };
}

function progressing(played: Played): string | undefined {
  const conditions = played.get("Deployment", "web")?.status?.conditions;
  return conditions?.find((c) => c.type === "Progressing")?.reason;
}

/** An old ReplicaSet whose pods must be gone before new ones come; no other controller runs. */
function recreating(...phases: readonly string[]): Scene {
  const replicaSet = (name: string, owner: object, more: object): KubeObject =>
    bare("ReplicaSet", name, {
      metadata: { generation: 1, labels: { app: "web" }, ownerReferences: [owner] },
      spec: { replicas: 0, selector: { matchLabels: { app: "web" } }, ...more },
      status: { observedGeneration: 1, replicas: 0 },
    });
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [] } };
  const deployment = bare("Deployment", "web", {
    metadata: { generation: 1 },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      strategy: { type: "Recreate" },
      template,
    },
  });
  const owner = controllerIn(deployment);
  const old = replicaSet("old", owner, { template: { ...template, spec: { hostPID: true } } });
  const pods = phases.map((phase, i) =>
    bare("Pod", `old-${i}`, {
      metadata: { labels: { app: "web" }, ownerReferences: [controllerIn(old)] },
      spec: { containers: [] },
      status: { phase },
    }),
  );
  const next = replicaSet("next", owner, { template });
  return new Scene([deploymentController], [deployment, old, next, ...pods]).run(200);
}

suite("Deployment controller", () => {
  test("ends with the new template, whatever crashes in between", () => {
    check(
      `
      kind: Deployment
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {replicas: 2, ${runs("web")}}
      `,
      { cluster: oneNode, steps: [roll(), settle] },
    );
  });

  test("a rolling update surges by one, and removes an old pod only when a new one is available", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {replicas: 2, ${runs("web")}}
      `,
      { steps: [roll(), settle] },
    );
    const [old, next] = played.list("ReplicaSet").map((set) => set.metadata.name);
    assert.deepEqual(played.events("ScalingReplicaSet"), [
      `Scaled up replica set ${old} from 0 to 2`,
      `Scaled up replica set ${next} from 0 to 1`,
      `Scaled down replica set ${old} from 2 to 1`,
      `Scaled up replica set ${next} from 1 to 2`,
      `Scaled down replica set ${old} from 1 to 0`,
    ]);
    assert.equal(progressing(played), "NewReplicaSetAvailable");
    assert.equal(
      played.get("Deployment", "web")?.metadata.annotations?.["deployment.kubernetes.io/revision"],
      "2",
    );
  });

  test("the ReplicaSet of a Deployment with a long name gets a shortened name; until 1.33 it is refused", () => {
    const name = "x".repeat(250);
    const namesIn = (version: "1.33" | "1.34") =>
      play(
        `
        kind: Deployment
        metadata: { name: ${name} }
        spec:
          selector: { matchLabels: { app: x } }
          template: { metadata: { labels: { app: x } }, spec: { containers: [{ name: c, image: i }] } }
        `,
        { version },
      ).names("ReplicaSet");
    assert.deepEqual(namesIn("1.33"), []);
    const [made = ""] = namesIn("1.34");
    assert.equal(made.length, 253);
    assert.ok(made.startsWith("x".repeat(200)) && /^x+-[a-z0-9]+$/.test(made));
  });

  testWithFaults("Recreate creates no new pod before the last old one is gone", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 2 of 2 ready
      spec: {replicas: 2, strategy: {type: Recreate}, ${runs("web")}}
      `,
      { steps: [roll(), settle] },
    );
    let most = 0;
    const pods = new Set<string>();
    for (const entry of played.simulation.trace.entries) {
      if (entry.type !== "write" || !entry.ref.startsWith("Pod/")) continue;
      if (entry.verb === "create") pods.add(entry.ref);
      if (entry.verb === "delete") pods.delete(entry.ref);
      most = Math.max(most, pods.size);
    }
    assert.equal(most, 2);
  });

  test("with Recreate, the deletion of the last pod triggers a sync; ended pods count as pods", () => {
    const sizeAfter = (scene: Scene, ...gone: readonly string[]) => {
      for (const name of gone)
        scene.runtime.api.delete("Pod", "default", name, { gracePeriodSeconds: 0 });
      return scene.run(200).get("ReplicaSet", "default", "next")?.spec?.replicas;
    };
    assert.equal(sizeAfter(recreating("Running"), "old-0"), 1);
    const failed = recreating("Running", "Failed");
    assert.equal(sizeAfter(failed, "old-0"), 0);
    assert.equal(sizeAfter(failed, "old-1"), 1);
    assert.equal(sizeAfter(recreating("Failed")), 1);
  });

  testWithFaults(
    "going back to an earlier template reuses its ReplicaSet under a new revision",
    () => {
      const played = play(
        `
      kind: Deployment
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("web")}}
      `,
        {
          steps: [
            roll(),
            settle,
            roll({ template: { metadata: { annotations: { version: null } } } }),
            settle,
          ],
        },
      );
      const [first] = played.list("ReplicaSet");
      assert.equal(played.list("ReplicaSet").length, 2);
      assert.equal(first?.spec?.replicas, 1);
      assert.equal(first?.metadata.annotations?.["deployment.kubernetes.io/revision"], "3");
      assert.equal(first?.metadata.annotations?.["deployment.kubernetes.io/revision-history"], "1");
    },
  );

  test("revisions are distinguished by all of their 64 bits", () => {
    const adopted = `
      kind: ReplicaSet
      metadata:
        name: older
        labels: {app: web}
        annotations: {deployment.kubernetes.io/revision: "3546343826724305832"}
      spec: {replicas: 1, ${runs("web")}}
      ---
      kind: Deployment
      metadata: {name: web}
      spec: {replicas: 1, ${runs("web", "hostPID: true")}}`;
    const played = play(adopted);
    assert.equal(
      played.get("Deployment", "web")?.metadata.annotations?.["deployment.kubernetes.io/revision"],
      "3546343826724305833",
    );
    assert.equal(played.get("ReplicaSet", "older")?.spec?.replicas, 0);
  });

  test("a rollout without progress times out after its deadline", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 0 of 1 ready
      spec: {replicas: 1, progressDeadlineSeconds: 60, ${runs("web", "nodeSelector: {disk: none}")}}
      `,
      { steps: [{ type: "advance", ms: 70_000 }] },
    );
    assert.equal(progressing(played), "ProgressDeadlineExceeded");
  });

  test("a quantity in another notation is no new template", () => {
    const asking = (memory: string): Step => {
      const resources = { requests: { memory } };
      return roll({
        template: { spec: { containers: [{ name: "main", image: "app", resources }] } },
      });
    };
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("web")}}
      `,
      { steps: [asking("1Gi"), settle, asking("1073741824"), settle] },
    );
    assert.equal(played.list("ReplicaSet").length, 2);
    assert.equal(played.get("Deployment", "web")?.metadata.generation, 2);
  });

  test("a paused Deployment scales but does not roll out", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 3 of 3 ready
      spec: {replicas: 1, ${runs("web")}}
      `,
      { steps: [roll({ paused: true }), settle, roll(), roll({ replicas: 3 }), settle] },
    );
    assert.equal(played.list("ReplicaSet").length, 1);
    assert.equal(progressing(played), "DeploymentPaused");
  });

  test("scaling during a rollout is spread over both ReplicaSets", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}
      spec: {replicas: 4, ${runs("web")}}
      `,
      {
        steps: [
          roll({ template: { spec: { nodeSelector: { disk: "none" } } } }),
          settle,
          roll({ replicas: 8 }),
          settle,
        ],
      },
    );
    const sizes = played.list("ReplicaSet").map((set) => set.spec?.replicas);
    assert.deepEqual(sizes, [6, 4]);
  });

  testWithFaults("old ReplicaSets beyond the history limit are deleted", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, revisionHistoryLimit: 0, ${runs("web")}}
      `,
      { steps: [roll(), settle] },
    );
    assert.equal(played.list("ReplicaSet").length, 1);
  });

  test("a ReplicaSet refused after fifteen retries is created once the Deployment changes, not once it could be", () => {
    const quota = (count: number): Step => ({
      type: "patch",
      object: { kind: "ResourceQuota", name: "sets" },
      patch: { spec: { hard: { "count/replicasets.apps": String(count) } } },
    });
    const played = (...steps: readonly Step[]) =>
      play(
        `
        kind: ResourceQuota
        metadata: {name: sets}
        spec: {hard: {count/replicasets.apps: "0"}}
        ---
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 1, ${runs("web")}}
        `,
        { steps: [...steps, quota(1), { type: "advance", ms: 600_000 }] },
      );
    assert.equal(played({ type: "advance", ms: 120_000 }).list("ReplicaSet").length, 1);
    const late = played({ type: "advance", ms: 200_000 });
    assert.equal(late.list("ReplicaSet").length, 0);
    assert.equal(progressing(late), "ReplicaSetCreateError");
    const touched = played({ type: "advance", ms: 200_000 }, quota(1), roll());
    assert.equal(touched.list("ReplicaSet").length, 1);
  });

  test("its deletion also deletes ReplicaSets and pods", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> gone
      spec: {replicas: 2, ${runs("web")}}
      `,
      { steps: [{ type: "delete", objects: [{ kind: "Deployment", name: "web" }] }, settle] },
    );
    assert.deepEqual([...played.names("ReplicaSet"), ...played.names("Pod")], []);
  });
});

suite("fenceposts", () => {
  const deployment = (
    replicas: number,
    maxSurge: number | string,
    maxUnavailable: number | string,
  ) =>
    ({
      spec: {
        replicas,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
      },
    }) as unknown as KubeObject<"Deployment">;

  const cases: readonly [number, number | string, number | string, number, number][] = [
    [10, "25%", "25%", 3, 2],
    [1, "25%", "25%", 1, 0],
    [4, 0, 0, 0, 1],
    [3, 2, 5, 2, 3],
    [0, "25%", "25%", 0, 0],
  ];
  for (const [replicas, surge, unavailable, wantedSurge, wantedUnavailable] of cases) {
    test(`${replicas} replicas, surge ${surge}, unavailable ${unavailable}`, () => {
      const subject = deployment(replicas, surge, unavailable);
      assert.deepEqual(
        [maxSurge(subject), maxUnavailable(subject)],
        [wantedSurge, wantedUnavailable],
      );
    });
  }
});
