/**
 * What `kubectl describe` and `kubectl get` show of an object that is going, or that has lost its other half: of these there is
 * often no event. Upstream: kubectl v1.36 pkg/describe, kubernetes pkg/printers/internalversion.
 */
import type { Kind } from "../../engine/api/meta.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";
import type { PastedEvent } from "./pasted-event.ts";

/** What tells more, beside the status. */
const fieldsBeside: Partial<Record<Kind, readonly string[]>> = {
  PersistentVolumeClaim: ["Finalizers", "Used By"],
  PersistentVolume: ["Finalizers", "Claim", "Reclaim Policy"],
  Pod: ["Node"],
};

/** Of the head of a description: `Status: Terminating; Node: node-a`. Undefined where its state is no news. */
export function describedState(
  head: readonly string[],
  about: PastedEvent["about"],
): PastedEvent | undefined {
  const wanted = about === undefined ? undefined : fieldsBeside[about.kind];
  const [status = ""] = valuesOf(head, "Status")[0]?.split(" ") ?? [];
  if (about === undefined || wanted === undefined || status === "") return undefined;
  const all = wanted.map((name): readonly [string, string] => [
    name,
    valuesOf(head, name === "Used By" ? "(?:Used|Mounted) By" : name).join(", "),
  ]);
  // Of a Released volume its finalizers are no news.
  const fields = all.filter(([name]) => status === "Terminating" || name !== "Finalizers");
  const message = [["Status", status] as const, ...fields]
    .map(([name, value]) => `${name}: ${value.replace(/^(\S+)\/[\d.:]+$/, "$1")}`)
    .join("; ");
  return recognize(message) === undefined ? undefined : { message, about };
}

/** A field may go on in the lines below, which are indented. */
function valuesOf(head: readonly string[], name: string): readonly string[] {
  const label = new RegExp(`^${name}:`);
  const from = head.findIndex((line) => label.test(line));
  if (from < 0) return [];
  const first = (head[from] ?? "").replace(label, "").trim();
  const below = head.slice(from + 1);
  const end = below.findIndex((line) => !/^\s+\S/.test(line));
  return [first, ...below.slice(0, end < 0 ? below.length : end).map((line) => line.trim())];
}

/** A table by its head: of which kind its rows are. */
const heads: readonly (readonly [RegExp, Kind])[] = [
  [/\bSTATUS\s+VOLUME\s+CAPACITY\b/, "PersistentVolumeClaim"],
  [/\bRECLAIM ?POLICY\s+STATUS\s+CLAIM\b/, "PersistentVolume"],
  [/\bREADY\s+STATUS\s+RESTARTS\b/, "Pod"],
];

export function kindOfTable(line: string): Kind | undefined {
  return heads.find(([head]) => head.test(line))?.[1];
}

/** Undefined where the status is no news. */
export function knownState(
  about: NonNullable<PastedEvent["about"]>,
  status: string | undefined,
): PastedEvent | undefined {
  const message = `${about.kind.toLowerCase()} ${status}`;
  return status === undefined || recognize(message) === undefined ? undefined : { message, about };
}

/** Of a row of a table with that head. Undefined where its state is no news. */
export function listedState(head: string, kind: Kind, row: string): PastedEvent | undefined {
  const [, status] = /\s(Terminating|Released|Lost)\s/.exec(`${row} `) ?? [];
  const [first = "", second = ""] = row.trim().split(/\s+/);
  const isOfAll = head.trim().startsWith("NAMESPACE");
  const name = isOfAll ? second : first;
  return knownState({ kind, namespace: isOfAll ? first : "", name }, status);
}
