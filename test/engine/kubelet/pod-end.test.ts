/** How a pod ends: its status while its containers stop, the order in which they stop, and eviction for disk usage. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  fault,
  fixture,
  mayForgetStaging,
  podWithClaim,
} from "./node-fixture.ts";

const cluster = clusterOf([]);
const slowStop = "lifecycle: { preStop: { sleep: { seconds: 6 } } }";

function pod(spec: string, mark: string): string {
  return `
    kind: Pod
    metadata: { name: p }        #=> ${mark}
    spec: { nodeName: node-a, ${spec} }`;
}

/** Returns the successive values of `of` over all writes of the pod, without repetitions. */
function written(played: Played, of: (pod: Pod) => string | undefined): readonly string[] {
  const told = played.simulation.trace.entries.flatMap((e) =>
    e.type === "write" && e.after?.kind === "Pod" ? [of(e.after) ?? "-"] : [],
  );
  return told.filter((text, i) => text !== told[i - 1]);
}

function readyReason({ status }: Pod): string | undefined {
  return status?.conditions?.find((c) => c.type === "Ready")?.reason;
}

suite("kubelet: how a pod ends", () => {
  test("a pod becomes unready at once, but ends only after its containers", () => {
    const played = play(
      pod(
        `activeDeadlineSeconds: 10, containers: [{ name: app, image: app, ${slowStop} }]`,
        "Failed node-a",
      ),
      { cluster, steps: [advance(30)] },
    );
    const ends = written(played, ({ status }) => {
      const [app] = status?.containerStatuses ?? [];
      return [status?.phase, status?.reason, ...Object.keys(app?.state ?? {})].join(" ");
    });
    assert.ok(!ends.some((end) => end.startsWith("Failed") && end.endsWith("running")), `${ends}`);
    assert.equal(ends.at(-1), "Failed DeadlineExceeded terminated");
    const notReady = (p: Pod): string => `${p.status?.phase} ${readyReason(p) ?? "ready"}`;
    assert.ok(written(played, notReady).includes("Running PodFailed"));
  });

  test("a pod evicted for disk usage has no DisruptionTarget condition and hardly any time to stop", () => {
    const played = play(
      pod(
        `containers: [{ name: app, image: app, ${slowStop}, command: [sh, -c, "dd if=/dev/zero of=/v/x bs=1M count=9; sleep infinity"], volumeMounts: [{ name: v, mountPath: /v }] }],
         volumes: [{ name: v, emptyDir: { sizeLimit: 1Mi } }]`,
        "Failed node-a",
      ),
      { cluster, steps: [advance(90)] },
    );
    const disrupted = written(played, ({ status }) => {
      const target = status?.conditions?.find((c) => c.type === "DisruptionTarget");
      return `${status?.phase} ${target?.reason ?? "-"}`;
    });
    assert.deepEqual(disrupted, ["Pending -", "Running -", "Failed -"]);
    const { entries } = played.simulation.trace;
    const evicted = entries.find((e) => e.type === "event" && e.reason === "Evicted");
    const ended = entries.find(
      (e) => e.type === "write" && e.after?.kind === "Pod" && e.after.status?.phase === "Failed",
    );
    // Its hook gets no more than a second; the shell ignores the signal and is killed after two more.
    assert.equal(Math.floor(((ended?.at ?? 0) - (evicted?.at ?? 0)) / 1000), 3);
    const [app] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.deepEqual(
      [app?.state?.terminated?.exitCode, app?.state?.terminated?.reason],
      [137, "Error"],
    );
  });

  test("a pod evicted for disk usage has Succeeded if all its containers have", () => {
    const mount = "volumeMounts: [{ name: v, mountPath: /v }]";
    const writer = `{ name: writer, image: app, command: [dd, if=/dev/zero, of=/v/x, bs=1M, count=9], ${mount} }`;
    const spec = `restartPolicy: Never, containers: [${writer}, { name: app, image: app }], volumes: [{ name: v, emptyDir: { sizeLimit: 1Mi } }]`;
    const played = play(pod(spec, "Succeeded node-a"), { cluster, steps: [advance(90)] });
    assert.equal(played.events("Evicted").length, 1);
    assert.equal(played.get("Pod", "p")?.status?.reason, undefined);
  });

  test("a pod whose deadline passes during its deletion has failed with DeadlineExceeded", () => {
    const spec = `activeDeadlineSeconds: 30, containers: [{ name: app, image: app, lifecycle: { preStop: { sleep: { seconds: 20 } } } }]`;
    const kept = pod(spec, "deleted, still Failed node-a").replace(
      "name: p",
      "name: p, finalizers: [example.com/kept]",
    );
    const played = play(kept, { cluster, steps: [deletePods("p"), advance(30)] });
    assert.equal(played.get("Pod", "p")?.status?.reason, "DeadlineExceeded");
    assert.deepEqual(played.events("DeadlineExceeded"), [
      "Pod was active on the node longer than the specified deadline",
    ]);
  });

  test("eviction by the kubelet keeps an earlier DisruptionTarget condition", () => {
    const meant = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" };
    const spec = `containers: [{ name: app, image: app, command: [sh, -c, "dd if=/dev/zero of=/v/x bs=1M count=9; sleep infinity"], volumeMounts: [{ name: v, mountPath: /v }] }],
      volumes: [{ name: v, emptyDir: { sizeLimit: 1Mi } }]`;
    const object = { kind: "Pod", name: "p" } as const;
    const patch = { status: { conditions: [meant] } };
    const played = play(pod(spec, "Failed node-a"), {
      cluster,
      steps: [{ type: "patch", object, subresource: "status", patch }, advance(90)],
    });
    const reasons = (played.get("Pod", "p")?.status?.conditions ?? [])
      .filter((c) => c.type === "DisruptionTarget")
      .map((c) => c.reason);
    assert.deepEqual(reasons, ["EvictionByEvictionAPI"]);
  });

  test("a pod that the taint manager deletes keeps that DisruptionTarget condition at its end", () => {
    const object = { kind: "Node", name: "node-a" } as const;
    const taints = [{ key: "maintenance", effect: "NoExecute" }];
    const played = play(
      pod("containers: [{ name: app, image: app }]", "deleted, still Succeeded node-a").replace(
        "name: p",
        "name: p, finalizers: [example.com/kept]",
      ),
      { cluster, steps: [{ type: "patch", object, patch: { spec: { taints } } }, advance(30)] },
    );
    const target = played
      .get("Pod", "p")
      ?.status?.conditions?.find((c) => c.type === "DisruptionTarget");
    assert.equal(target?.reason, "DeletionByTaintManager");
  });

  test("a container that only had to start while its pod ended does not count as lost", () => {
    const spec = `initContainers: [{ name: init, image: app, env: [{ name: FAKE_EXIT, value: 0@2.3s }] }]`;
    const kept = podWithClaim("p", "", spec).replace(
      "name: p",
      "name: p, finalizers: [example.com/kept]",
    );
    const steps = [
      fault("NodeUnpublishVolume", "Internal", 1),
      ...applied(boundClaim(), kept),
      { type: "advance", ms: 3500 } as const,
      deletePods("p"),
      advance(30),
    ];
    const played = mayForgetStaging(play("", { cluster: clusterOf(), steps }));
    const { status } = played.get("Pod", "p") ?? {};
    const states = [status?.initContainerStatuses, status?.containerStatuses].map((all) =>
      all?.flatMap(({ state = {} }) => Object.keys(state)),
    );
    assert.deepEqual(states, [["terminated"], ["waiting"]]);
  });

  test("sidecars stop once the regular containers have ended, and the pod runs until then", () => {
    const side = `initContainers: [{ name: side, image: app, restartPolicy: Always, ${slowStop} }]`;
    const played = play(
      pod(
        `restartPolicy: Never, ${side}, containers: [{ name: app, image: app, command: [sleep, "5"] }]`,
        "Succeeded node-a",
      ),
      { cluster, steps: [advance(30)] },
    );
    assert.deepEqual(played.events("Killing"), ["Stopping container side"]);
    const states = written(played, (p) => {
      const { initContainerStatuses: init = [], containerStatuses = [], phase } = p.status ?? {};
      const [side, app] = [...init, ...containerStatuses].map(
        ({ state }) => Object.keys(state ?? {})[0],
      );
      return `${phase} side ${side} app ${app} ${readyReason(p) ?? "ready"}`;
    });
    assert.deepEqual(states.slice(-4), [
      "Running side running app running ready",
      "Running side running app terminated ContainersNotReady",
      "Running side terminated app terminated PodCompleted",
      "Succeeded side terminated app terminated PodCompleted",
    ]);
  });

  test("sidecars run their preStop hooks one by one after the regular containers, within the grace period", () => {
    const endedAfter = (grace: number): number => {
      const side = (name: string): string =>
        `{ name: ${name}, image: app, restartPolicy: Always, ${slowStop} }`;
      const spec = `terminationGracePeriodSeconds: ${grace}, initContainers: [${side("a")}, ${side("b")}], containers: [{ name: app, image: app, ${slowStop} }, { name: quick, image: app }]`;
      const { entries } = play(pod(spec, "gone"), {
        cluster,
        steps: [deletePods("p"), advance(60)],
      }).simulation.trace;
      const killed = entries.find((e) => e.type === "event" && e.reason === "Killing");
      const gone = entries.findLast((e) => e.type === "write" && e.before?.kind === "Pod");
      return Math.floor(((gone?.at ?? 0) - (killed?.at ?? 0)) / 1000);
    };
    assert.equal(endedAfter(30), 18);
    assert.equal(endedAfter(10), 10);
  });

  test("a sidecar in back-off when the regular containers end starts once more before all stop", () => {
    const crashes = 'env: [{ name: FAKE_EXIT, value: "1@2" }]';
    const sides = `initContainers: [{ name: a, image: app, restartPolicy: Always }, { name: b, image: app, restartPolicy: Always, ${crashes} }]`;
    const played = play(
      pod(
        `restartPolicy: Never, ${sides}, containers: [{ name: app, image: app, command: [sleep, "8"] }]`,
        "Succeeded node-a",
      ),
      { cluster, steps: [advance(60)] },
    );
    const statuses = played.get("Pod", "p")?.status?.initContainerStatuses ?? [];
    assert.deepEqual(
      statuses.map(({ restartCount }) => restartCount),
      [0, 2],
    );
    assert.deepEqual(played.events("Killing"), ["Stopping container a", "Stopping container b"]);
  });

  test("a container that ends while a restarted kubelet remounts its volumes counts as ended", () => {
    const fault = {
      driver: "block.csi.test",
      call: "NodePublishVolume",
      times: 0,
      delayMs: 30_000,
    };
    const extra = "restartPolicy: Never";
    const run = podWithClaim("p", "Succeeded node-a", extra).replace(
      "image: app,",
      'image: app, command: [sleep, "40"],',
    );
    play(fixture(boundClaim(), run), {
      cluster: clusterOf(),
      steps: [
        advance(10),
        { type: "fault", fault },
        { type: "node", name: "node-a", kubelet: "restart" },
        advance(60),
      ],
    });
  });

  const big = `containers: [{ name: app, image: app, ${slowStop}, resources: { requests: { cpu: "6" } } }]`;
  const ends: readonly (readonly [string, number | undefined, string])[] = [
    [
      "a terminating pod keeps its resources until its containers have stopped",
      undefined,
      "Failed",
    ],
    ["a pod deleted by force keeps no resources while its containers stop", 0, "Running"],
  ];
  for (const [name, grace, phase] of ends) {
    test(name, () => {
      const objects = [{ kind: "Pod" as const, name: "p", ...(grace !== undefined && { grace }) }];
      const next = pod(big, "").replace("name: p", "name: next");
      const steps = [
        advance(5),
        { type: "delete" as const, objects },
        ...applied(next),
        advance(30),
      ];
      const played = play(pod(big, "gone"), { cluster, steps });
      assert.equal(played.get("Pod", "next")?.status?.phase, phase);
      const room =
        "Node didn't have enough resource: cpu, requested: 6000, used: 6000, capacity: 8000";
      assert.deepEqual(played.events("OutOfcpu"), phase === "Failed" ? [room] : []);
    });
  }

  test("a crashing sidecar is restarted while a regular container runs", () => {
    const side =
      'initContainers: [{ name: side, image: app, restartPolicy: Always, env: [{ name: FAKE_EXIT, value: "1@3" }] }]';
    const played = play(
      pod(
        `restartPolicy: OnFailure, ${side}, containers: [{ name: app, image: app, command: [sleep, "20"] }]`,
        "Succeeded node-a",
      ),
      { cluster, steps: [advance(60)] },
    );
    assert.ok((played.get("Pod", "p")?.status?.initContainerStatuses?.[0]?.restartCount ?? 0) > 0);
  });

  const evictionOf = (spec: string, mark: string): string | undefined =>
    play(pod(spec, mark), { cluster, steps: [advance(90)] }).get("Pod", "p")?.status?.message;
  const writing = (files: string, limit: string, more = ""): string => {
    const dd = files.split(" ").map((file) => `dd if=/dev/zero of=${file} bs=1M count=60`);
    return `containers: [{ name: app, image: app, command: [sh, -c, "${dd.join("; ")}; sleep infinity"], resources: { limits: { ephemeral-storage: ${limit} } }, volumeMounts: [{ name: v, mountPath: /v }, { name: m, mountPath: /m }] }${more}],
      volumes: [{ name: v, emptyDir: {} }, { name: m, emptyDir: { medium: Memory } }]`;
  };
  const inAll = "Pod ephemeral local storage usage exceeds the total limit of containers";

  test("a pod whose disk usage exceeds the total of its containers' limits is evicted", () => {
    assert.equal(evictionOf(writing("/v/x /y", "100Mi"), "Failed node-a"), `${inAll} 100Mi. `);
    assert.equal(evictionOf(writing("/v/x /y", "120Mi"), "Running node-a"), undefined);
    const other = ", { name: o, image: o, resources: { limits: { ephemeral-storage: 20Mi } } }";
    assert.equal(evictionOf(writing("/v/x /y", "100Mi", other), "Running node-a"), undefined);
    assert.equal(
      evictionOf(writing("/v/x /y", "90Mi", other), "Failed node-a"),
      `${inAll} 110Mi. `,
    );
  });

  test("what a container writes outside of volumes must not exceed its own limit", () => {
    const other = ", { name: o, image: o, resources: { limits: { ephemeral-storage: 200Mi } } }";
    const message = 'Container app exceeded its local ephemeral storage limit "100Mi". ';
    assert.equal(evictionOf(writing("/x /y", "100Mi", other), "Failed node-a"), message);
    assert.equal(evictionOf(writing("/x /v/y", "100Mi", other), "Running node-a"), undefined);
  });

  test("memory-backed volumes, devices and files of ended containers do not count as disk usage", () => {
    assert.equal(evictionOf(writing("/m/x /y", "100Mi"), "Running node-a"), undefined);
    assert.equal(evictionOf(writing("/dev/null /y", "100Mi"), "Running node-a"), undefined);
    const ended = writing("/x /y", "100Mi").replace("sleep infinity", "sleep 1");
    assert.equal(evictionOf(`restartPolicy: Never, ${ended}`, "Succeeded node-a"), undefined);
  });

  test("a file that two containers write counts once, whatever their mount paths", () => {
    const containers = (...mounts: readonly (readonly [file: string, mount: string])[]): string => {
      const each = mounts.map(
        ([file, mount], i) =>
          `{ name: c${i}, image: app, command: [sh, -c, "dd if=/dev/zero of=${file} bs=1M count=60; sleep infinity"], env: [{ name: N, value: n${i} }], volumeMounts: [{ name: v, ${mount} }] }`,
      );
      return `containers: [${each.join(", ")}], volumes: [{ name: v, emptyDir: { sizeLimit: 100Mi } }]`;
    };
    const whole = ["/v/logs/x", "mountPath: /v"] as const;
    const slash = containers(["/v/x", "mountPath: /v/"], ["/v/x", "mountPath: /v"]);
    assert.equal(evictionOf(slash, "Running node-a"), undefined);
    const part = containers(whole, ["/w/x", "mountPath: /w, subPath: logs/"]);
    assert.equal(evictionOf(part, "Running node-a"), undefined);
    const message = 'Usage of EmptyDir volume "v" exceeds the limit "100Mi". ';
    const another = containers(whole, ["/w/x", "mountPath: /w, subPath: data"]);
    assert.equal(evictionOf(another, "Failed node-a"), message);
    const named = containers(
      ["/v/x", "mountPath: /v"],
      ["/w/x", "mountPath: /w, subPathExpr: $(N)"],
    );
    assert.equal(evictionOf(named, "Failed node-a"), message);
  });

  test("a critical pod is not evicted", () => {
    const critical = `priorityClassName: system-node-critical, ${writing("/x /y", "100Mi")}`;
    assert.equal(evictionOf(critical, "Running node-a"), undefined);
  });
});
