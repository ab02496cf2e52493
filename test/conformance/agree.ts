/** Decides whether a run agrees with a recording, by the same rules as the program that made the recordings. */
import { sortKeys } from "./normalise.ts";
import type { Checkpoint, CsiCall, RecordedEvent, RecordedObject, Recording } from "./recording.ts";

const text = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? "undefined";
const eventText = (e: RecordedEvent): string =>
  `${e.about} ${e.source} ${e.type} ${e.reason}: ${e.message}`;

/** False for an event that depends on a race between scheduler and ephemeral controller in every cluster. */
const isCompared = (e: RecordedEvent): boolean =>
  !e.message.includes(
    "waiting for ephemeral volume controller to create the persistentvolumeclaim",
  );

const objectKey = (o: RecordedObject): string =>
  `${o.kind}/${o.metadata.namespace ?? ""}/${o.metadata.name}`;

/** What a call is about: calls about the same subject are compared in order; between subjects there is no order. */
function subject({ request }: CsiCall): string {
  for (const key of ["volume_id", "snapshot_id", "name", "source_volume_id"]) {
    const value = request?.[key];
    if (value !== undefined && value !== null) return String(value);
  }
  return "";
}

/** Calls by subject; equal calls in a row count once. */
function callSequences(calls: readonly CsiCall[]): Map<string, string[]> {
  const mode = (c: CsiCall): string =>
    (c.request?.["volume_capability"] as { access_mode?: { mode?: string } } | undefined)
      ?.access_mode?.mode ?? "";
  const shared = new Set(calls.filter((c) => mode(c).startsWith("MULTI_NODE")).map(subject));
  const sequences = new Map<string, string[]>();
  for (const c of calls) {
    const { driver, node, call, code, message, request } = c;
    const line = text({ driver, node: node ?? "", call, code, message, request });
    const where = shared.has(subject(c)) ? ` ${node || String(request?.["node_id"] ?? "")}` : "";
    const key = `${driver} ${subject(c)}${where}`;
    const list = sequences.get(key) ?? [];
    if (list.at(-1) !== line) list.push(line);
    sequences.set(key, list);
  }
  return sequences;
}

function differ(wanted: unknown, got: unknown, at: string, out: string[]): string[] {
  if (out.length > 12 || text(wanted) === text(got)) return out;
  if (
    typeof wanted === "object" &&
    typeof got === "object" &&
    wanted !== null &&
    got !== null &&
    Array.isArray(wanted) === Array.isArray(got)
  ) {
    const a = wanted as Record<string, unknown>;
    const b = got as Record<string, unknown>;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      differ(a[key], b[key], at === "" ? key : `${at}.${key}`, out);
    return out;
  }
  out.push(
    `${at}: wanted ${JSON.stringify(wanted)?.slice(0, 300)}, got ${JSON.stringify(got)?.slice(0, 300)}`,
  );
  return out;
}

/** Differences between two lists of checkpoints, as lines; empty if they agree. */
export function differences(wanted: readonly Checkpoint[], got: readonly Checkpoint[]): string[] {
  const out: string[] = [];
  if (wanted.length !== got.length)
    out.push(`wanted ${wanted.length} checkpoints, got ${got.length}`);
  for (const [i, w] of wanted.entries()) {
    const g = got[i] ?? { step: w.step, requests: [], objects: [], events: [], csi: [] };
    for (const line of checkpointDifferences(w, g))
      out.push(`checkpoint ${i} (after step ${w.step}) ${line}`);
  }
  return out;
}

function checkpointDifferences(w: Checkpoint, g: Checkpoint): string[] {
  return [
    ...requestDifferences(w, g),
    ...objectDifferences(w, g),
    ...eventDifferences(w, g),
    ...callDifferences(w, g),
  ];
}

function requestDifferences(w: Checkpoint, g: Checkpoint): string[] {
  const out: string[] = [];
  for (let k = 0; k < Math.max(w.requests.length, g.requests.length); k++) {
    const [a, b] = [w.requests[k], g.requests[k]];
    for (const d of differ(a ?? null, b ?? null, "", [])) {
      out.push(`request ${a?.verb ?? ""} ${a?.ref ?? b?.ref}: ${d}`);
    }
  }
  return out;
}

function objectDifferences(w: Checkpoint, g: Checkpoint): string[] {
  const out: string[] = [];
  const wanted = new Map(w.objects.map((o) => [objectKey(o), o]));
  const got = new Map(g.objects.map((o) => [objectKey(o), o]));
  for (const key of new Set([...wanted.keys(), ...got.keys()])) {
    if (!got.has(key)) out.push(`object ${key}: missing`);
    else if (!wanted.has(key)) out.push(`object ${key}: should not be there`);
    else {
      for (const d of differ(wanted.get(key), got.get(key), "", [])) out.push(`object ${key} ${d}`);
    }
  }
  return out;
}

function eventDifferences(w: Checkpoint, g: Checkpoint): string[] {
  const wanted = new Set(w.events.filter(isCompared).map(eventText));
  const got = new Set(g.events.filter(isCompared).map(eventText));
  return [
    ...[...wanted].filter((e) => !got.has(e)).map((e) => `event missing: ${e}`),
    ...[...got].filter((e) => !wanted.has(e)).map((e) => `event too many: ${e}`),
  ];
}

function callDifferences(w: Checkpoint, g: Checkpoint): string[] {
  const out: string[] = [];
  const wanted = callSequences(w.csi);
  const got = callSequences(g.csi);
  for (const key of new Set([...wanted.keys(), ...got.keys()])) {
    const [a, b] = [wanted.get(key) ?? [], got.get(key) ?? []];
    if (text(a) === text(b)) continue;
    const differing = a.findIndex((line, j) => line !== b[j]);
    const j = differing < 0 ? a.length : differing;
    const line = (calls: string[]): string => calls[j]?.slice(0, 600) ?? "none";
    out.push(`CSI calls about ${key}: call ${j}: wanted ${line(a)}, got ${line(b)}`);
  }
  return out;
}

/** The checkpoints with up to 120 numberings of generated names, as the order of pods made within one second is random. */
function* renumbered(checkpoints: readonly Checkpoint[]): Generator<readonly Checkpoint[]> {
  const whole = JSON.stringify(checkpoints);
  const counts = new Map<string, number>();
  for (const [, prefix = "", n] of whole.matchAll(/"((?:[a-z0-9-]|<hash\d+>)+-)<(\d+)>"/g))
    counts.set(prefix, Math.max(counts.get(prefix) ?? 0, Number(n) + 1));
  const orders = (n: number): number[][] =>
    n === 0
      ? [[]]
      : orders(n - 1).flatMap((o) =>
          Array.from({ length: n }, (_, i) => [...o.slice(0, i), n - 1, ...o.slice(i)]),
        );
  let numberings: [string, number[]][][] = [[]];
  for (const [prefix, n] of counts) {
    if (n > 1 && n <= 4)
      numberings = numberings
        .flatMap((m) => orders(n).map((o): [string, number[]][] => [...m, [prefix, o]]))
        .slice(0, 120);
  }
  for (const numbering of numberings) {
    let changed = whole;
    for (const [prefix, order] of numbering) {
      const pattern = new RegExp(`${prefix.replaceAll(/[<>]/g, "\\$&")}<(\\d+)>`, "g");
      changed = changed.replaceAll(pattern, (_, n: string) => `${prefix}<${order[Number(n)]}>`);
    }
    yield numbering.length === 0 ? checkpoints : (JSON.parse(changed) as Checkpoint[]);
  }
}

/** Differences from the nearest recorded run of real Kubernetes; empty if any run agrees. */
export function compareRecordings(wanted: Recording, got: Recording): string[] {
  let best: string[] | undefined;
  for (const run of [wanted.checkpoints, ...(wanted.alternatives ?? [])]) {
    for (const checkpoints of renumbered(got.checkpoints)) {
      const lines = differences(run, checkpoints);
      if (lines.length === 0) return [];
      if (best === undefined || lines.length < best.length) best = lines;
    }
  }
  return best ?? [];
}
