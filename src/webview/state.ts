/** The page's state: the trace's summary, the moment and the selection; everything else follows from them. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { kindOfRef, type Ref } from "../engine/api/meta.ts";
import { relatedKinds } from "../engine/explain/related-kinds.ts";
import type { Environment, ScenarioReply } from "../protocol/messages.ts";
import type { ToPage } from "../protocol/page-messages.ts";
import { type WhatIfStep, withSteps } from "../protocol/what-if.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { savedView, saveView, tellExtension, type ViewState } from "./host.ts";
import { type ListedObjects, listedObjects } from "./model/listed-objects.ts";
import type { NodeView } from "./model/node-view.ts";
import type { Moment, Summary } from "./model/reading.ts";
import { type Draft, firstDraft } from "./model/what-if.ts";

export type Stage =
  | { readonly type: "waiting" }
  | { readonly type: "running"; readonly nowMs: number; readonly entryCount: number }
  | { readonly type: "shown" }
  | { readonly type: "nothing"; readonly text: string }
  /** If the engine still answers, another run may succeed. */
  | { readonly type: "failed"; readonly text: string; readonly canRunAgain: boolean };

export interface NodesShown {
  readonly seq: number;
  readonly views: readonly NodeView[];
}

/** In page order. */
export const tabs = ["Outcome", "Timeline", "Graph", "Events", "Nodes", "What If"] as const;
export type Tab = (typeof tabs)[number];

/** Kinds that no profile installs and no driver creates, so they come from some file. */
const bornOfManifests: ReadonlySet<string> = new Set([
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "PersistentVolumeClaim",
  "Pod",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
]);

export class PageState {
  readonly stage: Signal<Stage> = signal({ type: "waiting" });
  readonly reply: Signal<ScenarioReply | undefined> = signal(undefined);
  readonly environments: Signal<readonly Environment[]> = signal([]);
  readonly summary: Signal<Summary | undefined> = signal(undefined);
  /** The machines at the moment `seq`; undefined until they were asked for. */
  readonly nodes: Signal<NodesShown | undefined> = signal(undefined);
  /** The tab in front. Nodes and graph are computed only while their tab is. */
  readonly tab: Signal<Tab> = signal("Outcome");
  /** The chosen moment: after the trace entry with this number. */
  readonly seq: Signal<number> = signal(0);
  readonly selection: Signal<Ref | undefined> = signal(undefined);
  /** Whether to list objects of an imported cluster that the run does not touch. */
  readonly showsUntouched: Signal<boolean> = signal(false);
  /** Text that the names of listed objects contain. */
  readonly filter: Signal<string> = signal("");
  readonly listed: ReadonlySignal<ListedObjects> = computed(() =>
    listedObjects(this.summary.value?.objects ?? [], {
      filter: this.filter.value,
      showsUntouched: this.showsUntouched.value,
      selected: this.selection.value,
    }),
  );
  /** The form for the next step. */
  readonly draft: Signal<Draft> = signal(firstDraft);
  /** Counts how often the page itself has filled in the form; each time the form takes the focus. */
  readonly proposed: Signal<number> = signal(0);
  /** The steps done to the cluster once it had come to rest, in order. */
  readonly steps: Signal<readonly WhatIfStep[]> = signal([]);
  readonly moment: Signal<Moment | undefined> = signal(undefined);
  readonly #engine: (message: ToEngine) => void;
  #run = 0;
  #hasActed = false;
  #hasGivenUp = false;
  #saved: ViewState = savedView();
  #written: ReadonlySet<Ref> = new Set();

  constructor(engine: (message: ToEngine) => void) {
    this.#engine = engine;
    effect(() => {
      const [seq, selected, { rows }] = [this.seq.value, this.selection.value, this.listed.value];
      const wantsGraph = this.tab.value === "Graph";
      if (this.stage.value.type !== "shown") return;
      engine({ type: "look", run: this.#run, seq, selected, rows, wantsGraph });
      this.#save();
    });
    effect(() => {
      const environment = this.reply.value?.environment.id;
      const ref = this.selection.value;
      if (this.stage.value.type === "shown" && environment !== undefined)
        tellExtension({ type: "selected", environment, ref });
    });
    effect(() => {
      const [seq, isShown] = [this.seq.value, this.tab.value === "Nodes"];
      if (this.stage.value.type === "shown" && isShown)
        engine({ type: "login", run: this.#run, seq });
    });
  }

  /** True if the object comes from a file of the workspace, as far as its name tells. */
  isWritten(ref: Ref): boolean {
    if (this.#written.has(ref)) return true;
    const isImported = this.summary.value?.objects.find((object) => object.ref === ref)?.isImported;
    return isImported !== true && bornOfManifests.has(kindOfRef(ref));
  }

  /** True if it is a CronJob that exists at the end of the run. */
  canMakeJob(ref: Ref): boolean {
    return kindOfRef(ref) === "CronJob" && this.summary.value?.targets.includes(ref) === true;
  }

  goTo(seq: number): void {
    const first = this.summary.value?.firstSeq ?? 0;
    this.seq.value = Math.max(first, Math.min(seq, this.#last));
  }

  select(ref: Ref | undefined): void {
    this.selection.value = ref;
  }

  /** Does one more step and shows the result. */
  act(step: WhatIfStep): void {
    this.#redo([...this.steps.value, step]);
  }

  /** Opens the What If form, filled in to create a Job from the CronJob. */
  proposeJob(cronJob: Ref): void {
    this.draft.value = { ...this.draft.value, action: "createJob", cronJob, job: undefined };
    this.tab.value = "What If";
    this.proposed.value++;
  }

  /** Reruns without the step at this index. */
  takeBack(index: number): void {
    this.#redo(this.steps.value.filter((_, other) => other !== index));
  }

  saveSteps(): void {
    const environment = this.reply.value?.environment.id;
    if (environment === undefined) return;
    tellExtension({ type: "save", environment, steps: this.steps.value });
  }

  choose(environment: string): void {
    tellExtension({ type: "choose", environment });
  }

  reveal(ref: Ref, field?: string): void {
    tellExtension({ type: "reveal", ref, field });
  }

  revealUnreadable(): void {
    tellExtension({ type: "unreadable" });
  }

  receive(message: ToPage): void {
    if (this.#hasGivenUp) return;
    if (message.type === "scenario") {
      this.environments.value = message.environments;
      this.#simulate(message.reply);
    } else if (message.type === "nothing") {
      this.#run++;
      this.stage.value = { type: "nothing", text: message.text };
    } else if (message.type === "save") {
      this.saveSteps();
    } else if (relatedKinds.has(kindOfRef(message.ref))) {
      // An object without relations, such as the namespace at the top of a file, says less than the worst one, which stays
      // selected.
      this.select(message.ref);
      // A run in progress then ends with this object selected.
      this.#saved = { ...this.#saved, selection: message.ref };
    }
  }

  receiveFromEngine(message: FromEngine): void {
    if (message.run !== this.#run) return;
    if (message.type === "progress") {
      const { nowMs, entryCount } = message;
      this.stage.value = { type: "running", nowMs, entryCount };
    } else if (message.type === "done") {
      this.nodes.value = undefined;
      this.#show(message.summary);
    } else if (message.type === "nodes") {
      this.nodes.value = { seq: message.seq, views: message.nodes };
    } else if (message.type === "moment") {
      this.moment.value = message.moment;
    } else {
      this.#fail(message.text);
    }
  }

  /** The engine will never answer: shows that from now on, whatever the extension sends. */
  giveUp(text: string): void {
    this.#hasGivenUp = true;
    this.#fail(text);
  }

  get #last(): number {
    return (this.summary.value?.entryCount ?? 1) - 1;
  }

  #fail(text: string): void {
    this.stage.value = { type: "failed", text, canRunAgain: !this.#hasGivenUp };
    tellExtension({ type: "failed", text });
  }

  #redo(steps: readonly WhatIfStep[]): void {
    const reply = this.reply.value;
    if (reply === undefined) return;
    const { moment: _, ...rest } = this.#saved;
    this.#saved = { ...rest, steps };
    this.#hasActed = true;
    this.#simulate(reply);
  }

  #simulate(reply: ScenarioReply): void {
    this.#run++;
    const isSame = this.#saved.environment === reply.environment.id;
    this.steps.value = isSame ? (this.#saved.steps ?? []) : [];
    if (!isSame) this.filter.value = "";
    this.reply.value = reply;
    this.#written = new Set(reply.sources.map((source) => source.ref));
    this.stage.value = { type: "running", nowMs: 0, entryCount: 0 };
    const scenario = withSteps(reply.scenario, this.steps.value);
    this.#engine({ type: "simulate", run: this.#run, scenario });
  }

  /** Shows a finished run at the moment and object shown before, if they still exist; else at its end. */
  #show(summary: Summary): void {
    const environment = this.reply.value?.environment.id;
    if (environment === undefined) return;
    const { moment, selection } = this.#saved.environment === environment ? this.#saved : {};
    this.summary.value = summary;
    this.goTo(moment ?? this.#last);
    const { objects, worst, worsened } = summary;
    const before = objects.find(({ ref }) => ref === selection);
    const touched = objects.find(({ isTouched }) => isTouched) ?? objects[0];
    // After a step, selects what the step has made worse.
    const keepsSelection = this.#hasActed ? before?.isTouched === true : before !== undefined;
    const outcome = this.#hasActed ? worsened : undefined;
    this.select(outcome ?? (keepsSelection ? selection : (worst ?? touched?.ref)));
    this.#hasActed = false;
    this.stage.value = { type: "shown" };
    const { hash, entryCount } = summary;
    tellExtension({ type: "shown", environment, hash, entryCount });
  }

  /** Saves moment, selection and steps, from which a recreated page or the environment's next run starts. */
  #save(): void {
    const environment = this.reply.value?.environment.id;
    const seq = this.seq.value;
    const selection = this.selection.value;
    this.#saved = {
      ...(environment === undefined ? {} : { environment }),
      ...(seq === this.#last ? {} : { moment: seq }),
      ...(selection === undefined ? {} : { selection }),
      ...(this.steps.value.length === 0 ? {} : { steps: this.steps.value }),
    };
    saveView(this.#saved);
  }
}
