/** How a kubelet starts, restarts and stops containers, and which pods it refuses. */
import assert from "node:assert/strict";
import type { NodeProfile, Step } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import { advance, applied, clusterOf, deletePods, fixture, nodeA, settle } from "./node-fixture.ts";

const cluster = clusterOf([]);

function pod(spec: string, mark: string): string {
  return `
    kind: Pod
    metadata: { name: p }        #=> ${mark}
    spec: { nodeName: node-a, ${spec} }`;
}

function exits(code: number, seconds: number): string {
  return `env: [{ name: FAKE_EXIT, value: "${code}@${seconds}" }]`;
}

function reasons(played: Played): readonly string[] {
  return played.simulation.trace.entries.flatMap((e) =>
    e.type === "event" && e.about === "Pod/default/p" && e.source === "kubelet" ? [e.reason] : [],
  );
}

suite("kubelet: containers", () => {
  test("a pod without volumes runs, and is removed soon after it is deleted", () => {
    check(pod("containers: [{ name: app, image: app }]", "Running node-a"), { cluster });
    check(pod("containers: [{ name: app, image: app }]", "gone"), {
      cluster,
      steps: [deletePods("p"), settle],
    });
  });

  test("a pod is Running as soon as its containers run; before 1.36 at the next relist", () => {
    const pauseMs = (version: "1.35" | "1.36"): number => {
      const fixture = pod("containers: [{ name: app, image: app }]", "Running node-a");
      const { entries } = play(fixture, { cluster, version }).simulation.trace;
      const started = entries.find((e) => e.type === "event" && e.reason === "Started");
      const running = entries.find(
        (e) => e.type === "write" && e.after?.kind === "Pod" && e.after.status?.phase === "Running",
      );
      return (running?.at ?? Number.NaN) - (started?.at ?? Number.NaN);
    };
    assert.ok(pauseMs("1.36") < 50);
    assert.ok(pauseMs("1.35") >= 50 && pauseMs("1.35") <= 1050);
  });

  test("PodReadyToStartContainers is reported before the containers start; before 1.36 with their start", () => {
    const readyWith = (version: "1.35" | "1.36"): readonly (string | undefined)[] => {
      const fixture = pod("containers: [{ name: app, image: app }]", "Running node-a");
      const { entries } = play(fixture, { cluster, version }).simulation.trace;
      return entries.flatMap((e) => {
        if (e.type !== "write" || e.after?.kind !== "Pod") return [];
        const { conditions = [], phase } = e.after.status ?? {};
        const sandbox = conditions.find((c) => c.type === "PodReadyToStartContainers");
        return sandbox?.status === "True" ? [phase] : [];
      });
    };
    assert.deepEqual(readyWith("1.36"), ["Pending", "Running"]);
    assert.deepEqual(readyWith("1.35"), ["Running"]);
  });

  test("since 1.35 events of a container's creation and start do not name it", () => {
    const texts = (version: "1.34" | "1.35"): readonly string[] => {
      const fixture = pod("containers: [{ name: app, image: app }]", "Running node-a");
      const { entries } = play(fixture, { cluster, version }).simulation.trace;
      return entries.flatMap((e) =>
        e.type === "event" && e.source === "kubelet" ? [e.message] : [],
      );
    };
    assert.deepEqual(texts("1.35"), ["Container created", "Container started"]);
    assert.deepEqual(texts("1.34"), ["Created container: app", "Started container app"]);
  });

  test("init containers run one after the other, sidecars go on running", () => {
    const init =
      'initContainers: [{ name: one, image: app }, { name: side, image: app, restartPolicy: Always }, { name: two, image: app, command: [sleep, "3"] }]';
    const played = play(pod(`${init}, containers: [{ name: app, image: app }]`, "Running node-a"), {
      cluster,
    });
    const { status } = played.get("Pod", "p") ?? {};
    const states = status?.initContainerStatuses?.map((s) => Object.keys(s.state ?? {})[0]);
    assert.deepEqual(states, ["terminated", "running", "terminated"]);
    assert.ok(status?.initContainerStatuses?.every((s) => s.ready));
    assert.equal(status?.conditions?.find((c) => c.type === "Initialized")?.status, "True");
  });

  test("a pod is not initialized while an init container runs or has failed, and lists the incomplete ones", () => {
    const playedWith = (first: string) =>
      play(
        pod(
          `initContainers: [{ name: one, image: app, ${first} }, { name: two, image: app }], containers: [{ name: app, image: app }]`,
          "Pending node-a",
        ),
        { cluster, steps: [advance(5)] },
      ).get("Pod", "p")?.status;
    for (const status of [playedWith(exits(0, 600)), playedWith(exits(1, 1))]) {
      const of = (type: string) => status?.conditions?.find((c) => c.type === type);
      assert.equal(of("PodReadyToStartContainers")?.status, "True");
      assert.equal(of("Initialized")?.message, "containers with incomplete status: [one two]");
      assert.ok(!status?.initContainerStatuses?.some((s) => s.ready));
    }
  });

  test("a pod stays Running while its containers and its sidecar wait to be restarted", () => {
    const side = `initContainers: [{ name: side, image: app, restartPolicy: Always, ${exits(1, 3)} }]`;
    const app = `containers: [{ name: app, image: app, ${exits(1, 4)} }]`;
    const { simulation } = play(pod(`${side}, ${app}`, "Running node-a"), {
      cluster,
      steps: [advance(120)],
    });
    const told = simulation.trace.entries.flatMap((e) =>
      e.type === "write" && e.after?.kind === "Pod" && e.after.status ? [e.after.status] : [],
    );
    const phases = told.map(({ phase }) => phase);
    assert.deepEqual(
      phases.slice(phases.indexOf("Running")).filter((p) => p !== "Running"),
      [],
    );
    const bothWait = told.filter(({ initContainerStatuses = [], containerStatuses = [] }) =>
      [...initContainerStatuses, ...containerStatuses].every(
        ({ state }) => state?.waiting?.reason === "CrashLoopBackOff",
      ),
    );
    assert.ok(bothWait.length > 0);
  });

  test("events of one container are not counted with those of another", () => {
    const containers = `containers: [{ name: app, image: app, ${exits(1, 2)} }, { name: proxy, image: app }]`;
    const { simulation } = play(pod(containers, "Running node-a"), { cluster });
    const started = simulation.trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "Started" ? [`${e.container} ${e.count}`] : [],
    );
    assert.deepEqual(started.slice(0, 3), ["app 1", "proxy 1", "app 2"]);
  });

  test("a pod that is not restarted gets its phase from its containers' exit codes", () => {
    check(
      pod(
        `restartPolicy: Never, containers: [{ name: app, image: app, ${exits(0, 2)} }]`,
        "Succeeded node-a",
      ),
      { cluster },
    );
    check(
      pod(
        `restartPolicy: Never, containers: [{ name: app, image: app, ${exits(3, 2)} }]`,
        "Failed node-a",
      ),
      { cluster },
    );
  });

  test("a pod that is not restarted fails if it cannot be initialized", () => {
    const init = `initContainers: [{ name: one, image: app, ${exits(1, 1)} }, { name: two, image: app }]`;
    const played = play(
      pod(
        `restartPolicy: Never, ${init}, containers: [{ name: app, image: app }]`,
        "Failed node-a",
      ),
      { cluster },
    );
    assert.equal(played.events("Created").length, 1);
    const { initContainerStatuses = [], containerStatuses = [] } =
      played.get("Pod", "p")?.status ?? {};
    const states = [...initContainerStatuses, ...containerStatuses].map(
      ({ state }) => state?.terminated?.exitCode ?? state?.waiting?.reason,
    );
    // Containers that were never to be started still count as waiting.
    assert.deepEqual(states, [1, "PodInitializing", "PodInitializing"]);
  });

  const crashing = pod(`containers: [{ name: app, image: app, ${exits(1, 1)} }]`, "Running node-a");

  test("a crashing container is restarted at once, then after a growing back-off of at most five minutes", () => {
    const played = play(crashing, { cluster, steps: [advance(1500)] });
    const [sandbox] = played.simulation.runtime.machines.get("node-a")?.containers.sandboxes ?? [];
    const starts = (sandbox?.containers ?? []).map(({ startedAt }) => startedAt / 1000);
    const pauses = starts.slice(1).map((start, i) => start - (starts[i] ?? 0) - 1);
    const [atOnce = 0, ...heldBack] = pauses;
    assert.ok(atOnce <= 1, `${pauses}`);
    for (const [i, backOff] of [10, 20, 40, 80, 160, 300, 300].entries()) {
      const pause = heldBack[i] ?? 0;
      // A sync comes up to half a back-off later, and a container's end is seen within a second.
      assert.ok(pause >= backOff && pause <= 1.5 * backOff + 1, `${pauses}`);
    }
  });

  const withImages = (spec: object): Step => ({
    type: "patch",
    object: { kind: "Pod", name: "p" },
    patch: { spec } as never,
  });
  const killings = (played: Played): readonly string[] => played.events("Killing");

  test("a running container is restarted for another image, whatever the restart policy", () => {
    for (const policy of ["Always", "Never"]) {
      const before =
        "containers: [{ name: app, image: 'app:1' }, { name: other, image: 'other:1' }]";
      const played = play(pod(`restartPolicy: ${policy}, ${before}`, "Running node-a"), {
        cluster,
        steps: [
          withImages({
            containers: [
              { name: "app", image: "app:2" },
              { name: "other", image: "other:1" },
            ],
          }),
          settle,
        ],
      });
      assert.deepEqual(killings(played), ["Container app definition changed, will be restarted"]);
      const counts = played
        .get("Pod", "p")
        ?.status?.containerStatuses?.map(({ image, restartCount, ready }) => [
          image,
          restartCount,
          ready,
        ]);
      assert.deepEqual(counts, [
        ["app:2", 1, true],
        ["other:1", 0, true],
      ]);
    }
  });

  test("a sidecar is restarted for another image too, but not an init container that has completed", () => {
    const before =
      "restartPolicy: Never, initContainers: [{ name: side, image: 'side:1', restartPolicy: Always }, { name: once, image: 'once:1', command: [sh, -c, exit 0] }], containers: [{ name: app, image: 'app:1' }]";
    const init = (tag: string): object => ({
      initContainers: [
        { name: "side", image: `side:${tag}`, restartPolicy: "Always" },
        { name: "once", image: `once:${tag}`, command: ["sh", "-c", "exit 0"] },
      ],
    });
    const played = play(pod(before, "Running node-a"), {
      cluster,
      steps: [withImages(init("2")), settle],
    });
    assert.deepEqual(killings(played), ["Init container side definition changed"]);
    const counts = played
      .get("Pod", "p")
      ?.status?.initContainerStatuses?.map(({ restartCount }) => restartCount);
    assert.deepEqual(counts, [1, 0]);
  });

  test("a failing new image gets a back-off if the container had already failed with the old image", () => {
    const app = (tag: string): string =>
      `containers: [{ name: app, image: 'app:${tag}', ${exits(1, 100)} }, { name: other, image: app }]`;
    const patch = { spec: { containers: [{ name: "app", image: "app:2" }] } };
    const heldBack = (seconds: number): readonly string[] => {
      const object = { kind: "Pod", name: "p" } as const;
      const steps: Step[] = [
        advance(seconds),
        { type: "patch", object, patchType: "strategic", patch },
        advance(104),
      ];
      return play(pod(app("1"), "Running node-a"), { cluster, steps }).events("BackOff");
    };
    assert.deepEqual(heldBack(50), []);
    assert.equal(heldBack(150).length, 1);
  });

  test("a container in back-off is started at once with another image", () => {
    const crashingApp = `containers: [{ name: app, image: 'app:1', ${exits(1, 1)} }]`;
    const repaired = {
      containers: [{ name: "app", image: "app:2", env: [{ name: "FAKE_EXIT", value: "1@1" }] }],
    };
    const played = play(pod(crashingApp, "Running node-a"), {
      cluster,
      steps: [advance(60), withImages(repaired), advance(2)],
    });
    const { entries } = played.simulation.trace;
    const patchedAt = entries.findLast((e) => e.type === "request")?.at ?? 0;
    const startedAt =
      entries.findLast((e) => e.type === "event" && e.reason === "Started")?.at ?? 0;
    assert.ok(
      startedAt - patchedAt >= 0 && startedAt - patchedAt < 1000,
      `${startedAt - patchedAt}`,
    );
  });

  test("a container in back-off is reported as terminated until the next sync", () => {
    const { state, lastState } =
      play(crashing, { cluster }).get("Pod", "p")?.status?.containerStatuses?.[0] ?? {};
    assert.equal(state?.terminated?.exitCode, 1);
    assert.equal(lastState?.terminated?.exitCode, 1);
  });

  test("before 1.35 a pod is synced during the back-off, and reports CrashLoopBackOff", () => {
    const played = play(crashing, { cluster, version: "1.34" });
    const [status] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.equal(status?.state?.waiting?.reason, "CrashLoopBackOff");
    const { uid } = played.get("Pod", "p")?.metadata ?? {};
    assert.match(
      status?.state?.waiting?.message ?? "",
      new RegExp(
        `^back-off (10|20|40)s restarting failed container=app pod=p_default\\(${uid}\\)$`,
      ),
    );
    assert.deepEqual(played.events("BackOff"), [
      `Back-off restarting failed container app in pod p_default(${uid})`,
    ]);
    assert.equal(status?.lastState?.terminated?.exitCode, 1);
  });

  test("a pod that is deleted before it ran ends as Failed", () => {
    const waiting = `
      kind: Pod
      metadata: { name: p, finalizers: [example.com/held] }        #=> deleted, still Failed node-a
      spec:
        nodeName: node-a
        containers: [{ name: app, image: app, volumeMounts: [{ name: conf, mountPath: /conf }] }]
        volumes: [{ name: conf, configMap: { name: conf } }]`;
    const played = play(waiting, { cluster, steps: [deletePods("p"), settle] });
    const { phase, conditions = [], containerStatuses } = played.get("Pod", "p")?.status ?? {};
    assert.equal(phase, "Failed");
    const { reason } = conditions.find((c) => c.type === "Ready") ?? {};
    assert.equal(reason, "ContainersNotReady");
    assert.equal(containerStatuses?.[0]?.state?.terminated?.exitCode, 137);
  });

  test("a missing ConfigMap for a variable keeps only that container from starting", () => {
    const broken =
      "{ name: app, image: app, env: [{ name: A, valueFrom: { configMapKeyRef: { name: conf, key: a } } }] }";
    const played = play(
      pod(`containers: [${broken}, { name: other, image: app }]`, "Pending node-a"),
      { cluster },
    );
    assert.deepEqual(played.events("Failed"), ['Error: configmap "conf" not found']);
    const [app, other] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.deepEqual(app?.state?.waiting, {
      reason: "CreateContainerConfigError",
      message: 'configmap "conf" not found',
    });
    assert.equal(other?.ready, true);
  });

  test("an invalid image name keeps only that container from starting", () => {
    const containers = "containers: [{ name: app, image: App }, { name: other, image: app }]";
    const played = play(pod(containers, "Pending node-a"), { cluster });
    const message =
      'Failed to apply default image tag "App": couldn\'t parse image name "App": invalid reference format: repository name (library/App) must be lowercase';
    assert.deepEqual(played.events("InspectFailed"), [message]);
    assert.deepEqual(played.events("Failed"), ["Error: InvalidImageName"]);
    const [app, other] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.deepEqual(app?.state?.waiting, { reason: "InvalidImageName", message });
    assert.equal(other?.ready, true);
  });

  test("an invalid image name of a volume keeps only containers that mount it from starting", () => {
    const volumes = "volumes: [{ name: tools, image: { reference: Tools } }]";
    const app = "{ name: app, image: app, volumeMounts: [{ name: tools, mountPath: /tools }] }";
    const containers = `containers: [${app}, { name: other, image: app }]`;
    const played = play(pod(`${volumes}, ${containers}`, "Pending node-a"), { cluster });
    const message =
      'Failed to apply default image tag "Tools": couldn\'t parse image name "Tools": invalid reference format: repository name (library/Tools) must be lowercase';
    assert.deepEqual(played.events("InspectFailed"), [message]);
    assert.deepEqual(played.events("Failed"), ["Error: InvalidImageName"]);
    const [waiting, other] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.deepEqual(waiting?.state?.waiting, { reason: "InvalidImageName", message });
    assert.equal(other?.ready, true);
  });

  test("a missing key of a ConfigMap or Secret is named, unless it is optional", () => {
    const objects = `
    ---
    { kind: ConfigMap, metadata: { name: conf }, data: { a: x } }
    ---
    { kind: Secret, metadata: { name: login }, stringData: { user: me } }`;
    const started = (more: string, mark: string): readonly string[] =>
      play(`${pod(`containers: [{ name: app, image: app, ${more} }]`, mark)}${objects}`, {
        cluster,
      }).events("Failed");
    const value = (from: string): string => `env: [{ name: A, valueFrom: { ${from} } }]`;
    const [waits, runs] = ["Pending node-a", "Running node-a"];
    assert.deepEqual(started(value("configMapKeyRef: { name: conf, key: b }"), waits), [
      "Error: couldn't find key b in ConfigMap default/conf",
    ]);
    assert.deepEqual(started(value("secretKeyRef: { name: login, key: b }"), waits), [
      "Error: couldn't find key b in Secret default/login",
    ]);
    assert.deepEqual(started("envFrom: [{ secretRef: { name: none } }]", waits), [
      'Error: secret "none" not found',
    ]);
    started(value("configMapKeyRef: { name: conf, key: b, optional: true }"), runs);
    started("envFrom: [{ secretRef: { name: none, optional: true } }]", runs);
    started("envFrom: [{ configMapRef: { name: conf } }, { secretRef: { name: login } }]", runs);
  });

  test("an object from the next document of the file exists before the container starts", () => {
    const reads = "env: [{ name: A, valueFrom: { secretKeyRef: { name: login, key: user } } }]";
    const played = play(
      `${pod(`containers: [{ name: app, image: app, ${reads} }]`, "Running node-a")}
    ---
    kind: Secret
    metadata: { name: login }
    stringData: { user: app }`,
      { cluster },
    );
    assert.deepEqual(reasons(played), ["Created", "Started"]);
  });

  test("a pod that is deleted while its sandbox is created gets no container", () => {
    const other = "kind: ConfigMap\nmetadata: { name: other }";
    const short = pod("containers: [{ name: app, image: app }]", "gone");
    const steps = [...applied(short), deletePods("p"), settle];
    const played = play(other, { cluster, steps });
    assert.equal(played.get("Pod", "p"), undefined);
    assert.deepEqual(reasons(played), []);
  });

  test("a container with runAsNonRoot is not started as root", () => {
    const asRoot = "{ name: app, image: app, securityContext: { runAsUser: 0 } }";
    const played = play(
      pod(
        `securityContext: { runAsNonRoot: true, runAsUser: 1000 }, containers: [${asRoot}, { name: other, image: app }]`,
        "Pending node-a",
      ),
      { cluster },
    );
    const { containerStatuses = [] } = played.get("Pod", "p")?.status ?? {};
    const [app, other] = containerStatuses;
    const { uid } = played.get("Pod", "p")?.metadata ?? {};
    const message = `container's runAsUser breaks non-root policy (pod: "p_default(${uid})", container: app)`;
    assert.deepEqual(app?.state?.waiting, { reason: "CreateContainerConfigError", message });
    assert.deepEqual(played.events("Failed"), [`Error: ${message}`]);
    assert.equal(other?.ready, true);
  });

  test("a missing image pull secret is reported, and the images are pulled without it", () => {
    const secret = `
      kind: Secret
      metadata: { name: known }
      ---`;
    const played = play(
      `${secret}${pod("imagePullSecrets: [{ name: known }, { name: lost }, { name: gone }], containers: [{ name: app, image: app }]", "Running node-a")}`,
      { cluster },
    );
    assert.deepEqual(played.events("FailedToRetrieveImagePullSecret"), [
      "Unable to retrieve some image pull secrets (lost, gone); attempting to pull the image may not succeed.",
    ]);
  });

  test("variables from a file are set once a program has written it, if the node runs programs", () => {
    const from = "fileKeyRef: { volumeName: shared, path: vars, key: A }";
    const reader = `{ name: app, image: app, env: [{ name: A, valueFrom: { ${from} } }] }`;
    const writer =
      "{ name: writer, image: app, volumeMounts: [{ name: shared, mountPath: /shared }] }";
    const spec = (init: string, mark: string): string =>
      pod(
        `${init} containers: [${reader}], volumes: [{ name: shared, emptyDir: {} }]`,
        `${mark} node-a`,
      );
    const written = spec(`initContainers: [${writer}],`, "Running");
    check(written, { cluster });
    const noted = clusterOf([], [{ ...nodeA, fakeMounts: true }]);
    const failed = play(written.replace("Running", "Pending"), { cluster: noted });
    assert.deepEqual(failed.events("Failed"), ["Error: couldn't parse env file"]);
    const unmounted = play(spec("", "Pending"), { cluster });
    assert.deepEqual(unmounted.events("Failed"), [
      'Error: cannot find the volume "shared" referenced by FileKeyRef',
    ]);
  });

  test("a new sandbox is noticed within a second, so that a failing container is tried and reported again", () => {
    const broken = "{ name: app, image: app, envFrom: [{ configMapRef: { name: conf } }] }";
    const { simulation } = play(pod(`containers: [${broken}]`, "Pending node-a"), { cluster });
    const [first = 0, second = 0] = simulation.trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "Failed" ? [e.at] : [],
    );
    assert.ok(second > first && second - first <= 1000);
  });

  test("a variable for the limit of a missing container keeps its own container from starting", () => {
    const asks =
      "env: [{ name: A, valueFrom: { resourceFieldRef: { containerName: gone, resource: limits.cpu } } }]";
    const played = play(pod(`containers: [{ name: app, image: app, ${asks} }]`, "Pending node-a"), {
      cluster,
    });
    assert.deepEqual(played.events("Failed"), ["Error: container gone not found"]);
  });

  test("a pod that exceeds its deadline is stopped", () => {
    const played = play(
      pod("activeDeadlineSeconds: 30, containers: [{ name: app, image: app }]", "Failed node-a"),
      {
        cluster,
        steps: [advance(40), settle],
      },
    );
    assert.equal(played.get("Pod", "p")?.status?.reason, "DeadlineExceeded");
    // From then on the kubelet sends the event each time it computes the pod's status.
    const again = ["DeadlineExceeded", "DeadlineExceeded", "DeadlineExceeded"];
    assert.deepEqual(reasons(played), [
      "Created",
      "Started",
      "DeadlineExceeded",
      "Killing",
      ...again,
    ]);
  });

  test("so is a pod without its claim, and a pod that waits for a volume when that wait times out", () => {
    const endedAfter = (volume: string, seconds: number): number => {
      const containers =
        "containers: [{ name: app, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]";
      const spec = `activeDeadlineSeconds: 20, ${containers}, volumes: [{ name: v, ${volume} }]`;
      const { entries } = play(pod(spec, "Failed node-a"), {
        cluster,
        steps: [advance(seconds)],
      }).simulation.trace;
      const began = entries.find((e) => e.type === "write" && e.after?.kind === "Pod")?.at ?? 0;
      const ended = entries.find((e) => e.type === "event" && e.reason === "DeadlineExceeded");
      return Math.round(((ended?.at ?? 0) - began) / 1000);
    };
    const claim = "persistentVolumeClaim: { claimName: none }";
    assert.ok(Math.abs(endedAfter(claim, 60) - 20) <= 1);
    assert.equal(endedAfter("secret: { secretName: none }", 200), 123);
  });

  test("a preStop sleep delays the pod's end", () => {
    const hook = "lifecycle: { preStop: { sleep: { seconds: 6 } } }";
    const played = play(
      pod(`containers: [{ name: app, image: app, ${hook} }]`, "deleted, still Running node-a"),
      {
        cluster,
        steps: [deletePods("p"), advance(5)],
      },
    );
    assert.deepEqual(reasons(played), ["Created", "Started", "Killing"]);
  });

  // Upstream: SyncTerminatingPod runs on without its worker's context, which a shorter grace period ends; issue 127339.
  test("a running preStop hook is not cut short by a second deletion, not even a forced one", () => {
    const hook = "lifecycle: { preStop: { sleep: { seconds: 20 } } }";
    const isStopped = (grace: number, seconds: number): boolean => {
      const again: Step = { type: "delete", objects: [{ kind: "Pod", name: "p", grace }] };
      const steps = [deletePods("p"), advance(2), again, advance(seconds)];
      const mark = grace > 0 && seconds < 18 ? "deleted, still Running node-a" : "gone";
      const { simulation } = play(pod(`containers: [{ name: app, image: app, ${hook} }]`, mark), {
        cluster,
        steps,
      });
      return simulation.runtime.machines.get("node-a")?.containers.sandboxes.length === 0;
    };
    for (const grace of [1, 0]) {
      assert.equal(isStopped(grace, 15), false);
      assert.equal(isStopped(grace, 25), true);
    }
  });

  test("a preStop program that sleeps delays the pod's end at most for the grace period", () => {
    const goneAfter = (command: string, nodes: readonly NodeProfile[] = [nodeA]): number => {
      const hook = `terminationGracePeriodSeconds: 20, containers: [{ name: app, image: app, lifecycle: { preStop: { exec: { command: ${command} } } } }]`;
      const steps = [deletePods("p"), advance(60)];
      const { entries } = play(pod(hook, "gone"), { cluster: clusterOf([], nodes), steps })
        .simulation.trace;
      const writes = entries.filter((e) => e.type === "write" && e.ref === "Pod/default/p");
      const deleted = writes.find(
        (e) => e.type === "write" && e.actor === "user" && e.verb !== "create",
      );
      return Math.floor(((writes.at(-1)?.at ?? 0) - (deleted?.at ?? 0)) / 1000);
    };
    assert.equal(goneAfter('[sh, -c, "nginx -s quit; sleep 6"]'), 6);
    assert.equal(goneAfter("[sleep, infinity]"), 20);
    assert.equal(goneAfter("[nginx, -s, quit]"), 0);
    assert.equal(goneAfter('[sleep, "6"]', [{ ...nodeA, fakeMounts: true }]), 0);
  });

  test("a pod's readiness follows the condition of its readiness gate", () => {
    const gate = (status: string): Step => ({
      type: "patch",
      object: { kind: "Pod", name: "p" },
      patch: { status: { conditions: [{ type: "example.com/open", status }] } },
      subresource: "status",
    });
    const spec =
      "readinessGates: [{ conditionType: example.com/open }], containers: [{ name: app, image: app }]";
    const readiness = (...steps: readonly Step[]): readonly unknown[] => {
      const played = play(pod(spec, "Running node-a"), {
        cluster,
        steps: steps.flatMap((step) => [step, settle]),
      });
      const { conditions = [] } = played.get("Pod", "p")?.status ?? {};
      const { status, message } = conditions.find(({ type }) => type === "Ready") ?? {};
      const kept = conditions.find(({ type }) => type === "example.com/open")?.status;
      return [status, message, kept];
    };
    assert.deepEqual(readiness(gate("True")), ["True", undefined, "True"]);
    assert.deepEqual(readiness(gate("True"), gate("False")), [
      "False",
      'the status of pod readiness gate "example.com/open" is not "True", but False',
      "False",
    ]);
  });

  test("a readiness gate makes the pod unready, but not its containers", () => {
    const played = play(
      pod(
        "readinessGates: [{ conditionType: example.com/open }], containers: [{ name: app, image: app }]",
        "Running node-a",
      ),
      { cluster },
    );
    const conditions = played.get("Pod", "p")?.status?.conditions ?? [];
    assert.equal(conditions.find((c) => c.type === "ContainersReady")?.status, "True");
    assert.equal(conditions.find((c) => c.type === "Ready")?.reason, "ReadinessGatesNotReady");
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    [
      "nodeSelector: { disk: none }, containers: [{ name: app, image: app }]",
      "NodeAffinity",
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'containers: [{ name: app, image: app, resources: { requests: { cpu: "9" } } }]',
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 9000, used: 0, capacity: 8000",
    ],
    [
      'containers: [{ name: app, image: app, resources: { requests: { memory: 1Ti, cpu: "8500m" } } }]',
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 8500, used: 0, capacity: 8000",
    ],
    [
      "os: { name: windows }, containers: [{ name: app, image: app }]",
      "PodOSNotSupported",
      "Failed to admit pod as the OS field doesn't match node OS",
    ],
    [
      'securityContext: { sysctls: [{ name: net/ipv4/tcp_syncookies, value: "1" }, { name: net/core/somaxconn, value: "1024" }] }, containers: [{ name: app, image: app }]',
      "SysctlForbidden",
      'forbidden sysctl: "net.core.somaxconn" not allowlisted',
    ],
  ];
  test("a pod for Linux is admitted", () => {
    play(pod("os: { name: linux }, containers: [{ name: app, image: app }]", "Running node-a"), {
      cluster,
    });
  });

  test("a pod for Windows is admitted if the node's label says Windows", () => {
    const windows = { ...nodeA, labels: { "kubernetes.io/os": "windows" } };
    play(pod("os: { name: windows }, containers: [{ name: app, image: app }]", "Running node-a"), {
      cluster: clusterOf([], [windows]),
    });
  });

  test("supplementalGroupsPolicy Strict is refused if the node's runtime does not support it", () => {
    const spec =
      "securityContext: { supplementalGroupsPolicy: Strict }, containers: [{ name: app, image: app }]";
    const unable = clusterOf([], [{ ...nodeA, fakeMounts: true }]);
    const played = play(pod(spec, "Failed node-a"), { cluster: unable });
    const why = "SupplementalGroupsPolicy=Strict is not supported in this node";
    assert.deepEqual(played.events("SupplementalGroupsPolicyNotSupported"), [why]);
    play(pod(spec, "Running node-a"), { cluster });
    play(pod(spec, "Running node-a"), { cluster: unable, version: "1.32" });
  });

  test("a node under pressure admits only critical pods; under memory pressure also those with a memory request or toleration", () => {
    const told = (spec: string, types: readonly string[], phase: string): string | undefined => {
      const ailments = types.map((type) => ({ type, status: "True", reason: "", message: "" }));
      const short = clusterOf([], [{ ...nodeA, ailments }]);
      return play(pod(spec, `${phase} node-a`), { cluster: short }).get("Pod", "p")?.status
        ?.message;
    };
    const plain = "containers: [{ name: app, image: app }]";
    const why = (types: string): string => `Pod was rejected: The node had condition: [${types}]. `;
    assert.equal(told(plain, ["DiskPressure"], "Failed"), why("DiskPressure"));
    assert.equal(told(plain, ["MemoryPressure"], "Failed"), why("MemoryPressure"));
    const key = "node.kubernetes.io/memory-pressure";
    const bearing = `tolerations: [{ key: ${key}, operator: Exists }], ${plain}`;
    const asking =
      "containers: [{ name: app, image: app, resources: { requests: { memory: 1Mi } } }]";
    for (const spec of [bearing, asking]) {
      told(spec, ["MemoryPressure"], "Running");
      const both = ["DiskPressure", "MemoryPressure"];
      assert.equal(told(spec, both, "Failed"), why("MemoryPressure DiskPressure"));
    }
    told(`priorityClassName: system-node-critical, ${plain}`, ["PIDPressure"], "Running");
  });

  test("of two equal nodes a pod that tolerates everything gets the one without pressure", () => {
    const ailments = [{ type: "DiskPressure", status: "True", reason: "", message: "" }];
    const nodes = [
      { ...nodeA, ailments },
      { ...nodeA, name: "node-b" },
    ];
    const bearing = `
      kind: Pod
      metadata: { name: p }        #=> Running node-b
      spec: { tolerations: [{ operator: Exists }], containers: [{ name: app, image: app }] }`;
    play(bearing, { cluster: clusterOf([], nodes) });
  });

  for (const [spec, reason, message] of refusals) {
    test(`a pod is refused with the reason ${reason}: ${message}`, () => {
      const played = play(pod(spec, "Failed node-a"), { cluster });
      const { status } = played.get("Pod", "p") ?? {};
      assert.equal(status?.reason, reason);
      assert.equal(status?.message, `Pod was rejected: ${message}`);
      assert.deepEqual(played.events(reason), [message]);
    });
  }

  test("an extended resource that the node does not know does not keep a pod out", () => {
    const limits = '{ example.com/gpu: "1" }';
    play(
      pod(
        `containers: [{ name: app, image: app, resources: { limits: ${limits} } }]`,
        "Running node-a",
      ),
      { cluster },
    );
  });

  test("a pod that has ended takes no room from pods that a restarted kubelet admits", () => {
    const big = 'image: app, resources: { requests: { cpu: "6" } }';
    const ended = pod(
      `restartPolicy: Never, containers: [{ name: app, ${big}, ${exits(0, 1)} }]`,
      "Succeeded node-a",
    );
    const next = pod(`containers: [{ name: app, ${big} }]`, "").replace("p }", "z }");
    const played = play(ended, {
      cluster,
      steps: [
        ...applied(next),
        settle,
        { type: "node", name: "node-a", kubelet: "restart" },
        settle,
      ],
    });
    assert.equal(played.get("Pod", "z")?.status?.phase, "Running");
  });

  test("a pod is refused for the label of another OS, and for an untolerated NoExecute taint", () => {
    const rejection = (metadata: string, reason: string, profile: NodeProfile = nodeA) =>
      play(
        `
    kind: Pod
    metadata: { name: p${metadata} }
    spec: { nodeName: node-a, containers: [{ name: app, image: app }] }`,
        { cluster: clusterOf([], [profile]) },
      ).events(reason);
    const label = "PodOSSelectorNodeLabelDoesNotMatch";
    assert.deepEqual(rejection(", labels: { kubernetes.io/os: windows }", label), [
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ]);
    assert.equal(rejection(", labels: { kubernetes.io/os: linux }", "Started").length, 1);
    const windows = { ...nodeA, labels: { "kubernetes.io/os": "windows" } };
    assert.equal(
      rejection(", labels: { kubernetes.io/os: windows }", "Started", windows).length,
      1,
    );
    assert.equal(rejection(", labels: { kubernetes.io/os: linux }", label, windows).length, 1);
    const tainted = (effect: string): NodeProfile => ({
      ...nodeA,
      taints: [{ key: "dedicated", effect }] as NonNullable<NodeProfile["taints"]>,
    });
    assert.deepEqual(rejection("", "TaintToleration", tainted("NoExecute")), [
      "Predicate TaintToleration failed: node(s) had taints that the pod doesn't tolerate",
    ]);
    assert.equal(rejection("", "Started", tainted("NoSchedule")).length, 1);
  });

  test("a pod with hostNetwork has the node's address from the beginning, other pods get their own", () => {
    const addresses = (spec: string): readonly unknown[] => {
      const played = play(
        pod(`${spec} containers: [{ name: app, image: app }]`, "Running node-a"),
        {
          cluster,
        },
      );
      const { hostIP, podIP, podIPs } = played.get("Pod", "p")?.status ?? {};
      const first = played.simulation.trace.entries.flatMap((e) =>
        e.type === "write" && e.after?.kind === "Pod" && e.after.status?.hostIP !== undefined
          ? [e.after.status.podIP === hostIP]
          : [],
      )[0];
      return [podIP === hostIP, podIPs?.[0]?.ip === podIP, first];
    };
    assert.deepEqual(addresses("hostNetwork: true,"), [true, true, true]);
    assert.deepEqual(addresses(""), [false, true, false]);
  });

  test("two pods cannot have the same host port", () => {
    const port =
      "containers: [{ name: app, image: app, ports: [{ containerPort: 80, hostPort: 80 }] }]";
    const other = pod(port, "Running node-a").replace("name: p }", "name: other }");
    const played = play(fixture(other, pod(port, "Failed node-a")), { cluster });
    assert.equal(played.get("Pod", "p")?.status?.reason, "NodePorts");
  });

  test("pods may share a host port on different addresses; a sidecar's port counts too", () => {
    const port = (name: string, hostIP: string): string =>
      `{ name: ${name}, image: app, ports: [{ containerPort: 80, hostPort: 80, hostIP: ${hostIP} }] }`;
    const app = "{ name: app, image: app }";
    const side = port("side, restartPolicy: Always", "10.0.0.1");
    const other = pod(`initContainers: [${side}], containers: [${app}]`, "Running node-a");
    const refusedFor = (hostIP: string, mark: string): string | undefined => {
      const p = pod(`containers: [${port("app", hostIP)}]`, mark);
      const played = play(fixture(other.replace("name: p }", "name: other }"), p), { cluster });
      return played.get("Pod", "p")?.status?.reason;
    };
    assert.equal(refusedFor("10.0.0.1", "Failed node-a"), "NodePorts");
    assert.equal(refusedFor("10.0.0.2", "Running node-a"), undefined);
  });

  test("pods of an existing cluster go on running, without a new start or event", () => {
    const first = play(pod("containers: [{ name: app, image: app }]", "Running node-a"), {
      cluster,
    });
    const running = first.get("Pod", "p");
    assert.ok(running !== undefined);
    const simulation = new Simulation({
      version: "1.36",
      seed: 2,
      cluster: { name: "test", drivers: [], manifests: [], ...cluster, nodes: [nodeA] },
      steps: [settle],
    });
    simulation.runtime.machines.get("node-a")?.containers.adopt(running, 0);
    simulation.runtime.api.restore(running);
    const events = simulation.run().entries.filter((e) => e.type === "event");
    assert.deepEqual(events, []);
    const after = simulation.runtime.api.store.get("Pod", "default", "p");
    assert.deepEqual(after?.status?.containerStatuses?.[0]?.restartCount, 0);
    assert.equal(after?.status?.phase, "Running");
    assert.equal(after?.status?.podIP, running.status?.podIP);
  });
});
