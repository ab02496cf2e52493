import assert from "node:assert/strict";
import type { Kind } from "../../../../src/engine/api/meta.ts";
import { verdicts } from "../../../../src/engine/explain/verdicts.ts";
import type { DeleteTarget, Step } from "../../../../src/engine/scenario.ts";
import { play } from "../../../support/play.ts";
import { oneNode, runs, template } from "../../../support/workloads.ts";
import { advance, applied } from "../../kubelet/node-fixture.ts";

const settle: Step = { type: "settle" };
const hold = ["example.com/hold"];
const held = "stays until its finalizers are removed: example.com/hold";

function remove(target: DeleteTarget): Step {
  return { type: "delete", objects: [target] };
}

function change(kind: Kind, name: string, patch: object): Step {
  return { type: "patch", object: { kind, name }, patch: patch as never };
}

/** The verdicts on objects whose ref matches, each with the texts of its chain. */
function told(fixture: string, steps: readonly Step[], ref: RegExp): readonly string[] {
  const { simulation } = play(fixture, { cluster: oneNode, steps });
  return verdicts(simulation.trace)
    .filter((verdict) => ref.test(verdict.ref))
    .map(({ kind, chain }) => `${kind}: ${chain.map(({ text }) => text).join(" <- ")}`);
}

const claims =
  'volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: "", accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]';

const set = (spec: string): string => `
  kind: StatefulSet
  metadata: {name: web}
  spec: {serviceName: web, ${spec}, ${runs("web")}}`;

suite("verdict on a workload in deletion", () => {
  test("in the foreground waits for its dependents, down to what keeps those", () => {
    const deployment = `
      kind: Deployment
      metadata: {name: web}
      spec: {selector: {matchLabels: {app: web}}, template: ${template("web").replace("{labels", "{finalizers: [example.com/hold], labels")}}`;
    const steps = [
      remove({ kind: "Deployment", name: "web", propagationPolicy: "Foreground" }),
      settle,
    ];
    const [line = ""] = told(deployment, steps, /^Deployment\//);
    assert.match(
      line,
      /^waits-for-you: is being deleted, and goes when ReplicaSet "web-\w+" is gone <- is being deleted, and goes when pod "web-\S+" is gone <- is being deleted, but stays /,
    );
  });

  test("is first about its own finalizers", () => {
    const steps = [
      change("StatefulSet", "web", { metadata: { finalizers: hold } }),
      remove({ kind: "StatefulSet", name: "web" }),
      settle,
    ];
    assert.deepEqual(told(set("replicas: 1"), steps, /^StatefulSet\//), [
      `waits-for-you: is being deleted, but ${held}`,
    ]);
  });

  test("with its namespace makes no pods, and waits for the remaining pods", () => {
    const fixture = `
      kind: Namespace
      metadata: {name: team}
      ---
      ${set("replicas: 1").replace("{name: web}", "{name: web, namespace: team}")}
      ---
      kind: Pod
      metadata: {name: held, namespace: team, finalizers: [example.com/hold]}
      spec: {containers: [{name: main, image: app}]}`;
    const steps = [settle, remove({ kind: "Namespace", name: "team" }), settle];
    assert.deepEqual(told(fixture, steps, /^StatefulSet\//), [
      `waits-for-you: goes with its namespace "team", when pod "held" is gone <- is being deleted, but ${held}`,
    ]);
  });
});

suite("verdict on a StatefulSet", () => {
  test("that cannot scale down is not healthy, though enough of its pods are ready", () => {
    const steps: readonly Step[] = [
      settle,
      change("Node", "node-a", { spec: { unschedulable: true } }),
      remove({ kind: "Pod", name: "web-0" }),
      settle,
      { type: "scale", object: { kind: "StatefulSet", name: "web" }, replicas: 1 },
      settle,
    ];
    const [line = ""] = told(set("replicas: 3"), steps, /^StatefulSet\//);
    assert.match(
      line,
      /^stuck: has 2 pods too many: pod "web-0" is not Running and Ready; .* <- stays Pending: .* cordoned$/,
    );
  });

  test("that scales down later says which other pod has to be ready for longer", () => {
    const ordinals = { start: 1 };
    const steps = [change("StatefulSet", "web", { spec: { replicas: 1, ordinals } }), advance(2)];
    assert.deepEqual(told(set("replicas: 1, minReadySeconds: 9"), steps, /^StatefulSet/), [
      'will-happen: has 1 pod too many: pod "web-1" has been ready for less than minReadySeconds; an OrderedReady set creates and deletes its pods one at a time',
    ]);
  });

  test("whose pod waits for the end of an old claim names the pod that uses that", () => {
    const fixture = `
      kind: PersistentVolumeClaim
      metadata: {name: data-web-0, finalizers: [example.com/hold]}
      spec: {storageClassName: ""}`;
    const steps = [
      remove({ kind: "PersistentVolumeClaim", name: "data-web-0" }),
      ...applied(set(`replicas: 1, ${claims}`)),
      settle,
    ];
    assert.deepEqual(told(fixture, steps, /^StatefulSet\//), [
      `waits-for-you: has 0 of 1 pods ready: claim "data-web-0" has to go first <- is being deleted, but ${held}`,
    ]);
  });

  const bare = (name: string, labels: string): string => `
    kind: Pod
    metadata: {name: ${name}, labels: ${labels}}
    spec: {containers: [{name: main, image: app}]}
    ---`;

  test("names the pod that has the name of its own next pod, though Kubernetes says nothing", () => {
    const found = bare("web-0", "{}") + set("replicas: 1");
    assert.deepEqual(told(found, [settle], /^StatefulSet\//), [
      'waits-for-you: has 0 of 1 pods ready: pod "web-0" exists but does not belong to the set, and no event reports this <- has the name',
    ]);
    const freed = [settle, remove({ kind: "Pod", name: "web-0" }), settle, advance(60)];
    assert.deepEqual(told(found, freed, /^StatefulSet\//), ["healthy: has 1 of 1 pods ready"]);
  });

  test("with an adopted pod without its claims is not healthy", () => {
    const found = bare("web-0", "{app: web}") + set(`replicas: 1, ${claims}`);
    assert.deepEqual(told(found, [settle], /^StatefulSet\//), [
      'fails: has 1 of 1 pods ready, but pod "web-0" is not as its template says, and cannot be changed <- was there before the set',
    ]);
  });

  test("that waits for a pod's minReadySeconds says until when", () => {
    const slow =
      "{initContainers: [{name: wait, image: app, command: [sleep, '600']}], containers: [{name: main, image: app}]}";
    const fixture = set("replicas: 1").replace(
      "spec: {containers: [{name: main, image: app}]}",
      `spec: ${slow}`,
    );
    assert.deepEqual(told(fixture, [advance(5)], /^StatefulSet\//), [
      "will-happen: has 0 of 1 pods ready <- is starting on node-a",
    ]);
  });

  test("whose waiting pod has lost its claim recreates it once the pod changes", () => {
    const late = `
      kind: StorageClass
      metadata: {name: late}
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: WaitForFirstConsumer
      ---`;
    const nowhere = (late + set(`replicas: 1, ${claims}`))
      .replace("spec: {containers", "spec: {nodeSelector: {no: such}, containers")
      .replace('storageClassName: ""', "storageClassName: late");
    const steps = [settle, remove({ kind: "PersistentVolumeClaim", name: "data-web-0" }), settle];
    const { simulation } = play(nowhere, { cluster: oneNode, steps });
    const verdict = verdicts(simulation.trace).find(({ ref }) => ref.startsWith("Pod/"));
    assert.equal(
      verdict?.headline,
      'stays Pending: its claim "data-web-0" was deleted, and is gone',
    );
    assert.equal(verdict?.fixes[0]?.text, 'delete pod "web-0": StatefulSet "web" recreates both');
    const shared = nowhere.replace(
      "spec: {nodeSelector",
      "spec: {volumes: [{name: s, persistentVolumeClaim: {claimName: shared}}], nodeSelector",
    );
    const lacking = verdicts(play(shared, { cluster: oneNode, steps: [settle] }).simulation.trace);
    assert.equal(
      lacking.find(({ ref }) => ref.startsWith("Pod/"))?.fixes[0]?.text,
      'create a claim "shared" in namespace "default"',
    );
    const again = play(nowhere, {
      cluster: oneNode,
      steps: [...steps, remove({ kind: "Pod", name: "web-0" }), settle],
    });
    assert.deepEqual(again.names("PersistentVolumeClaim"), ["data-web-0"]);
  });
});

suite("verdict on a set whose ControllerRevision is refused", () => {
  const quota = `
    kind: ResourceQuota
    metadata: {name: history}
    spec: {hard: {count/controllerrevisions.apps: "0"}}
    ---`;
  const daemonSet = `
    kind: DaemonSet
    metadata: {name: web}
    spec: {${runs("web")}}`;
  const patch = (hard: string): Step =>
    change("ResourceQuota", "history", {
      spec: { hard: { "count/controllerrevisions.apps": hard } },
    });

  for (const [kind, manifest, counts] of [
    ["StatefulSet", set("replicas: 1"), "has 0 of 1 pods ready"],
    ["DaemonSet", daemonSet, "has 0 of 0 pods ready"],
  ] as const) {
    test(`says that a ${kind} cannot make it, though no event does`, () => {
      const { simulation } = play(quota + manifest, { cluster: oneNode, steps: [settle] });
      const verdict = verdicts(simulation.trace).find(({ ref }) => ref.startsWith(`${kind}/`));
      assert.equal(verdict?.kind, "fails");
      assert.equal(verdict?.headline, `${counts}: it cannot create a ControllerRevision`);
      assert.equal(verdict?.root?.field, "spec.hard[count/controllerrevisions.apps]");
    });

    test(`no longer says so once the quota lets a ${kind} go on`, () => {
      const steps = [settle, patch("1"), advance(120_000), settle];
      const { simulation } = play(quota + manifest, { cluster: oneNode, steps });
      const verdict = verdicts(simulation.trace).find(({ ref }) => ref.startsWith(`${kind}/`));
      assert.equal(verdict?.headline, "has 1 of 1 pods ready");
    });
  }
});

suite("verdict on a workload that may have only one pod", () => {
  const quota = `
      kind: ResourceQuota
      metadata: {name: few}
      spec: {hard: {pods: "1"}}
      ---`;
  test("still says that it cannot make the others after it has recreated the first, though events no longer do", () => {
    const fixture = `${quota}
      ${set("replicas: 8, podManagementPolicy: Parallel")}`;
    const steps = [settle, remove({ kind: "Pod", name: "web-0" }), settle];
    const found = told(fixture, steps, /^StatefulSet\//);
    assert.deepEqual(found, ["fails: has 1 of 8 pods ready: it cannot create more"]);
  });
});

suite("verdict on a DaemonSet that surges", () => {
  const spec =
    "minReadySeconds: 4, updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const daemons = `
    kind: DaemonSet
    metadata: {name: web}
    spec: {${spec}, ${runs("web")}}`;
  const annotated = (version: string): Step =>
    change("DaemonSet", "web", { spec: { template: { metadata: { annotations: { version } } } } });

  test("keeps a new pod that is available after the last sync beside the old one, until something changes", () => {
    const twice = [annotated("2"), advance(3), annotated("3"), advance(60)];
    assert.deepEqual(told(daemons, twice, /^DaemonSet/), [
      "waits-for-you: is rolling out: 0 new of 1 pods, 1 old: an old pod stays until something in the set or its pods changes",
    ]);
    const { simulation } = play(daemons, { cluster: oneNode, steps: twice });
    const verdict = verdicts(simulation.trace).find(({ ref }) => ref.startsWith("DaemonSet/"));
    assert.deepEqual(verdict?.fixes, [
      {
        text: "change anything of the set, such as an annotation, or leave out spec.minReadySeconds",
        doing: "leave out spec.minReadySeconds",
        at: { ref: verdict?.ref, field: "spec.minReadySeconds" },
        value: null,
      },
    ]);
    const seen = change("DaemonSet", "web", { metadata: { annotations: { seen: "yes" } } });
    assert.deepEqual(told(daemons, [...twice, seen, settle], /^DaemonSet/), [
      "healthy: has 1 of 1 pods ready",
    ]);
  });

  test("goes on as long as one of its pods needs a sync, or will go", () => {
    const rollingOut = ["will-happen: is rolling out: 0 new of 1 pods, 1 old"];
    const lifecycle = "lifecycle: {preStop: {sleep: {seconds: 10}}}";
    const slow = daemons.replace("image: app", `image: app, ${lifecycle}`);
    const twice = [annotated("2"), advance(3), annotated("3")];
    assert.deepEqual(told(slow, [...twice, advance(8)], /^DaemonSet/), [
      `${rollingOut[0]} <- is being deleted`,
    ]);
    assert.deepEqual(told(slow, [...twice, advance(30)], /^DaemonSet/), [
      "healthy: has 1 of 1 pods ready",
    ]);
    assert.deepEqual(told(daemons, [annotated("2"), advance(4)], /^DaemonSet/), rollingOut);
    const again = [annotated("2"), advance(3), annotated("3"), advance(60), annotated("4")];
    assert.deepEqual(told(daemons, [...again, advance(4)], /^DaemonSet/), rollingOut);
    assert.deepEqual(told(daemons, [...again, advance(9)], /^DaemonSet/), [
      "healthy: has 1 of 1 pods ready",
    ]);
  });
});
