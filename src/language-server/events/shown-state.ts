/**
 * Bad states in the output of `kubectl describe` and `kubectl get`: an object that is being deleted, has lost its other half,
 * or is not ready. The first two have no events; those of the last may be gone, or not be printed.
 */
import type { Kind } from "../../engine/api/meta.ts";
import { recognize } from "../../engine/explain/messages/recognize.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

type About = NonNullable<PastedEvent["about"]>;

/** Fields that explain the status. */
const fieldsBeside: Partial<Record<Kind, readonly string[]>> = {
  PersistentVolumeClaim: ["Finalizers", "Used By"],
  PersistentVolume: ["Finalizers", "Claim", "Reclaim Policy"],
  Pod: ["Node"],
};

/** The state in a description's head: `Status: Terminating; Node: node-a`. Undefined if it is not worth mentioning. */
export function describedState(
  head: readonly string[],
  about: PastedEvent["about"],
): PastedEvent | undefined {
  if (about === undefined) return undefined;
  const wanted = fieldsBeside[about.kind];
  const status = firstWord(head, "Status");
  if (wanted === undefined || status === "") return knownState(about, describedStatus(head, about));
  const all = wanted.map((name): readonly [string, string] => [
    name,
    valuesOf(head, name === "Used By" ? "(?:Used|Mounted) By" : name).join(", "),
  ]);
  // Finalizers matter only for an object that is being deleted.
  const fields = all.filter(([name]) => status === "Terminating" || name !== "Finalizers");
  const message = [["Status", status] as const, ...fields]
    .map(([name, value]) => `${name}: ${value.replace(/^(\S+)\/[\d.:]+$/, "$1")}`)
    .join("; ");
  return recognize(message) === undefined
    ? knownState(about, describedStatus(head, about))
    : { message, about };
}

/** The status word that `kubectl get` would show, as far as a description reveals it. */
function describedStatus(head: readonly string[], { kind }: About): string | undefined {
  const status = firstWord(head, "Status");
  const has = (line: RegExp): boolean => head.some((one) => line.test(one));
  switch (kind) {
    case "Pod":
      return status === "Pending" && hasNode(head) ? "ContainerCreating" : status;
    case "PersistentVolume":
      return status === "Available" && firstWord(head, "Claim") !== "" ? "reserved" : status;
    case "VolumeSnapshot":
      return has(/^\s+Ready To Use:\s+true$/) || !has(/^Events:/) ? undefined : "not ready";
    case "VolumeAttachment":
      return has(/^\s+Attached:\s+false$/) ? "not attached" : undefined;
    case "Deployment":
      return ready(head, /^Replicas:\s+(\d+) desired .* (\d+) available /);
    case "ReplicaSet":
    case "StatefulSet":
      return podsRunning(head, /^Replicas:.* (\d+) desired/);
    case "DaemonSet":
      return podsRunning(head, /^Desired Number of Nodes Scheduled:\s+(\d+)/);
    case "Job":
      return ready(head, /^Pods Statuses:\s+(\d+) Active \((\d+) Ready\)/);
    default:
      return status;
  }
}

/** `1/3 ready`, from the wanted and the ready count; undefined if all are ready. */
function ready(head: readonly string[], line: RegExp): string | undefined {
  const [, wanted, there] = head.flatMap((one) => line.exec(one) ?? []);
  return notReady(wanted, there);
}

function notReady(wanted: string | undefined, there: string | undefined): string | undefined {
  return wanted === undefined || there === undefined || Number(there) >= Number(wanted)
    ? undefined
    : `${there}/${wanted} ready`;
}

function podsRunning(head: readonly string[], wanted: RegExp): string | undefined {
  const [, count] = head.flatMap((one) => wanted.exec(one) ?? []);
  const [, running] = head.flatMap((one) => /^Pods Status:\s+(\d+) Running/.exec(one) ?? []);
  return notReady(count, running);
}

/** For a pod's description. */
export function hasNode(head: readonly string[]): boolean {
  return !["", "<none>"].includes(firstWord(head, "Node"));
}

export function firstWord(head: readonly string[], field: string): string {
  return valuesOf(head, field)[0]?.split(" ")[0] ?? "";
}

/** The value of a field, and of the indented lines that continue it. */
function valuesOf(head: readonly string[], name: string): readonly string[] {
  const label = new RegExp(`^${name}:`);
  const from = head.findIndex((line) => label.test(line));
  if (from < 0) return [];
  const first = (head[from] ?? "").replace(label, "").trim();
  const below = head.slice(from + 1);
  const end = below.findIndex((line) => !/^\s+\S/.test(line));
  return [first, ...below.slice(0, end < 0 ? below.length : end).map((line) => line.trim())];
}

/** A table of `kubectl get`: the kind of its rows, and the bad state in one of them, if any. */
interface StateTable {
  readonly kind: Kind;
  readonly stateIn: (row: string) => string | undefined;
}

/** Makes the state from the matches in a row. */
type StateIn = (found: readonly (string | undefined)[]) => string | undefined;

/** A volume that is Available but has a claim is reserved for it, and not bound yet. */
function reserved([, status]: Parameters<StateIn>[0]): string {
  return status ?? "reserved";
}

/** Undefined if the row does not match. */
function inRow(state: RegExp, to: StateIn = ([, found]) => found): StateTable["stateIn"] {
  return (row) => {
    const found = state.exec(`${row} `);
    return found === null ? undefined : to(found);
  };
}

const counted = (wantedIn: number, thereIn: number): StateTable["stateIn"] =>
  inRow(/\s(\d+)(?:\/|\s+)(\d+)(?:\s+(\d+))?\s/, (found) =>
    notReady(found[wantedIn], found[thereIn]),
  );

/** By their headings. */
const tables: readonly (readonly [head: RegExp, StateTable])[] = [
  [
    /\bSTATUS\s+VOLUME\s+CAPACITY\b/,
    { kind: "PersistentVolumeClaim", stateIn: inRow(/\s(Terminating|Lost|Pending)\s/) },
  ],
  [
    /\bRECLAIM ?POLICY\s+STATUS\s+CLAIM\b/,
    {
      kind: "PersistentVolume",
      stateIn: inRow(/\s(?:(Terminating|Released|Failed)|Available\s+\S+\/\S+)\s/, reserved),
    },
  ],
  [/\bREADY\s+STATUS\s+RESTARTS\b/, { kind: "Pod", stateIn: inRow(/\s\d+\/\d+\s+(\S+)\s/) }],
  [
    /\bREADYTOUSE\s+SOURCEPVC\b/,
    { kind: "VolumeSnapshot", stateIn: (row) => (/\strue\s/.test(row) ? undefined : "not ready") },
  ],
  [
    /\bATTACHER\s+PV\s+NODE\s+ATTACHED\b/,
    { kind: "VolumeAttachment", stateIn: inRow(/\s(false)\s/, () => "not attached") },
  ],
  [/\bREADY\s+UP-TO-DATE\s+AVAILABLE\b/, { kind: "Deployment", stateIn: counted(2, 1) }],
  [/\bDESIRED\s+CURRENT\s+READY\s+UP-TO-DATE\b/, { kind: "DaemonSet", stateIn: counted(1, 3) }],
  [/\bDESIRED\s+CURRENT\s+READY\s+AGE\b/, { kind: "ReplicaSet", stateIn: counted(1, 3) }],
  [/\bNAME\s+READY\s+AGE\b/, { kind: "StatefulSet", stateIn: counted(2, 1) }],
];

/** Returns a reader of consecutive lines, which returns the bad state in a line, if any. */
export function tableReader(): (line: string) => PastedEvent | undefined {
  let head = "";
  let table: StateTable | undefined;
  return (line) => {
    const begun = tables.find(([one]) => one.test(line))?.[1];
    // A table of another kind ends the one above it, even if its rows are not read.
    if (begun !== undefined || /^\s*(?:NAMESPACE\s+)?NAME\s+[A-Z]/.test(line))
      [head, table] = [line, begun];
    return table === undefined ? undefined : listedState(head, table, line);
  };
}

/** Undefined if the status is not worth mentioning. */
export function knownState(about: About, status: string | undefined): PastedEvent | undefined {
  const message = `${about.kind.toLowerCase()} ${status}`;
  return status === undefined || recognize(message) === undefined ? undefined : { message, about };
}

/** The state in a row of the table; undefined if it is not worth mentioning. */
function listedState(
  head: string,
  { kind, stateIn }: StateTable,
  row: string,
): PastedEvent | undefined {
  const [first = "", second = ""] = row.trim().split(/\s+/);
  const isOfAll = head.trim().startsWith("NAMESPACE");
  const cell = isOfAll ? second : first;
  if (!/^[a-z0-9][\w./-]*$/.test(cell)) return undefined;
  // If several kinds are listed, names have their kind in front: `persistentvolumeclaim/data`, `deployment.apps/web`.
  const [resource = "", named] = cell.split("/");
  if (named !== undefined && kindOfResource(resource) !== kind) return undefined;
  return knownState(
    { kind, namespace: isOfAll ? first : "", name: named ?? cell },
    stateIn(row.trim()),
  );
}
