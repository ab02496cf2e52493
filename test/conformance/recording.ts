/** The recording format, and the engine's own recordings in it. */
import type { Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { AnswerEntry, TraceEntry } from "../../src/engine/trace/entry.ts";
import { type Named, Names, normaliseObject, sortKeys } from "./normalise.ts";

export interface RecordedRequest {
  readonly verb: string;
  readonly ref: string;
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
}
export interface RecordedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
export interface RecordedEvent {
  readonly about: string;
  readonly source: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly many: boolean;
}
export interface CsiCall {
  readonly driver: string;
  readonly node: string;
  readonly call: string;
  readonly code: string | null;
  readonly message?: string;
  readonly request?: Readonly<Record<string, unknown>>;
}
export interface Checkpoint {
  readonly step: number;
  readonly requests: readonly RecordedRequest[];
  readonly objects: readonly RecordedObject[];
  readonly events: readonly RecordedEvent[];
  readonly csi: readonly CsiCall[];
  readonly unsettled?: boolean;
}
export interface Recording {
  readonly scenario: string;
  readonly kubernetes: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly alternatives?: readonly (readonly Checkpoint[])[];
}

const recordedKinds = new Set(
  "PersistentVolume PersistentVolumeClaim StorageClass VolumeAttributesClass VolumeAttachment CSINode CSIStorageCapacity VolumeSnapshot VolumeSnapshotContent VolumeSnapshotClass Pod StatefulSet Deployment ReplicaSet DaemonSet Job CronJob ResourceQuota LimitRange PodDisruptionBudget ReferenceGrant Node".split(
    " ",
  ),
);
/** Calls that change nothing, which the recordings leave out. */
const infoCalls = new Set(
  "GetCapacity ListSnapshots NodeGetCapabilities NodeGetInfo NodeGetVolumeStats".split(" "),
);
const lostRaces =
  /object has been modified; please apply your changes|no relationship found between node/;

/** Runs a scenario and records it as real Kubernetes was recorded: with a checkpoint at the end of each settle. */
export function record(
  id: string,
  scenario: Scenario,
): { readonly recording: Recording; readonly simulation: Simulation } {
  const simulation = new Simulation({ ...scenario, client: "recorder" });
  finish(simulation.boot());
  const recorder = new Recorder(simulation);
  const checkpoints: Checkpoint[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    if (simulation.stopped) break;
    finish(simulation.step(step));
    if (step.type === "settle") checkpoints.push(recorder.checkpoint(index));
  }
  return {
    recording: { scenario: id, kubernetes: `v${scenario.version}`, checkpoints },
    simulation,
  };
}

function driverNames(node: RecordedObject): string {
  const { spec } = node as { readonly spec?: { readonly drivers?: readonly Named["metadata"][] } };
  return (spec?.drivers ?? []).map((driver) => driver.name).join(" ");
}

function finish(slices: Generator<void>): void {
  while (slices.next().done !== true);
}

class Recorder {
  readonly #simulation: Simulation;
  readonly #names = new Names();
  readonly #baseline = new Map<string, string>();
  readonly #seenEvents = new Set<string>();
  readonly #seen = new Map<string, Named>();
  /** Entries before this one are in an earlier checkpoint. */
  #from: number;
  readonly #bootEnd: number;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#bootEnd = simulation.trace.entries.length;
    this.#from = this.#bootEnd;
    this.#learn(0);
    for (const object of this.#objects())
      this.#baseline.set(this.#key(object), JSON.stringify(object));
  }

  checkpoint(step: number): Checkpoint {
    this.#learn(this.#from);
    const entries = this.#simulation.trace.entries.slice(this.#from);
    this.#from = this.#simulation.trace.entries.length;
    return {
      step,
      requests: entries.flatMap((e) => (e.type === "request" ? [this.#request(e)] : [])),
      objects: this.#objects().filter((o) => !this.#isLeftOut(o)),
      events: this.#events(entries),
      csi: entries.flatMap((e) =>
        e.type === "call" && !infoCalls.has(e.call) ? [this.#call(e)] : [],
      ),
    };
  }

  /**
   * Whether a checkpoint leaves out an object that existed at first: classes always, a CSINode as long as it has the same
   * drivers, and other objects as long as they are unchanged.
   */
  #isLeftOut(object: RecordedObject): boolean {
    const first = this.#baseline.get(this.#key(object));
    if (first === undefined || object.kind.endsWith("Class")) return first !== undefined;
    if (object.kind === "CSINode")
      return driverNames(object) === driverNames(JSON.parse(first) as RecordedObject);
    return first === JSON.stringify(object);
  }

  #key(o: RecordedObject): string {
    return `${o.kind}/${o.metadata.namespace ?? ""}/${o.metadata.name}`;
  }

  #learn(from: number): void {
    const { entries } = this.#simulation.trace;
    for (let i = from; i < entries.length; i++) {
      const entry = entries[i];
      if (entry?.type === "write" && entry.after !== undefined)
        this.#seen.set(entry.after.metadata.uid, entry.after);
    }
    this.#names.learn([...this.#seen.values()]);
  }

  #objects(): RecordedObject[] {
    const objects: RecordedObject[] = [];
    for (const object of this.#simulation.runtime.api.store.all()) {
      if (!recordedKinds.has(object.kind) || (object.metadata.namespace ?? "").startsWith("kube-"))
        continue;
      objects.push(normaliseObject(object, this.#names) as unknown as RecordedObject);
    }
    const key = (o: RecordedObject): string =>
      `${o.kind}\n${o.metadata.namespace ?? ""}\n${o.metadata.name}`;
    return objects.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  #request(e: Extract<TraceEntry, { type: "request" }>): RecordedRequest {
    const { verb, ref, status, reason, message, causes, warnings } = e;
    return this.#names.deep({
      verb,
      ref,
      status,
      ...(reason && { reason }),
      ...(message && { message }),
      ...(causes && { causes }),
      ...(warnings && { warnings }),
    }) as RecordedRequest;
  }

  #events(entries: readonly TraceEntry[]): RecordedEvent[] {
    const events = new Map<string, RecordedEvent>();
    for (const e of entries) {
      if (
        e.type !== "event" ||
        e.about.startsWith("Node/") ||
        /^(Pulling|Pulled|MissingClusterDNS)$/.test(e.reason) ||
        lostRaces.test(e.message)
      )
        continue;
      const event = {
        about: this.#names.text(e.about),
        source: e.source,
        type: e.eventType,
        reason: e.reason,
        message: this.#names.text(e.message),
        many: e.count > 1,
      };
      const key = `${event.about}\n${event.source}\n${event.type}\n${event.reason}\n${event.message}`;
      if (!this.#seenEvents.has(key) || events.has(key))
        events.set(key, { ...event, many: event.many || (events.get(key)?.many ?? false) });
      this.#seenEvents.add(key);
    }
    return [...events.values()];
  }

  #call(e: Extract<TraceEntry, { type: "call" }>): CsiCall {
    const { entries } = this.#simulation.trace;
    const answer = entries
      .slice(e.seq)
      .find((a): a is AnswerEntry => a.type === "answer" && a.id === e.id);
    const { secrets: _, ...request } = e.request as Record<string, unknown>;
    return this.#names.deep({
      driver: e.driver,
      node: e.node,
      call: e.call,
      code: answer?.code ?? null,
      ...(answer !== undefined && answer.message !== "" && { message: answer.message }),
      request: sortKeys(request),
    }) as CsiCall;
  }
}
