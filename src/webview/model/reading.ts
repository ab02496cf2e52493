/**
 * What the page shows of a trace at one moment, made beside the engine in its worker: the page itself computes
 * no facts. All of it is plain data that can be posted.
 */
import { type AnyObject, type Ref, refOf } from "../../engine/api/meta.ts";
import { isGood, type Verdict, type VerdictKind } from "../../engine/explain/verdict.ts";
import { verdicts } from "../../engine/explain/verdicts.ts";
import type { EventEntry, Instant, Trace } from "../../engine/trace/trace.ts";
import { entryRef, entryText } from "./entry-text.ts";
import { isOutcomeKind, type ObjectStatus, objectStatus, outcomeKinds } from "./object-status.ts";

/** What is true of the whole run. */
export interface Summary {
  readonly hash: string;
  readonly entryCount: number;
  readonly endMs: Instant;
  /** Objects of the outcome table that exist at some time of the run, in the table's order. */
  readonly objects: readonly OutcomeObject[];
  readonly events: readonly EventRow[];
  readonly steps: readonly StepMark[];
  /** The object that is worst off at the end of the run; absent where all is well. */
  readonly worst?: Ref;
  /** Why the run ended before it came to rest, if it did. */
  readonly limit?: string;
}

export interface OutcomeObject {
  readonly ref: Ref;
  readonly kind: string;
  /** With its namespace; for an attachment the volume's. */
  readonly name: string;
}

export interface EventRow {
  readonly seq: number;
  readonly at: Instant;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly about: Ref;
  readonly source: string;
  readonly message: string;
  readonly count: number;
}

export interface StepMark {
  readonly seq: number;
  readonly at: Instant;
  readonly text: string;
}

/** What is true at one moment: after the entry `seq`. */
export interface Moment {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly text: string;
  /** By the place of the object in `Summary.objects`; null where it does not exist at that moment. */
  readonly statuses: readonly (ObjectState | null)[];
  readonly selected?: Inspection;
}

export interface ObjectState extends ObjectStatus {
  readonly verdict?: VerdictKind;
}

/** Everything about one object up to one moment. */
export interface Inspection {
  readonly ref: Ref;
  readonly status?: ObjectStatus;
  readonly verdict?: Verdict;
  /** The whole object as JSON; absent where it does not exist. */
  readonly json?: string;
  readonly history: readonly HistoryRow[];
}

export interface HistoryRow {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly type: string;
  readonly warning: boolean;
  readonly text: string;
}

/** How many lines of an object's history are shown, the newest. */
const historyCountMax = 200;

export class Reading {
  readonly summary: Summary;
  readonly #trace: Trace;
  readonly #about: ReadonlyMap<Ref, readonly number[]>;

  constructor(trace: Trace, hash: string) {
    this.#trace = trace;
    this.#about = entriesByObject(trace);
    const objects = outcomeObjects(trace);
    const shown = new Set(objects.map(({ ref }) => ref));
    const worst = verdicts(trace).find((verdict) => shown.has(verdict.ref) && !isGood(verdict));
    const limit = trace.entries.find((entry) => entry.type === "limit");
    this.summary = {
      hash,
      entryCount: trace.entries.length,
      endMs: trace.end,
      objects,
      events: trace.entries.flatMap((entry) => (entry.type === "event" ? [eventRow(entry)] : [])),
      steps: trace.entries.flatMap((entry) =>
        entry.type === "step" ? [{ seq: entry.seq, at: entry.at, text: entry.text }] : [],
      ),
      ...(worst === undefined ? {} : { worst: worst.ref }),
      ...(limit?.type === "limit" ? { limit: limit.message } : {}),
    };
  }

  moment(seq: number, selected: Ref | undefined): Moment {
    const entry = this.#trace.entries[seq];
    const state = this.#trace.stateAt(seq);
    const judged = new Map(verdicts(this.#trace, seq).map((verdict) => [verdict.ref, verdict]));
    const statuses = this.summary.objects.map(({ ref }): ObjectState | null => {
      const object = state.get(ref);
      if (object === undefined) return null;
      const verdict = judged.get(ref)?.kind;
      return { ...objectStatus(object), ...(verdict === undefined ? {} : { verdict }) };
    });
    return {
      seq,
      at: entry?.at ?? 0,
      actor: entry?.actor ?? "",
      text: entry === undefined ? "" : entryText(entry),
      statuses,
      ...(selected !== undefined && this.#about.has(selected)
        ? { selected: this.#inspect(selected, seq, state.get(selected), judged.get(selected)) }
        : {}),
    };
  }

  #inspect(
    ref: Ref,
    seq: number,
    object: AnyObject | undefined,
    verdict: Verdict | undefined,
  ): Inspection {
    const past = (this.#about.get(ref) ?? []).filter((entrySeq) => entrySeq <= seq);
    const entries = past
      .flatMap((entrySeq) => this.#trace.entries[entrySeq] ?? [])
      .filter((entry) => entry.type !== "request" || entry.status >= 400);
    return {
      ref,
      ...(object === undefined
        ? {}
        : { status: objectStatus(object), json: JSON.stringify(object, null, 2) }),
      ...(verdict === undefined ? {} : { verdict }),
      history: entries.slice(-historyCountMax).map((entry) => ({
        seq: entry.seq,
        at: entry.at,
        actor: entry.actor,
        type: entry.type,
        warning: entry.type === "event" && entry.eventType === "Warning",
        text: entryText(entry),
      })),
    };
  }
}

function entriesByObject(trace: Trace): ReadonlyMap<Ref, readonly number[]> {
  const about = new Map<Ref, number[]>();
  const add = (ref: Ref, seq: number): void => {
    const seqs = about.get(ref);
    if (seqs === undefined) about.set(ref, [seq]);
    else seqs.push(seq);
  };
  for (const entry of trace.entries) {
    const ref = entryRef(entry);
    if (ref !== undefined) add(ref, entry.seq);
  }
  return about;
}

function outcomeObjects(trace: Trace): readonly OutcomeObject[] {
  const objects = new Map<Ref, OutcomeObject>();
  for (const entry of trace.entries) {
    if (entry.type !== "write" || entry.after === undefined) continue;
    const { kind, metadata } = entry.after;
    const ref = refOf(entry.after);
    if (!isOutcomeKind(kind) || objects.has(ref)) continue;
    const { namespace = "", name } = metadata;
    const label = attachedVolume(entry.after) ?? name;
    objects.set(ref, { ref, kind, name: namespace === "" ? label : `${namespace}/${label}` });
  }
  const kinds: readonly string[] = outcomeKinds;
  const rank = (object: OutcomeObject): number => kinds.indexOf(object.kind);
  return [...objects.values()].sort(
    (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** An attachment's own name is a hash; what a person looks for is its volume. */
function attachedVolume(object: AnyObject): string | undefined {
  return object.kind === "VolumeAttachment" ? object.spec.source.persistentVolumeName : undefined;
}

function eventRow(entry: EventEntry): EventRow {
  const { seq, at, eventType: type, reason, about, source, message, count } = entry;
  return { seq, at, type, reason, about, source, message, count };
}
