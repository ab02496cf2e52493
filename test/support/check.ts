/**
 * Checks a fixture: manifests with `#=>` marks that give each object's state at rest. The case runs once without faults, then
 * again with a crash after each write, with a conflict at each write and with late watches; the end must always be the same.
 *
 *     check(`
 *       kind: PersistentVolume
 *       metadata: { name: small }       #=> Bound default/data
 *       ---
 *       kind: PersistentVolumeClaim
 *       metadata: { name: data }        #=> Bound small
 *       spec: { storageClassName: "" }
 *     `).writes(`persistentvolume-binder update PersistentVolume//small`);
 *
 * Manifests may leave out required fields that the case is not about: see `filledIn`.
 */
import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import {
  isNamespaced,
  type Kind,
  kindSchema,
  makeRef,
  type Ref,
} from "../../src/engine/api/meta.ts";
import type {
  ClusterProfile,
  KubernetesVersion,
  Manifest,
  Step,
} from "../../src/engine/scenario.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import type { Fault } from "./fault.ts";
import { dedent } from "./markers.ts";
import { objectState, withoutUids } from "./object-state.ts";
import { type Replayed, replay } from "./replay.ts";

export interface CheckOptions {
  readonly version?: KubernetesVersion;
  readonly cluster?: Partial<ClusterProfile>;
  /** Steps after the fixture has come to rest; the marks are checked after them. */
  readonly steps?: readonly Step[];
  /** Other ends that a fault may lead to, each with its reason. */
  readonly otherEnds?: readonly { readonly end: string; readonly because: string }[];
}

export interface Checked {
  readonly simulation: Simulation;
  /** The writes of components in order, one per line: actor, verb, object, and the sub-resource if any. */
  writes(expected: string): Checked;
  /** The events in order, without repetition: object, type, reason, message. */
  events(expected: string): Checked;
  /** The last decision about an object: its reason, then a line for each candidate with the rules that it failed. */
  decision(about: Ref, expected: string): Checked;
}

export function check(fixture: string, options: CheckOptions = {}): Checked {
  const { manifests, marks } = readMarkedManifests(fixture);
  const plain = run(manifests, options);
  const end = endOf(plain.simulation, marks.keys());
  assert.equal(end, [...marks].map(([ref, state]) => `${ref} ${state}`).join("\n"));
  const allowed = [end, ...(options.otherEnds ?? []).map((other) => dedent(other.end).trim())];
  for (const fault of plain.faults) {
    const { simulation } = run(manifests, options, fault);
    const found = endOf(simulation, marks.keys());
    if (!allowed.includes(found)) assert.equal(found, end, JSON.stringify(fault));
  }
  return checked(plain.simulation);
}

/** Runs the case; returns the simulation and the faults to try, at writes after the cluster had booted. */
function run(manifests: readonly Manifest[], options: CheckOptions, fault?: Fault): Replayed {
  const setting = {
    version: options.version ?? "1.36",
    seed: 1,
    cluster: { name: "test", nodes: [], drivers: [], manifests: [], ...options.cluster },
  } as const;
  // With late watches a component may already have begun to wait, such as a kubelet for a claim that it still sees unbound.
  const settle: Step =
    fault?.lateWatches === undefined ? { type: "settle" } : { type: "settle", quietMs: 30_000 };
  const steps: Step[] = [{ type: "apply", manifests }, settle, ...(options.steps ?? [])];
  const replayed = replay({ setting, steps }, fault);
  for (const entry of replayed.simulation.trace.entries) {
    if (entry.type === "request") assert.ok(entry.status < 300, `${entry.ref}: ${entry.message}`);
  }
  return replayed;
}

function endOf(simulation: Simulation, refs: Iterable<Ref>): string {
  const { store } = simulation.runtime.api;
  const lines = [...refs].map((ref) => {
    const [kind = "", namespace = "", name = ""] = ref.split("/");
    return `${ref} ${objectState(store.get(kind as Kind, namespace, name))}`;
  });
  return withoutUids(lines.join("\n"), store.all());
}

function checked(simulation: Simulation): Checked {
  const { entries } = simulation.trace;
  const objects = [...simulation.runtime.api.store.all()];
  const compare = (lines: readonly string[], expected: string): Checked => {
    assert.equal(withoutUids(lines.join("\n"), objects), dedent(expected).trim());
    return self;
  };
  const self: Checked = {
    simulation,
    writes: (expected) =>
      compare(
        entries.flatMap((e) =>
          e.type === "write" && e.actor !== "user" && e.actor !== "profile"
            ? [[e.actor, e.verb, e.ref, e.subresource ?? ""].join(" ").trim()]
            : [],
        ),
        expected,
      ),
    events: (expected) =>
      compare(
        entries.flatMap((e) =>
          e.type === "event" && e.count === 1
            ? [`${e.about} ${e.eventType} ${e.reason} ${e.message}`]
            : [],
        ),
        expected,
      ),
    decision: (about, expected) => {
      const last = entries.findLast((e) => e.type === "decision" && e.about === about);
      assert.ok(last?.type === "decision", `no decision about ${about}`);
      const { reason, chosen, candidates = [] } = last.decision;
      const lines = candidates.map(({ ref, failed }) =>
        [ref, ...failed.map((f) => `${f.rule}: ${f.wanted} / ${f.found}`)].join("; "),
      );
      return compare([[reason, chosen ?? ""].join(" ").trim(), ...lines], expected);
    },
  };
  return self;
}

/** The manifests, and the marks by object. */
export function readMarkedManifests(fixture: string): {
  readonly manifests: readonly Manifest[];
  readonly marks: ReadonlyMap<Ref, string>;
} {
  const manifests: Manifest[] = [];
  const marks = new Map<Ref, string>();
  for (const text of dedent(fixture).split(/^---$/m)) {
    const parsed = parseAllDocuments(text)[0]?.toJS() as Manifest | null | undefined;
    if (parsed === null || parsed === undefined) continue;
    const manifest = filledIn(parsed);
    manifests.push(manifest);
    const mark = /#=> *(.*?) *$/m.exec(text)?.[1];
    if (mark !== undefined) marks.set(refOfManifest(manifest), mark);
  }
  return { manifests, marks };
}

function refOfManifest(manifest: Manifest): Ref {
  const kind = manifest["kind"] as Kind;
  const { name = "", namespace = "default" } = manifest["metadata"] as {
    name?: string;
    namespace?: string;
  };
  return makeRef(kind, isNamespaced(kind) ? namespace : undefined, name);
}

type Fields = Readonly<Record<string, unknown>>;

/** Adds apiVersion, and the fields of a spec that the API server requires: access mode, size, volume source, container. */
export function filledIn(manifest: Manifest): Manifest {
  const kind = String(manifest["kind"]);
  const given = (manifest["spec"] ?? {}) as Fields;
  const spec = { ...specDefaults(kind, manifest, given), ...given };
  const { apiVersion } = kindSchema(kind) ?? { apiVersion: "v1" };
  return { apiVersion, ...manifest, ...(Object.keys(spec).length > 0 && { spec }) };
}

const sources = [
  "hostPath",
  "nfs",
  "csi",
  "local",
  "iscsi",
  "fc",
  "flexVolume",
  "gcePersistentDisk",
  "awsElasticBlockStore",
];

function specDefaults(kind: string, manifest: Manifest, given: Fields): Fields {
  const { name = "" } = manifest["metadata"] as { name?: string };
  const accessModes = ["ReadWriteOnce"];
  switch (kind) {
    case "PersistentVolume": {
      const source = sources.some((field) => field in given)
        ? {}
        : { hostPath: { path: `/srv/${name}` } };
      return { accessModes, capacity: { storage: "1Gi" }, ...source };
    }
    case "PersistentVolumeClaim":
      return { accessModes, resources: { requests: { storage: "1Gi" } } };
    case "Pod":
      return { containers: [{ name: "main", image: "app" }] };
    default:
      return {};
  }
}
