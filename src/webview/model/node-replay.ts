/**
 * The machines at any moment of a run. Traces do not record them, so the run is repeated up to the moment; for a later moment
 * the repetition continues.
 */
import type { Scenario } from "../../engine/scenario.ts";
import { Simulation } from "../../engine/simulation.ts";
import { type NodeView, nodeViews } from "./node-view.ts";

/** Loop events between two checks for messages from the page. */
const eventsBetweenLooks = 20_000;

interface Repeated {
  readonly simulation: Simulation;
  readonly events: Iterator<void>;
  /** The first entry of the last event; the machines are valid for any entry from there on. */
  fromSeq: number;
}

export class NodeReplay {
  readonly #scenario: Scenario;
  readonly #lastSeq: number;
  readonly #atEnd: readonly NodeView[];
  #repeated: Repeated | undefined;

  /** Takes a run that has ended. */
  constructor({ scenario, ended }: { readonly scenario: Scenario; readonly ended: Simulation }) {
    this.#scenario = scenario;
    this.#lastSeq = ended.trace.entries.length - 1;
    this.#atEnd = nodeViews(ended);
  }

  /** The machines after the entry `seq`; yields from time to time on the way there. */
  *at(seq: number): Generator<void, readonly NodeView[]> {
    if (seq >= this.#lastSeq) return this.#atEnd;
    if (this.#repeated === undefined || seq < this.#repeated.fromSeq)
      this.#repeated = begin(this.#scenario);
    const repeated = this.#repeated;
    const { simulation, events } = repeated;
    const { entries } = simulation.trace;
    for (let eventCount = 1; entries.length <= seq; eventCount++) {
      const before = entries.length;
      if (events.next().done === true) break;
      if (entries.length > before) repeated.fromSeq = before;
      if (eventCount % eventsBetweenLooks === 0) yield;
    }
    return nodeViews(simulation);
  }
}

function begin(scenario: Scenario): Repeated {
  const simulation = new Simulation(scenario, 1);
  return { simulation, events: simulation.slices(), fromSeq: 0 };
}
