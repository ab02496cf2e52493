import { strict as assert } from "node:assert";
import type { KubeObject, Ref } from "../../../src/engine/api/meta.ts";
import { Trace } from "../../../src/engine/trace/trace.ts";
import { type Moment, Reading } from "../../../src/webview/model/reading.ts";
import type { RowState } from "../../../src/webview/model/row-state.ts";

const claimRef = "PersistentVolumeClaim/default/data";
const volumeRef = "PersistentVolume//disk";

function claim(phase: string, volumeName?: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: "data",
      namespace: "default",
      uid: "1",
      resourceVersion: "1",
      creationTimestamp: "",
    },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      ...(volumeName === undefined ? {} : { volumeName }),
    },
    status: { phase },
  };
}

const volume: KubeObject = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "disk", uid: "2", resourceVersion: "2", creationTimestamp: "" },
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
  status: { phase: "Available" },
};

function lookAt(reading: Reading, seq: number, selected: Ref | undefined): Moment {
  return reading.moment({ seq, selected, rows: reading.summary.objects.map((_, place) => place) });
}

/** Returns the states of all objects, in their order. */
function statesAt(reading: Reading, seq: number): readonly RowState[] {
  return [...lookAt(reading, seq, undefined).rows.values()];
}

/** A claim is created, gets an event while it waits, and is bound to a volume that is then deleted. */
function bindingTrace(): Trace {
  const trace = new Trace();
  const actor = "persistentvolume-binder";
  const pending = claim("Pending");
  const bound = claim("Bound", "disk");
  trace.add(0, { type: "step", actor: "user", step: 0, text: "Apply 2 objects" });
  trace.add(0, { type: "write", actor: "user", verb: "create", ref: claimRef, after: pending });
  trace.add(100, {
    type: "event",
    actor,
    about: claimRef,
    source: "persistentvolume-controller",
    eventType: "Normal",
    reason: "FailedBinding",
    message: "no persistent volumes available",
    count: 1,
  });
  trace.add(200, { type: "write", actor: "user", verb: "create", ref: volumeRef, after: volume });
  trace.add(300, {
    type: "write",
    actor,
    verb: "update",
    ref: claimRef,
    before: pending,
    after: bound,
  });
  trace.add(400, { type: "write", actor: "user", verb: "delete", ref: volumeRef, before: volume });
  return trace;
}

suite("reading of a trace", () => {
  const reading = new Reading(bindingTrace(), "hash");

  test("the summary lists claims before volumes, with events and steps", () => {
    const { objects, events, steps, entryCount, endMs } = reading.summary;
    assert.deepEqual(
      objects.map(({ ref, name }) => [ref, name]),
      [
        [claimRef, "default/data"],
        [volumeRef, "disk"],
      ],
    );
    assert.deepEqual([events.length, steps.length, entryCount, endMs], [1, 1, 6, 400]);
  });

  test("each moment has the states of that time", () => {
    const phases = (seq: number): readonly (string | undefined)[] =>
      statesAt(reading, seq).map((state) => state.status?.phase);
    assert.deepEqual(phases(0), [undefined, undefined]);
    assert.deepEqual(phases(2), ["Pending", undefined]);
    assert.deepEqual(phases(3), ["Pending", "Available"]);
    assert.deepEqual(phases(4), ["Bound", "Available"]);
    assert.deepEqual(phases(5), ["Bound", undefined]);
  });

  test("a bound claim leads to its volume", () => {
    const { status } = statesAt(reading, 4)[0] ?? {};
    assert.deepEqual([status?.target, status?.targetRef], ["disk", volumeRef]);
  });

  test("a moment has only the requested objects", () => {
    const { rows } = reading.moment({ seq: 4, selected: undefined, rows: [1, 7] });
    assert.deepEqual([...rows.keys()], [1]);
  });

  test("the selected object's history ends at the moment", () => {
    const history = (seq: number): readonly string[] =>
      (lookAt(reading, seq, claimRef).selected?.history ?? []).map(({ text }) => text);
    assert.deepEqual(history(1), ["created it"]);
    assert.deepEqual(history(5), [
      "created it",
      "FailedBinding: no persistent volumes available",
      "updated it: volumeName disk, phase Pending → Bound",
    ]);
  });

  test("warnings are marked in the history", () => {
    const trace = bindingTrace();
    trace.add(500, {
      type: "event",
      actor: "persistentvolume-binder",
      about: claimRef,
      source: "persistentvolume-controller",
      eventType: "Warning",
      reason: "ClaimLost",
      message: "Bound claim has lost its PersistentVolume",
      count: 1,
    });
    const { history = [] } = lookAt(new Reading(trace, "hash"), 6, claimRef).selected ?? {};
    const warnings = history.filter(({ warning }) => warning).map(({ text }) => text);
    assert.deepEqual(warnings, ["ClaimLost: Bound claim has lost its PersistentVolume"]);
  });

  test("a run that reached a limit says so", () => {
    const trace = bindingTrace();
    assert.equal(new Reading(trace, "hash").summary.limit, undefined);
    const message = "it has kept more than there is memory for";
    trace.add(500, { type: "limit", actor: "user", limit: "traceBytesMax", message });
    assert.equal(new Reading(trace, "hash").summary.limit, message);
  });

  test("the selected object is judged at the moment", () => {
    const isPendingAt = (seq: number): boolean | undefined =>
      lookAt(reading, seq, claimRef).selected?.verdict?.headline.startsWith("stays Pending");
    assert.deepEqual([0, 2, 4].map(isPendingAt), [undefined, true, false]);
  });

  test("an object that does not exist yet has the moment of its creation", () => {
    const comes = (seq: number) => lookAt(reading, seq, volumeRef).selected?.comes;
    assert.deepEqual([0, 2, 3, 5].map(comes), [
      { seq: 3, at: 200 },
      { seq: 3, at: 200 },
      undefined,
      undefined,
    ]);
  });

  test("an object that the trace does not know cannot be selected", () => {
    assert.equal(lookAt(reading, 5, "Pod/default/other").selected, undefined);
  });

  test("events are attributed to their source, everything else to the component that does it", () => {
    const history = lookAt(reading, 5, claimRef).selected?.history ?? [];
    assert.deepEqual(
      history.map(({ actor }) => actor),
      ["user", "persistentvolume-controller", "persistentvolume-binder"],
    );
    assert.equal(lookAt(reading, 2, undefined).actor, "persistentvolume-controller");
  });

  test("a moment says who did what", () => {
    const { at, actor, text } = lookAt(reading, 5, undefined);
    assert.deepEqual([at, actor, text], [400, "user", "removed PersistentVolume disk"]);
  });
});

/** A claim and a volume are imported; the claim is changed, then refused a change, as is a new pod. */
function importedTrace(): Trace {
  const trace = new Trace();
  const bound = claim("Bound", "disk");
  trace.add(0, { type: "write", actor: "cluster", verb: "create", ref: volumeRef, after: volume });
  trace.add(0, { type: "write", actor: "cluster", verb: "create", ref: claimRef, after: bound });
  trace.add(3, { type: "step", actor: "user", step: 0, text: "Apply 2 objects" });
  trace.add(4, {
    type: "request",
    actor: "user",
    step: 0,
    verb: "patch",
    ref: claimRef,
    status: 200,
  });
  trace.add(5, {
    type: "request",
    actor: "user",
    step: 0,
    verb: "patch",
    ref: claimRef,
    status: 422,
    message: "spec is immutable",
  });
  trace.add(6, {
    type: "request",
    actor: "user",
    step: 0,
    verb: "create",
    ref: "Pod/default/web",
    status: 404,
    message: "no namespace",
  });
  return trace;
}

suite("reading of a trace that begins with an imported cluster", () => {
  const reading = new Reading(importedTrace(), "hash");
  const { summary } = reading;

  test("the first moment is the one when all imported objects exist", () => {
    assert.equal(summary.firstSeq, 1);
    const { text } = lookAt(reading, summary.firstSeq, claimRef);
    assert.equal(text, "is as it was imported");
    assert.deepEqual(
      statesAt(reading, summary.firstSeq).map(({ status }) => status?.phase),
      ["Bound", "Available", undefined],
    );
  });

  test("imported objects are marked, and those that the run does not change", () =>
    assert.deepEqual(
      summary.objects.map(({ ref, isImported, isTouched }) => [ref, isImported, isTouched]),
      [
        [claimRef, true, true],
        [volumeRef, true, false],
        ["Pod/default/web", false, true],
      ],
    ));

  test("a refused change is shown until a later one is accepted, and its object is selected first", () => {
    const refused = (seq: number): readonly boolean[] =>
      statesAt(reading, seq).map(({ isRefused }) => isRefused);
    assert.deepEqual(refused(3), [false, false, false]);
    assert.deepEqual(refused(5), [true, false, true]);
    const { selected } = lookAt(reading, 5, claimRef);
    assert.deepEqual(selected?.refusal, { seq: 4, at: 5, message: "422 spec is immutable" });
    assert.equal(summary.worst, claimRef);
  });

  test("an object that was refused at its creation is listed", () =>
    assert.equal(
      lookAt(reading, 5, "Pod/default/web").selected?.refusal?.message,
      "404 no namespace",
    ));

  test("the history begins with the imported object", () =>
    assert.equal(
      lookAt(reading, 5, claimRef).selected?.history[0]?.text,
      "had it when the run began",
    ));
});

suite("workloads and snapshots in a reading", () => {
  const made = (kind: string, name: string, more: object = {}): [Ref, KubeObject] => {
    const metadata = { ...volume.metadata, name, namespace: "default", uid: name, ...more };
    const template = { metadata: {}, spec: { containers: [] } };
    const spec = { replicas: 1, template, source: {}, containers: [] };
    const object = { apiVersion: "v1", kind, metadata, spec } as unknown as KubeObject;
    return [`${kind}/default/${name}`, object];
  };
  const controlledBy = (kind: string, name: string): object => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid: name, controller: true }],
  });
  const read = (...objects: readonly [Ref, KubeObject][]): Reading => {
    const trace = new Trace();
    for (const [ref, after] of objects)
      trace.add(0, { type: "write", actor: "user", verb: "create", ref, after });
    return new Reading(trace, "hash");
  };

  test("snapshots are listed after volumes, workloads after pods", () => {
    const { summary } = read(
      made("CronJob", "backup"),
      made("VolumeSnapshot", "snap"),
      made("Deployment", "web"),
      made("Pod", "web-0"),
      [volumeRef, volume],
    );
    assert.deepEqual(
      summary.objects.map(({ kind }) => kind),
      ["PersistentVolume", "VolumeSnapshot", "Pod", "Deployment", "CronJob"],
    );
  });

  test("a ReplicaSet has a row unless a Deployment owns it", () => {
    const { summary } = read(
      made("ReplicaSet", "web-1", controlledBy("Deployment", "web")),
      made("ReplicaSet", "old"),
    );
    assert.deepEqual(
      summary.objects.map(({ name }) => name),
      ["default/old"],
    );
  });

  test("of equally bad objects the first row is selected, not the workload that waits for it", () => {
    const actor = "persistentvolume-binder";
    const trace = new Trace();
    const objects = [made("Deployment", "web"), [claimRef, claim("Pending")]] as const;
    for (const [ref, after] of objects)
      trace.add(0, { type: "write", actor: "user", verb: "create", ref, after });
    for (const [about] of objects) {
      const reason = about === claimRef ? "ProvisioningFailed" : "FailedCreate";
      const event = { type: "event", source: actor, eventType: "Warning", message: "no" } as const;
      trace.add(20_000, { ...event, actor, about, reason, count: 1 });
    }
    assert.equal(new Reading(trace, "hash").summary.worst, claimRef);
  });
});

suite("what can be changed and deleted on the page", () => {
  test("is what exists at the end of the run, including ReplicationControllers", () => {
    const trace = bindingTrace();
    const controller = { ...volume, kind: "ReplicationController", spec: { replicas: 1 } };
    const ref = "ReplicationController/default/web";
    const after = controller as unknown as KubeObject;
    trace.add(900, { type: "write", actor: "user", verb: "create", ref, after });
    assert.deepEqual(new Reading(trace, "hash").summary.targets, [claimRef, ref]);
  });
});

suite("what the last step has made worse", () => {
  const actor = "persistentvolume-binder";
  const other = "PersistentVolumeClaim/default/other";
  /** One claim fails from the start and goes on failing; the other loses its volume. */
  const trace = new Trace();
  const bound = {
    ...claim("Bound", "disk"),
    status: { phase: "Bound", capacity: { storage: "1Gi" } },
  } as KubeObject;
  const claimRefOf = {
    kind: "PersistentVolumeClaim",
    namespace: "default",
    name: "data",
    uid: "1",
  };
  const taken = {
    ...volume,
    spec: { ...volume.spec, claimRef: claimRefOf },
    status: { phase: "Bound" },
  } as KubeObject;
  const failing = { ...claim("Pending"), metadata: { ...bound.metadata, name: "other", uid: "9" } };
  const warn = (about: Ref, at: number, count: number): void => {
    trace.add(at, {
      type: "event",
      actor,
      about,
      source: actor,
      eventType: "Warning",
      reason: "ProvisioningFailed",
      message: "no",
      count,
    });
  };
  const create = (ref: Ref, after: KubeObject): void => {
    trace.add(0, { type: "write", actor: "user", verb: "create", ref, after });
  };
  trace.add(0, { type: "step", actor: "user", step: 0, text: "Apply 3 objects" });
  create(claimRef, bound);
  create(volumeRef, taken);
  create(other, failing as KubeObject);
  warn(other, 20_000, 1);
  trace.add(30_000, { type: "step", actor: "user", step: 1, text: "Delete the volume" });
  trace.add(30_000, {
    type: "write",
    actor: "user",
    verb: "delete",
    ref: volumeRef,
    before: taken,
  });
  trace.add(30_100, {
    type: "write",
    actor,
    verb: "update",
    ref: claimRef,
    before: bound,
    after: claim("Lost", "disk"),
  });
  warn(other, 40_000, 2);

  test("does not include what was bad before, even if that is worse", () => {
    const { worst, worsened } = new Reading(trace, "hash", 1).summary;
    assert.deepEqual([worst, worsened], [other, claimRef]);
  });

  test("is nothing without a step", () => {
    assert.equal(new Reading(trace, "hash").summary.worsened, undefined);
  });

  test("is first of all an object that the API server has refused in that step", () => {
    const again = new Trace();
    for (const entry of trace.entries) again.add(entry.at, entry);
    const request = { type: "request", actor: "user", verb: "patch", ref: other } as const;
    again.add(50_000, { ...request, step: 1, status: 422, message: "no" });
    assert.equal(new Reading(again, "hash", 1).summary.worsened, other);
    again.add(60_000, { type: "step", actor: "user", step: 2, text: "Let 1 s pass" });
    assert.equal(new Reading(again, "hash", 2).summary.worsened, undefined);
  });
});
