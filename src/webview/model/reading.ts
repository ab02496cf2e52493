/**
 * What the page shows of a trace at one moment, computed next to the engine in its worker: the page itself computes no facts.
 * All of it is plain data that can be posted.
 */
import type { Ref } from "../../engine/api/meta.ts";
import { type ObjectStatus, objectStatus } from "../../engine/explain/object-status.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import { isTakeOver } from "../../engine/explain/touched-objects.ts";
import { isGood, type Verdict, verdictKinds } from "../../engine/explain/verdict.ts";
import { verdictOn, verdicts } from "../../engine/explain/verdicts.ts";
import type { RequestEntry, TraceEntry } from "../../engine/trace/entry.ts";
import type { Instant } from "../../engine/trace/instant.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import { entryRef, entryText } from "./entry-text.ts";
import { type EventRow, eventRows } from "./event-rows.ts";
import { type Lanes, lanesOf } from "./lanes.ts";
import { type ObjectGraph, objectGraph } from "./object-graph.ts";
import { type OutcomeObject, outcomeObjects, targetsOf } from "./outcome-objects.ts";
import type { RowState } from "./row-state.ts";

/** Facts about the whole run. */
export interface Summary {
  readonly hash: string;
  readonly entryCount: number;
  /** The first moment to show: before it, a running cluster is still being imported. */
  readonly firstSeq: number;
  readonly endMs: Instant;
  /** Objects of the outcome table that exist at some time in the run, in the table's order. */
  readonly objects: readonly OutcomeObject[];
  readonly lanes: Lanes;
  readonly events: readonly EventRow[];
  readonly steps: readonly StepMark[];
  /** The objects that exist at the end of the run and can be changed or deleted. */
  readonly targets: readonly Ref[];
  /** The object with the worst verdict at the end of the run; absent if all is well. */
  readonly worst?: Ref;
  /**
   * The worst of the objects whose last request was refused in the last step or whose verdict it changed; absent if none is bad
   * or no step was done.
   */
  readonly worsened?: Ref;
  /** Why the run ended before it came to rest, if it did. */
  readonly limit?: string;
}

export interface StepMark {
  readonly seq: number;
  readonly at: Instant;
  readonly text: string;
}

/** A question about one moment. */
export interface Look {
  /** The moment: after this entry. */
  readonly seq: number;
  /** The object to report in full. */
  readonly selected: Ref | undefined;
  /** The objects whose state to report, as indexes in `Summary.objects`. */
  readonly rows: readonly number[];
  /** Whether to report the objects related to the selected one. */
  readonly wantsGraph?: boolean;
}

/** Facts about one moment: after the entry `seq`. */
export interface Moment {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly text: string;
  /** The state of the requested objects, by their index in `Summary.objects`. */
  readonly rows: ReadonlyMap<number, RowState>;
  readonly selected?: Inspection;
  readonly graph?: ObjectGraph;
}

/** Everything about one object up to one moment. */
export interface Inspection {
  readonly ref: Ref;
  readonly status?: ObjectStatus;
  readonly verdict?: Verdict;
  /** The API server's refusal of the last request for it, if it was refused. */
  readonly refusal?: Refusal;
  /** The whole object as JSON; absent if it does not exist. */
  readonly json?: string;
  /** When it will be created, if it does not exist (any more) and will be; else absent. */
  readonly comes?: { readonly seq: number; readonly at: Instant };
  readonly history: readonly HistoryRow[];
}

export interface Refusal {
  readonly seq: number;
  readonly at: Instant;
  readonly message: string;
}

export interface HistoryRow {
  readonly seq: number;
  readonly at: Instant;
  readonly actor: string;
  readonly type: string;
  readonly warning: boolean;
  readonly text: string;
}

/** The maximum number of history lines of an object; the newest are shown. */
const historyCountMax = 200;

export class Reading {
  readonly summary: Summary;
  readonly #trace: Trace;
  readonly #about: ReadonlyMap<Ref, readonly number[]>;
  readonly #requests = new Map<Ref, RequestEntry[]>();

  /** `lastDone`: the index of the last step done on the page, with the cluster at rest; undefined if there is none. */
  constructor(trace: Trace, hash: string, lastDone?: number) {
    this.#trace = trace;
    this.#about = entriesByObject(trace);
    for (const entry of trace.entries) {
      if (entry.type !== "request") continue;
      const before = this.#requests.get(entry.ref);
      if (before === undefined) this.#requests.set(entry.ref, [entry]);
      else before.push(entry);
    }
    const firstSeq = Math.max(0, trace.entries.findLastIndex(isTakeOver));
    const objects = outcomeObjects(trace);
    const atEnd = verdictsByObject(trace);
    const worst = this.#refusedAmong(objects, 0) ?? worstOf(objects, atEnd);
    const worsened = this.#worsened(objects, atEnd, lastDone);
    const limit = trace.entries.find((entry) => entry.type === "limit");
    this.summary = {
      hash,
      entryCount: trace.entries.length,
      firstSeq,
      endMs: trace.end,
      objects,
      lanes: lanesOf(trace, objects, firstSeq),
      events: eventRows(trace.entries),
      steps: trace.entries.flatMap((entry) =>
        entry.type === "step" ? [{ seq: entry.seq, at: entry.at, text: entry.text }] : [],
      ),
      targets: targetsOf(trace),
      ...(worst === undefined ? {} : { worst: worst.ref }),
      ...(worsened === undefined ? {} : { worsened: worsened.ref }),
      ...(limit?.type === "limit" ? { limit: limit.message } : {}),
    };
  }

  moment({ seq, selected, rows, wantsGraph = false }: Look): Moment {
    const entry = this.#trace.entries[seq];
    const facts = new RunFacts(this.#trace, seq);
    const { objects } = this.summary;
    return {
      seq,
      at: entry?.at ?? 0,
      actor: entry === undefined ? "" : writer(entry),
      text: entry === undefined ? "" : momentText(entry),
      rows: new Map(
        rows.flatMap((place) => {
          const object = objects[place];
          return object === undefined ? [] : [[place, this.#rowState(object.ref, facts, seq)]];
        }),
      ),
      ...(selected !== undefined && this.#about.has(selected)
        ? { selected: this.#inspect(selected, seq, facts) }
        : {}),
      ...(wantsGraph && selected !== undefined
        ? { graph: objectGraph(facts, selected, (ref) => this.#rowState(ref, facts, seq)) }
        : {}),
    };
  }

  #rowState(ref: Ref, facts: RunFacts, seq: number): RowState {
    const isRefused = this.#refusalOf(ref, seq) !== undefined;
    const object = facts.objects.get(ref);
    if (object === undefined) return { isRefused };
    const verdict = verdictOn(facts, object)?.kind;
    return {
      status: objectStatus(object),
      ...(verdict === undefined ? {} : { verdict }),
      isRefused,
    };
  }

  /** The first object whose last change the API server refused, at or after the entry `since`. */
  #refusedAmong(objects: readonly OutcomeObject[], since: number): OutcomeObject | undefined {
    const last = this.#trace.entries.length - 1;
    return objects.find(({ ref }) => (this.#refusalOf(ref, last)?.seq ?? -1) >= since);
  }

  #worsened(
    objects: readonly OutcomeObject[],
    atEnd: ReadonlyMap<Ref, Verdict>,
    lastDone: number | undefined,
  ): OutcomeObject | undefined {
    if (lastDone === undefined) return undefined;
    const begun = this.#trace.entries.findIndex(
      (entry) => entry.type === "step" && entry.step === lastDone,
    );
    const before = verdictsByObject(this.#trace, begun);
    const changed = objects.filter(
      ({ ref }) => atEnd.get(ref)?.headline !== before.get(ref)?.headline,
    );
    return this.#refusedAmong(objects, begun) ?? worstOf(changed, atEnd);
  }

  /** The refusal of the last request for the object up to a moment; undefined if it succeeded or there was none. */
  #refusalOf(ref: Ref, seq: number): Refusal | undefined {
    const last = this.#requests.get(ref)?.findLast((entry) => entry.seq <= seq);
    if (last === undefined || last.status < 400) return undefined;
    return { seq: last.seq, at: last.at, message: `${last.status} ${last.message ?? ""}` };
  }

  #inspect(ref: Ref, seq: number, facts: RunFacts): Inspection {
    const object = facts.objects.get(ref);
    const verdict = object === undefined ? undefined : verdictOn(facts, object);
    const about = (this.#about.get(ref) ?? []).flatMap((at) => this.#trace.entries[at] ?? []);
    const entries = about.filter(
      (entry) => entry.seq <= seq && (entry.type !== "request" || entry.status >= 400),
    );
    const made = about.find(
      (entry) => entry.seq > seq && entry.type === "write" && entry.verb === "create",
    );
    const refusal = this.#refusalOf(ref, seq);
    return {
      ref,
      ...(refusal === undefined ? {} : { refusal }),
      ...(object === undefined
        ? made !== undefined && { comes: { seq: made.seq, at: made.at } }
        : { status: objectStatus(object), json: JSON.stringify(object, null, 2) }),
      ...(verdict === undefined ? {} : { verdict }),
      history: entries.slice(-historyCountMax).map((entry) => ({
        seq: entry.seq,
        at: entry.at,
        actor: writer(entry),
        type: entry.type,
        warning: entry.type === "event" && entry.eventType === "Warning",
        text: isTakeOver(entry) ? "had it when the run began" : entryText(entry, ref),
      })),
    };
  }
}

/** The verdicts at the end of the run, or after its entry `seq`. */
function verdictsByObject(trace: Trace, seq?: number): ReadonlyMap<Ref, Verdict> {
  return new Map(verdicts(trace, seq).map((verdict) => [verdict.ref, verdict]));
}

/** The first object with the worst verdict, preferring objects that the run touched; undefined if all is well. */
function worstOf(
  objects: readonly OutcomeObject[],
  all: ReadonlyMap<Ref, Verdict>,
): OutcomeObject | undefined {
  const badKinds = verdictKinds.filter((kind) => !isGood({ kind }));
  for (const among of [objects.filter(({ isTouched }) => isTouched), objects])
    for (const kind of badKinds) {
      const worst = among.find(({ ref }) => all.get(ref)?.kind === kind);
      if (worst !== undefined) return worst;
    }
  return undefined;
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

/**
 * Who wrote the entry. For events that is their source, as in kubectl's column From: kube-scheduler's are from
 * default-scheduler.
 */
function writer(entry: TraceEntry): string {
  if (entry.type !== "event") return entry.actor;
  // A kubelet's source does not include its node, so the actor is used.
  return entry.actor.startsWith(`${entry.source} `) ? entry.actor : entry.source;
}

function momentText(entry: TraceEntry): string {
  return isTakeOver(entry) ? "is as it was imported" : entryText(entry);
}
