/**
 * Positions of the stretches and warnings in the lanes, in percent of a lane. All entries are equally wide, as on the slider.
 */
import type { Ref } from "../../engine/api/meta.ts";
import type { EventRow } from "./event-rows.ts";
import { instantText } from "./instant-text.ts";
import type { Lane, Stretch } from "./lanes.ts";
import { matchesFilter } from "./name-filter.ts";
import type { OutcomeObject } from "./outcome-objects.ts";
import type { Summary } from "./reading.ts";

/** How a status looks: fine as it is, in progress, or failed. */
export type Tone = "settled" | "waiting" | "failing";

export interface Box {
  readonly leftPercent: number;
  readonly widthPercent: number;
  readonly phase: string;
  readonly tone: Tone;
  /** The tooltip: the status with its time. */
  readonly text: string;
}

export interface LaneLayout {
  readonly object: OutcomeObject;
  readonly boxes: readonly Box[];
  readonly warningPercents: readonly number[];
  /** The entries at which a status of the object begins or a warning comes, in order. */
  readonly stops: readonly number[];
}

/** Space after the last entry: otherwise the status that began last would not be visible. */
const restPercent = 15;
/** The most lanes that are drawn; more would be unreadable. */
const laneCountMax = 300;

export class TimelineLayout {
  readonly lanes: readonly LaneLayout[];
  /** How many objects have no lane because there are too many. */
  readonly leftOutCount: number;
  readonly ticks: readonly { readonly leftPercent: number; readonly text: string }[];
  readonly #from: number;
  readonly #way: number;

  /** Lays out the objects whose names contain the filter. */
  constructor({ lanes, events }: Pick<Summary, "lanes" | "events">, filter = "") {
    this.#from = lanes.ticks[0]?.seq ?? 0;
    this.#way = Math.max((lanes.ticks.at(-1)?.seq ?? 0) - this.#from, 1);
    const matching = lanes.all.filter(({ object }) => matchesFilter(object.name, filter));
    const drawn = matching.slice(0, laneCountMax);
    const warnings = warningsByObject(events, drawn);
    this.lanes = drawn.map((lane) => this.#laneOf(lane, warnings.get(lane.object.ref) ?? []));
    this.leftOutCount = matching.length - drawn.length;
    this.ticks = lanes.ticks.map(({ seq, at }) => ({
      leftPercent: this.percentOf(seq),
      text: instantText(at),
    }));
  }

  /** 0 for a moment before anything happens. */
  percentOf(seq: number): number {
    return (Math.max(seq - this.#from, 0) / this.#way) * (100 - restPercent);
  }

  /**
   * The entry at a position in a lane, or the nearest stop if one is within `slackPercent`; beyond the last entry, the last.
   */
  seqAt(percent: number, slackPercent: number, { stops }: LaneLayout): number {
    const distance = (seq: number): number => Math.abs(this.percentOf(seq) - percent);
    const [nearest] = [...stops].sort((a, b) => distance(a) - distance(b));
    if (nearest !== undefined && distance(nearest) <= slackPercent) return nearest;
    return this.#from + Math.round(Math.min(percent / (100 - restPercent), 1) * this.#way);
  }

  #laneOf({ object, stretches }: Lane, warned: readonly number[]): LaneLayout {
    const starts = stretches.map(({ seq }) => seq);
    return {
      object,
      boxes: stretches.flatMap((stretch, i) => this.#boxOf(stretch, stretches[i + 1])),
      warningPercents: this.#thinned(warned),
      stops: [...new Set([...starts, ...warned])].sort((a, b) => a - b),
    };
  }

  /** No box while the object does not exist. */
  #boxOf({ seq, at, phase }: Stretch, next: Stretch | undefined): readonly Box[] {
    if (phase === undefined) return [];
    const leftPercent = this.percentOf(seq);
    const end = next === undefined ? 100 : this.percentOf(next.seq);
    const until = next === undefined ? "on" : `to ${instantText(next.at)}`;
    const text = `${phase} from ${instantText(at)} ${until}`;
    return [{ leftPercent, widthPercent: end - leftPercent, phase, tone: toneOf(phase), text }];
  }

  /** Keeps the first in each percent: more could not be told apart. */
  #thinned(seqs: readonly number[]): readonly number[] {
    const places = new Map<number, number>();
    for (const percent of seqs.map((seq) => this.percentOf(seq))) {
      const place = Math.floor(percent);
      if (!places.has(place)) places.set(place, percent);
    }
    return [...places.values()];
  }
}

const settledPhases: ReadonlySet<string> = new Set([
  "Attached",
  "Available",
  "Bound",
  "Complete",
  "Completed",
  "ReadyToUse",
  "Running",
]);
const waitingPhases: ReadonlySet<string> = new Set([
  "Attaching",
  "ContainerCreating",
  "Detaching",
  "NotReady",
  "Pending",
  "PodInitializing",
  "Released",
  "SchedulingGated",
  "Suspended",
  "Terminating",
]);
/** `Init:0/2`: how many init containers have ended. */
const initializing = /^Init:\d/;
/** Counts of a workload's ready pods, and of a CronJob's active Jobs. */
const counted = /^(\d+)(?:\/(\d+) ready| active)$/;

export function toneOf(phase: string): Tone {
  if (settledPhases.has(phase)) return "settled";
  const [, count, wanted = "0"] = counted.exec(phase) ?? [];
  if (count !== undefined) return Number(count) >= Number(wanted) ? "settled" : "waiting";
  return waitingPhases.has(phase) || initializing.test(phase) ? "waiting" : "failing";
}

function warningsByObject(
  events: readonly EventRow[],
  lanes: readonly Lane[],
): ReadonlyMap<Ref, readonly number[]> {
  const warnings = new Map<Ref, number[]>(lanes.map(({ object }) => [object.ref, []]));
  for (const { type, about, seq } of events) if (type === "Warning") warnings.get(about)?.push(seq);
  return warnings;
}
