/** The page's state: the trace's summary, the moment and the selection; everything else follows from these. */
import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Ref } from "../engine/api/meta.ts";
import type { Environment, ScenarioReply } from "../protocol/messages.ts";
import type { ToPage } from "../protocol/page-messages.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { savedView, saveView, tellExtension } from "./host.ts";
import type { NodeView } from "./model/node-view.ts";
import type { Moment, Summary } from "./model/reading.ts";

export type Stage =
  | { readonly type: "waiting" }
  | { readonly type: "running"; readonly nowMs: number; readonly entryCount: number }
  | { readonly type: "shown" }
  | { readonly type: "nothing"; readonly text: string }
  | { readonly type: "failed"; readonly text: string };

export interface PageState {
  readonly stage: ReadonlySignal<Stage>;
  readonly reply: ReadonlySignal<ScenarioReply | undefined>;
  readonly environments: ReadonlySignal<readonly Environment[]>;
  readonly summary: ReadonlySignal<Summary | undefined>;
  /** The machines at the end of the run. */
  readonly nodes: ReadonlySignal<readonly NodeView[]>;
  readonly seq: ReadonlySignal<number>;
  readonly selection: ReadonlySignal<Ref | undefined>;
  readonly moment: ReadonlySignal<Moment | undefined>;
  /** Whether a file of the workspace brings the object about, as far as its name tells. */
  isWritten(ref: Ref): boolean;
  goTo(seq: number): void;
  select(ref: Ref | undefined): void;
  choose(environment: string): void;
  reveal(ref: Ref, field?: string): void;
  receive(message: ToPage): void;
  receiveFromEngine(message: FromEngine): void;
}

/** Kinds that no profile installs and no driver makes: where they come from is written somewhere. */
const bornOfManifests: ReadonlySet<string> = new Set([
  "DaemonSet",
  "Deployment",
  "Job",
  "PersistentVolumeClaim",
  "Pod",
  "ReplicaSet",
  "StatefulSet",
]);

export function createState(engine: (message: ToEngine) => void): PageState {
  const stage: Signal<Stage> = signal({ type: "waiting" });
  const reply: Signal<ScenarioReply | undefined> = signal(undefined);
  const environments: Signal<readonly Environment[]> = signal([]);
  const summary: Signal<Summary | undefined> = signal(undefined);
  const nodes: Signal<readonly NodeView[]> = signal([]);
  const seq = signal(0);
  const selection: Signal<Ref | undefined> = signal(undefined);
  const moment: Signal<Moment | undefined> = signal(undefined);
  const written: Signal<ReadonlySet<Ref>> = signal(new Set());
  let saved = savedView();
  let run = 0;

  const simulate = (next: ScenarioReply): void => {
    if (summary.value !== undefined) saved = viewOf();
    run++;
    reply.value = next;
    written.value = new Set(next.sources.map((source) => source.ref));
    stage.value = { type: "running", nowMs: 0, entryCount: 0 };
    engine({ type: "simulate", run, scenario: next.scenario });
  };

  /** Shows a finished run at the place that was shown before, where it still exists; else at its end. */
  const show = (finished: Summary, shown: ScenarioReply): void => {
    const sameEnvironment = saved.environment === shown.environment.id;
    const last = finished.entryCount - 1;
    summary.value = finished;
    seq.value = sameEnvironment ? Math.min(saved.moment ?? last, last) : last;
    const wanted = sameEnvironment ? saved.selection : undefined;
    const known = finished.objects.some((object) => object.ref === wanted);
    selection.value = known ? wanted : (finished.worst ?? finished.objects[0]?.ref);
    stage.value = { type: "shown" };
    const { hash, entryCount } = finished;
    tellExtension({ type: "shown", environment: shown.environment.id, hash, entryCount });
  };

  const viewOf = (): typeof saved => ({
    ...(reply.value === undefined ? {} : { environment: reply.value.environment.id }),
    ...(seq.value === (summary.value?.entryCount ?? 0) - 1 ? {} : { moment: seq.value }),
    ...(selection.value === undefined ? {} : { selection: selection.value }),
  });

  effect(() => {
    if (stage.value.type !== "shown") return;
    engine({ type: "look", run, seq: seq.value, selected: selection.value });
    saveView(viewOf());
  });

  return {
    stage,
    reply,
    environments,
    summary,
    nodes,
    seq,
    selection,
    moment,
    isWritten: (ref) => written.value.has(ref) || bornOfManifests.has(ref.split("/")[0] ?? ""),
    goTo(next) {
      seq.value = Math.max(0, Math.min(next, (summary.value?.entryCount ?? 1) - 1));
    },
    select(ref) {
      selection.value = ref;
    },
    choose: (environment) => tellExtension({ type: "choose", environment }),
    reveal: (ref, field) => tellExtension({ type: "reveal", ref, field }),
    receive(message) {
      if (message.type === "scenario") {
        environments.value = message.environments;
        simulate(message.reply);
      } else if (message.type === "nothing") {
        run++;
        stage.value = { type: "nothing", text: message.text };
      } else {
        selection.value = message.ref;
      }
    },
    receiveFromEngine(message) {
      if (message.run !== run) return;
      if (message.type === "progress") {
        stage.value = { type: "running", nowMs: message.nowMs, entryCount: message.entryCount };
      } else if (message.type === "done") {
        nodes.value = message.nodes;
        if (reply.value !== undefined) show(message.summary, reply.value);
      } else if (message.type === "moment") {
        moment.value = message.moment;
      } else {
        stage.value = { type: "failed", text: message.text };
        tellExtension({ type: "failed", text: message.text });
      }
    },
  };
}
