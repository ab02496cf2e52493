/** The objects of a run: those whose outcome is listed, and those that steps can act on. */
import { compareText } from "../../engine/api/go/text-order.ts";
import {
  type KubeObject,
  kindOfRef,
  nameOfRef,
  namespaceOfRef,
  type Ref,
} from "../../engine/api/meta.ts";
import {
  isOfDeployment,
  isOutcomeKind,
  listedName,
  type OutcomeKind,
  outcomeKinds,
} from "../../engine/explain/outcome-kinds.ts";
import { isTakeOver, touchedObjects } from "../../engine/explain/touched-objects.ts";
import type { Trace } from "../../engine/trace/trace.ts";

export interface OutcomeObject {
  readonly ref: Ref;
  readonly kind: OutcomeKind;
  /** With its namespace; for an attachment, the name of its volume. */
  readonly name: string;
  /** True if it existed before the run began. */
  readonly isImported: boolean;
  /** True if the run wrote it, recorded an event about it, or sent a request for it. */
  readonly isTouched: boolean;
}

/** The objects that exist at some time in the run, or that the API server refused, by kind and name. */
export function outcomeObjects(trace: Trace): readonly OutcomeObject[] {
  const touched = touchedObjects(trace);
  const objects = new Map<Ref, OutcomeObject>();
  const add = (ref: Ref, object: KubeObject | undefined, isImported: boolean): void => {
    const kind = kindOfRef(ref);
    if (!isOutcomeKind(kind) || objects.has(ref)) return;
    const namespace = namespaceOfRef(ref);
    const label = listedName(ref, object);
    const name = namespace === "" ? label : `${namespace}/${label}`;
    objects.set(ref, { ref, kind, name, isImported, isTouched: touched.has(ref) });
  };
  for (const entry of trace.entries) {
    if (entry.type === "write" && entry.after !== undefined) {
      if (!isOfDeployment(entry.after)) add(entry.ref, entry.after, isTakeOver(entry));
    } else if (entry.type === "request" && entry.status >= 400 && nameOfRef(entry.ref) !== "") {
      add(entry.ref, undefined, false);
    }
  }
  const rank = ({ kind }: OutcomeObject): number => outcomeKinds.indexOf(kind);
  return [...objects.values()].sort((a, b) => rank(a) - rank(b) || compareText(a.name, b.name));
}

/** Kinds that people change or delete to see the effect on storage. */
const targetKinds: readonly string[] = [
  ...outcomeKinds,
  "VolumeSnapshotContent",
  "StorageClass",
  "CSIDriver",
  "Node",
  "Namespace",
];
/** The most objects that the form offers; a longer list would be unusable. */
const targetCountMax = 2000;

/** The objects that exist at the end of the run and can be changed or deleted. */
export function targetsOf(trace: Trace): readonly Ref[] {
  const rank = (ref: Ref): number => targetKinds.indexOf(kindOfRef(ref));
  return [...trace.stateAt(trace.entries.length - 1)]
    .map(([ref]) => ref)
    .filter((ref) => rank(ref) >= 0)
    .sort((a, b) => rank(a) - rank(b) || compareText(a, b))
    .slice(0, targetCountMax);
}
