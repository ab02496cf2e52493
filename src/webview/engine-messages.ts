/** Messages between the page and the engine's worker. `run` ties answers to their simulation. */
import type { Scenario } from "../engine/scenario.ts";
import type { NodeView } from "./model/node-view.ts";
import type { Look, Moment, Summary } from "./model/reading.ts";

export type ToEngine =
  /** Run this scenario; a run in progress is abandoned. */
  | { readonly type: "simulate"; readonly run: number; readonly scenario: Scenario }
  /** Report the state after the entry `seq`; if several wait, only the last is answered. */
  | ({ readonly type: "look"; readonly run: number } & Look)
  /** Report what a login to the machines shows after the entry `seq`. */
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
