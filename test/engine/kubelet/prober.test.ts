/** When probes run, what a container's status says until then, and what waits for them. */
import assert from "node:assert/strict";
import type { ContainerStatus, PodStatus } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion, Step } from "../../../src/engine/scenario.ts";
import { clusterAsItIs } from "../../support/cluster-as-it-is.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { runs } from "../../support/workloads.ts";
import { advance, applied, clusterOf, deletePods } from "./node-fixture.ts";

const cluster = clusterOf([]);
const settle: Step = { type: "settle", limitMs: 600_000 };
const kubelet = (state: "down" | "up" | "restart"): Step => ({
  type: "node",
  name: "node-a",
  kubelet: state,
});

const readiness = (more = ""): string => `readinessProbe: { exec: { command: [ls] }, ${more} }`;
const startup = (more = ""): string => `startupProbe: { exec: { command: [ls] }, ${more} }`;
const restarts = 'env: [{ name: FAKE_EXIT, value: "1@100" }]';

function app(...fields: readonly string[]): string {
  return `containers: [${container("app", ...fields)}]`;
}

function container(name: string, ...fields: readonly string[]): string {
  return `{ name: ${[name, "image: app", ...fields].join(", ")} }`;
}

function played(
  spec: string,
  steps: readonly Step[] = [settle],
  version: KubernetesVersion = "1.36",
): Played {
  const pod = `
    kind: Pod
    metadata: { name: p }
    spec: { nodeName: node-a, ${spec} }`;
  return play("", { cluster, version, steps: [...applied(pod), ...steps] });
}

/** Returns the changes of the containers' statuses as `3 app ready`, with the seconds since the pod was created. */
function story(run: Played): readonly string[] {
  const lines: string[] = [];
  const last = new Map<string, string>();
  let madeAt: number | undefined;
  for (const entry of run.simulation.trace.entries) {
    if (entry.type !== "write" || entry.after?.kind !== "Pod") continue;
    madeAt ??= entry.at;
    for (const status of containersOf(entry.after.status)) {
      const state = stateOf(status);
      if (state === (last.get(status.name) ?? "waits")) continue;
      last.set(status.name, state);
      lines.push(`${Math.round((entry.at - madeAt) / 1000)} ${status.name} ${state}`);
    }
  }
  return lines;
}

function containersOf(status: PodStatus = {}): readonly ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

function stateOf({ state, started, ready }: ContainerStatus): string {
  if (state?.running === undefined) return "waits";
  return ready ? "ready" : started === true ? "started" : "runs";
}

suite("kubelet: readiness probes", () => {
  test("without a delay run as soon as the container is reported as running", () => {
    const run = played(app(readiness()));
    assert.deepEqual(story(run), ["0 app started", "0 app ready"]);
    const told = run.simulation.trace.entries.flatMap((entry) =>
      entry.type === "write" && entry.after?.kind === "Pod"
        ? (entry.after.status?.conditions ?? []).filter(({ type }) => type === "Ready")
        : [],
    );
    const [first, last] = [told[0], told.at(-1)];
    assert.equal(first?.reason, "ContainersNotReady");
    assert.equal(first?.message, "containers with unready status: [app]");
    assert.equal(last?.status, "True");
  });

  test("with a delay run at the first period's end after the delay, counted from the last sync", () => {
    const ready = (more: string): string | undefined => story(played(app(readiness(more)))).at(-1);
    assert.equal(ready("initialDelaySeconds: 10"), "11 app ready");
    assert.equal(ready("initialDelaySeconds: 15"), "21 app ready");
    assert.equal(ready("initialDelaySeconds: 15, periodSeconds: 4"), "17 app ready");
    assert.equal(ready("initialDelaySeconds: 15, successThreshold: 3"), "41 app ready");
  });

  test("make each container ready separately, and change the pod's conditions in the same write", () => {
    const run = played(
      `containers: [${container("slow", readiness("initialDelaySeconds: 15"))}, ${container("app", readiness())}]`,
    );
    assert.deepEqual(story(run), [
      "0 app started",
      "0 slow started",
      "0 app ready",
      "21 slow ready",
    ]);
    for (const entry of run.simulation.trace.entries) {
      if (entry.type !== "write" || entry.after?.kind !== "Pod") continue;
      const { conditions = [], containerStatuses = [] } = entry.after.status ?? {};
      const isReady = containerStatuses.length > 0 && containerStatuses.every((c) => c.ready);
      for (const type of ["ContainersReady", "Ready"]) {
        const told = conditions.find((condition) => condition.type === type);
        if (told !== undefined) assert.equal(told.status, isReady ? "True" : "False");
      }
    }
  });

  test("run at a periodic sync if that comes before the end of a long period", () => {
    const [, ready = ""] = story(
      played(app(readiness("initialDelaySeconds: 50, periodSeconds: 400"))),
    );
    assert.ok(Number.parseInt(ready, 10) > 60 && Number.parseInt(ready, 10) < 92, ready);
  });

  test("have to succeed again after a container's restart", () => {
    const run = played(app(readiness("initialDelaySeconds: 5, periodSeconds: 5"), restarts), [
      advance(130),
    ]);
    assert.deepEqual(story(run), [
      "0 app started",
      "6 app ready",
      "101 app waits",
      "101 app started",
      "107 app ready",
    ]);
  });

  test("due while the kubelet is down run when it is back", () => {
    const run = played(app(readiness("initialDelaySeconds: 60, periodSeconds: 7")), [
      advance(20),
      kubelet("down"),
      advance(100),
      kubelet("up"),
      advance(10),
    ]);
    const [, ready = ""] = story(run);
    assert.match(ready, /^12\d app ready$/);
  });

  test("go on during the pod's preStop hook, unlike startup probes", () => {
    const hook = "lifecycle: { preStop: { sleep: { seconds: 90 } } }";
    const grace = "terminationGracePeriodSeconds: 120";
    const deleted = (probe: string): readonly string[] =>
      story(played(`${grace}, ${app(probe, hook)}`, [advance(17), deletePods("p"), advance(120)]));
    assert.deepEqual(deleted(readiness("initialDelaySeconds: 60")), [
      "0 app started",
      "67 app ready",
      "107 app waits",
    ]);
    assert.deepEqual(deleted(startup("initialDelaySeconds: 60")), ["0 app runs", "107 app waits"]);
  });
});

suite("kubelet: startup probes", () => {
  test("keep a container from being started until they succeed, and other probes from running", () => {
    const alone = story(played(app(startup())));
    assert.deepEqual(alone, ["0 app runs", "10 app started", "11 app ready"]);
    const both = app(startup("periodSeconds: 6"), readiness());
    assert.deepEqual(story(played(both)), ["0 app runs", "6 app started", "7 app ready"]);
    const delayed = app(startup("initialDelaySeconds: 8"), readiness("initialDelaySeconds: 15"));
    assert.deepEqual(story(played(delayed)), ["0 app runs", "10 app started", "21 app ready"]);
  });

  test("of a sidecar make the next containers wait, its readiness probe does not", () => {
    const side = `initContainers: [{ name: side, image: app, restartPolicy: Always, ${startup("periodSeconds: 5")}, ${readiness("initialDelaySeconds: 20")} }]`;
    const run = played(`${side}, ${app()}`);
    assert.deepEqual(story(run), ["0 side runs", "5 side started", "6 app ready", "26 side ready"]);
    const initialized = run.simulation.trace.entries.flatMap((entry) =>
      entry.type === "write" && entry.after?.kind === "Pod"
        ? (entry.after.status?.conditions?.find(({ type }) => type === "Initialized")?.message ??
          [])
        : [],
    );
    assert.equal(initialized.at(-1), "containers with incomplete status: [side]");
  });

  test("do not run for an init container that ends", () => {
    const run = played(`initContainers: [{ name: one, image: app }], ${app(readiness())}`);
    assert.deepEqual(story(run).slice(-2), ["1 app started", "1 app ready"]);
  });
});

suite("kubelet: probes of an unknown port", () => {
  const web = "ports: [{ name: web, containerPort: 80 }]";
  const asks = (probe: string, port: string | number): string =>
    `${probe}Probe: { httpGet: { port: ${port} } }`;

  test("never run, and are reported again and again", () => {
    const run = played(app(web, asks("readiness", "http")), [advance(60)]);
    assert.deepEqual(story(run), ["0 app started"]);
    const text = 'strconv.Atoi: parsing "http": invalid syntax';
    const told = `Readiness probe errored and resulted in unknown state: ${text}`;
    assert.deepEqual(run.events("Unhealthy"), [told]);
    const counts = run.simulation.trace.entries.flatMap((entry) =>
      entry.type === "event" && entry.reason === "Unhealthy" ? [entry.count] : [],
    );
    assert.ok(counts.length > 5);
    const before = played(app(web, asks("readiness", "http")), [advance(60)], "1.32");
    assert.deepEqual(before.events("Unhealthy"), [`Readiness probe errored: ${text}`]);
  });

  test("keep the container from being started as startup probes, and do nothing as liveness probes", () => {
    assert.deepEqual(story(played(app(web, asks("startup", "http")))), ["0 app runs"]);
    const run = played(app(web, asks("liveness", "http"), readiness("initialDelaySeconds: 30")));
    assert.deepEqual(story(run), ["0 app started", "31 app ready"]);
    assert.equal(run.events("Unhealthy").length, 1);
  });

  test("run if the port has that name or is a number", () => {
    for (const port of ["web", 8080]) {
      const run = played(app(web, asks("readiness", port)));
      assert.deepEqual(story(run).at(-1), "0 app ready");
      assert.deepEqual(run.events("Unhealthy"), []);
    }
  });
});

suite("kubelet: probes across a restart of the kubelet", () => {
  const both = app(startup(), readiness());
  const after = (version: KubernetesVersion, steps: readonly Step[], spec = both) =>
    story(played(spec, [...steps, kubelet("restart"), advance(60)], version));

  test("a ready container stays ready", () => {
    const ready = ["0 app runs", "10 app started", "11 app ready"];
    assert.deepEqual(after("1.36", [settle, advance(20)]), ready);
  });

  test("before 1.35 it is not ready until it is probed, within a random part of the period", () => {
    const [, , , ...later] = after("1.34", [settle, advance(20)]);
    assert.deepEqual(
      later.map((line) => line.replace(/^\d+ /, "")),
      ["app runs", "app started", "app ready"],
    );
  });

  test("a container that was not ready is ready after a probe", () => {
    const slow = app(readiness("initialDelaySeconds: 50"));
    const [first, second = ""] = after("1.36", [advance(20)], slow);
    assert.equal(first, "0 app started");
    assert.match(second, /^[56]\d app ready$/);
  });

  test("a container without a probe stays ready even if its pod is not", () => {
    const slow = container("slow", readiness("initialDelaySeconds: 50"));
    assert.deepEqual(
      after("1.36", [advance(20)], `containers: [${container("app")}, ${slow}]`).slice(0, -1),
      ["0 app ready", "0 slow started"],
    );
  });

  test("a container that waited for its startup probe counts as started, because at first no probe is known", () => {
    const told = after("1.36", [advance(20)], app(startup("initialDelaySeconds: 50")));
    assert.deepEqual(told, ["0 app runs", "21 app ready"]);
  });

  test("a container that started just before is new to the kubelet", () => {
    assert.deepEqual(
      after("1.36", [advance(5)], app(readiness())).map((line) => line.replace(/^\d+ /, "")),
      ["app started", "app ready", "app started", "app ready"],
    );
  });
});

suite("kubelet: probes of a running cluster", () => {
  /** Starts from the cluster of a run after 20 s, and returns the changes of statuses from then on. */
  const takenOver = (spec: string, steps: readonly Step[]): readonly string[] => {
    const { simulation } = played(spec, [advance(20)]);
    const existing = clusterAsItIs(simulation, simulation.scenario);
    return story(play("", { cluster: existing, steps })).map((line) => line.replace(/^\d+ /, ""));
  };

  test("its containers keep their statuses, because why they are not ready is unknown", () => {
    const pod = app(readiness("initialDelaySeconds: 90"), startup("periodSeconds: 2"));
    assert.deepEqual(takenOver(pod, [advance(300)]), ["app started"]);
  });

  test("a restarted container is probed", () => {
    const pod = app(readiness("initialDelaySeconds: 40"), restarts);
    assert.deepEqual(takenOver(pod, [advance(170)]), [
      "app started",
      "app waits",
      "app started",
      "app ready",
    ]);
  });
});

suite("waiting for probes", () => {
  test("is a decision that names the probes and the time", () => {
    const told = (spec: string): readonly string[] =>
      played(spec).simulation.trace.entries.flatMap((entry) => {
        if (entry.type !== "decision" || entry.decision.reason !== "WaitsForProbe") return [];
        const { text, due = 0 } = entry.decision;
        return [`${Math.round((due - entry.at) / 1000)} s: ${text?.split("; probes are")[0]}`];
      });
    const often = "readiness probe (every 10 s from 15 s after the container's start)";
    assert.deepEqual(
      new Set(told(app(readiness("initialDelaySeconds: 15, successThreshold: 3")))),
      new Set([`40 s: container "app" must pass its ${often}`]),
    );
    const slow = container(
      "slow",
      startup("initialDelaySeconds: 15"),
      readiness("initialDelaySeconds: 25"),
    );
    const quick = container("quick", startup("periodSeconds: 6"), readiness());
    const waits = told(`containers: [${quick}, ${slow}]`);
    const [first, last] = ["startup", "readiness"].map(
      (probe, i) =>
        `its ${probe} probe (every 10 s from ${15 + 10 * i} s after the container's start)`,
    );
    assert.equal(
      waits[0],
      `35 s: container "quick" must pass its startup probe (every 6 s) and its readiness probe (every 10 s); container "slow" must pass ${first} and ${last}`,
    );
    assert.equal(waits.at(-1), `10 s: container "slow" must pass ${last}`);
  });

  const template = (minReadySeconds: number): string =>
    `minReadySeconds: ${minReadySeconds}, ${runs("web").replace("image: app", `image: app, ${readiness("initialDelaySeconds: 30")}`)}`;

  test("makes a StatefulSet create its pods one after the other", () => {
    const set = `{ kind: StatefulSet, metadata: { name: web }, spec: { serviceName: web, replicas: 3, ${template(0)} } }`;
    const { simulation } = play("", { cluster, steps: [...applied(set), settle] });
    const made = simulation.trace.entries.flatMap((entry) =>
      entry.type === "write" && entry.verb === "create" && entry.after?.kind === "Pod"
        ? [entry.at]
        : [],
    );
    const [first = 0, second = 0, third = 0] = made;
    assert.deepEqual(
      [second - first, third - second].map((ms) => Math.round(ms / 1000)),
      [31, 31],
    );
  });

  test("makes a Deployment available later, and minReadySeconds counts from then", () => {
    const deployment = `{ kind: Deployment, metadata: { name: web }, spec: { ${template(20)} } }`;
    const { simulation } = play("", { cluster, steps: [...applied(deployment), settle] });
    const at = (field: "readyReplicas" | "availableReplicas"): number =>
      simulation.trace.entries.find(
        (entry) =>
          entry.type === "write" &&
          entry.after?.kind === "Deployment" &&
          entry.after.status?.[field] === 1,
      )?.at ?? Number.NaN;
    assert.equal(Math.round((at("availableReplicas") - at("readyReplicas")) / 1000), 20);
  });
});
