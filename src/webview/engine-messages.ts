/** What the page and the engine's worker say to each other. `run` ties answers to the simulation they are of. */
import type { Scenario } from "../engine/scenario.ts";
import type { NodeView } from "./model/node-view.ts";
import type { Look, Moment, Summary } from "./model/reading.ts";

export type ToEngine =
  /** Run this; a run that is under way is given up. */
  | { readonly type: "simulate"; readonly run: number; readonly scenario: Scenario }
  /** Tell what holds after the entry `seq`; of several that wait only the last is answered. */
  | ({ readonly type: "look"; readonly run: number } & Look)
  /** Tell what a login to the machines shows after the entry `seq`. */
  | { readonly type: "login"; readonly run: number; readonly seq: number };

export type FromEngine =
  | {
      readonly type: "progress";
      readonly run: number;
      readonly nowMs: number;
      readonly entryCount: number;
    }
  | { readonly type: "done"; readonly run: number; readonly summary: Summary }
  | {
      readonly type: "nodes";
      readonly run: number;
      readonly seq: number;
      readonly nodes: readonly NodeView[];
    }
  | { readonly type: "moment"; readonly run: number; readonly moment: Moment }
  | { readonly type: "failed"; readonly run: number; readonly text: string };
