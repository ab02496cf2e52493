/**
 * Runs a small cluster with one driver, `d.csi`, and returns what happened as lines: events, CSI calls, writes. For cases that
 * are about the order of events; see check.ts for cases only about the end.
 */
import { parseAllDocuments } from "yaml";
import type { Kind, KubeObject } from "../../src/engine/api/meta.ts";
import { type DriverProfile, driverProfile } from "../../src/engine/csi/driver-profile.ts";
import type {
  DriverFault,
  Manifest,
  NodeProfile,
  PathProvisioner,
  Scenario,
  Step,
} from "../../src/engine/scenario.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import { filledIn } from "./check.ts";
import { dedent } from "./markers.ts";
import { withoutUids } from "./object-state.ts";
import { addStep, begin, exhaust, type OtherEnd, type Recipe, type Setting } from "./replay.ts";

export interface RunOptions {
  readonly driver?: Partial<DriverProfile>;
  readonly nodes?: readonly NodeProfile[];
  readonly pathProvisioners?: readonly PathProvisioner[];
  readonly version?: Scenario["version"];
  readonly disturb?: Setting["disturb"];
}

export const oneNode: readonly NodeProfile[] = [{ name: "n1", zone: "a" }];
export const twoNodes: readonly NodeProfile[] = [
  { name: "n1", zone: "a" },
  { name: "n2", zone: "a" },
];
export const threeZones: readonly NodeProfile[] = [
  { name: "n1", zone: "a" },
  { name: "n2", zone: "b" },
  { name: "n3", zone: "c" },
];

/** The class that most cases use. */
export const fast = `
  kind: StorageClass
  metadata: { name: fast }
  provisioner: d.csi
  allowVolumeExpansion: true
`;

/** A claim of that class; below it a pod that mounts it. */
export const claim = `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: fast }
`;
export const pod = `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

export function manifests(text: string): readonly Manifest[] {
  return dedent(text)
    .split(/^---$/m)
    .flatMap((part) => {
      const parsed = parseAllDocuments(part)[0]?.toJS() as Manifest | null | undefined;
      return parsed === null || parsed === undefined ? [] : [filledIn(parsed)];
    });
}

const fastClass = manifests(fast);

export class StorageRun {
  readonly simulation: Simulation;
  readonly #recipe: Recipe | undefined;
  #from = 0;

  constructor(options: RunOptions = {}) {
    const driver = driverProfile({
      singleNodeMultiWriter: false,
      ...options.driver,
      name: "d.csi",
    });
    const setting: Setting = {
      version: options.version ?? "1.36",
      seed: 1,
      cluster: {
        name: "test",
        nodes: options.nodes ?? oneNode,
        drivers: [driver],
        ...(options.pathProvisioners !== undefined && {
          pathProvisioners: options.pathProvisioners,
        }),
        manifests: fastClass,
      },
      ...(options.disturb !== undefined && { disturb: options.disturb }),
    };
    const { simulation, recipe } = begin(setting);
    this.simulation = simulation;
    this.#recipe = recipe;
    this.mark();
  }

  /** Makes later queries leave out everything before now. */
  mark(): this {
    this.#from = this.simulation.trace.entries.length;
    return this;
  }

  step(step: Step): this {
    const { store } = this.simulation.runtime.api;
    addStep(this.#recipe, step, store.all());
    exhaust(this.simulation.step(step));
    return this;
  }

  /** Allows another end that a fault may lead to: the lines that differ, and why upstream allows it. */
  mayEndOtherwise(because: string, lines: OtherEnd["lines"]): this {
    this.#recipe?.otherEnds.push({ because, lines });
    return this;
  }

  apply(text: string): this {
    return this.step({ type: "apply", manifests: manifests(text) });
  }

  advance(seconds: number): this {
    return this.step({ type: "advance", ms: seconds * 1000 });
  }

  settle(): this {
    return this.step({ type: "settle" });
  }

  fault(call: string, fault: Partial<DriverFault>): this {
    return this.step({ type: "fault", fault: { driver: "d.csi", call, ...fault } });
  }

  delete(kind: Kind, name: string, more: { grace?: number; namespace?: string } = {}): this {
    return this.step({ type: "delete", objects: [{ kind, name, ...more }] });
  }

  patch(kind: Kind, name: string, patch: NonNullable<unknown>): this {
    return this.step({
      type: "patch",
      object: { kind, name },
      patch: patch as Extract<Step, { type: "patch" }>["patch"],
    });
  }

  get<K extends Kind>(kind: K, name: string, namespace = "default"): KubeObject<K> | undefined {
    const { store } = this.simulation.runtime.api;
    return store.get(kind, namespace, name) ?? store.get(kind, undefined, name);
  }

  list<K extends Kind>(kind: K): readonly KubeObject<K>[] {
    return this.simulation.runtime.api.store.list(kind);
  }

  /** `TYPE REASON MESSAGE` of the events about an object, each once, in the order of their first occurrences. */
  events(about: string): readonly string[] {
    const lines = this.simulation.trace.entries
      .slice(this.#from)
      .flatMap((e) =>
        e.type === "event" && e.about === about ? [`${e.eventType} ${e.reason} ${e.message}`] : [],
      );
    return this.#named([...new Set(lines)]);
  }

  /** The API server's message if it refused the user's last request; else "". */
  get refusal(): string {
    const last = this.simulation.trace.entries.findLast((e) => e.type === "request");
    return last?.type === "request" && last.status >= 300 ? (last.message ?? "") : "";
  }

  /** How often an event with that reason was emitted. */
  eventCount(about: string, reason: string): number {
    return this.simulation.trace.entries
      .slice(this.#from)
      .filter((e) => e.type === "event" && e.about === about && e.reason === reason).length;
  }

  /** When each call of this name began, in seconds since `mark`. */
  callTimes(call: string): readonly number[] {
    const { entries } = this.simulation.trace;
    const start = entries[this.#from]?.at ?? 0;
    return entries
      .slice(this.#from)
      .flatMap((e) =>
        e.type === "call" && e.call === call ? [Math.round((e.at - start) / 1000)] : [],
      );
  }

  /** `CALL CODE` in the order in which the calls began, with the node in front for a node plugin's calls. */
  get calls(): readonly string[] {
    const codes = new Map<number, string>();
    const { entries } = this.simulation.trace;
    for (const e of entries) if (e.type === "answer") codes.set(e.id, e.code);
    return entries.slice(this.#from).flatMap((e) => {
      if (e.type !== "call" || e.call === "GetCapacity") return [];
      const where = e.node === "" ? "" : `${e.node} `;
      return [`${where}${e.call} ${codes.get(e.id) ?? "pending"}`];
    });
  }

  /** The requests of all calls of this name, as they were sent. */
  requests(call: string): readonly Readonly<Record<string, unknown>>[] {
    return this.simulation.trace.entries
      .slice(this.#from)
      .flatMap((e) => (e.type === "call" && e.call === call ? [e.request] : []));
  }

  /** `VERB REF SUBRESOURCE` of each write of one component. */
  writes(actor: string): readonly string[] {
    const lines = this.simulation.trace.entries
      .slice(this.#from)
      .flatMap((e) =>
        e.type === "write" && e.actor === actor
          ? [[e.verb, e.ref, e.subresource ?? ""].join(" ").trim()]
          : [],
      );
    return this.#named(lines);
  }

  #named(lines: readonly string[]): readonly string[] {
    const objects = [...this.simulation.runtime.api.store.all()];
    return lines.map((line) => withoutUids(line, objects));
  }
}
