/**
 * Makes findings as files change and hands them on. What a file says by itself, and whatever is known to be done at once,
 * comes with the next turn of the event loop. Everything else waits for a pause in typing, as long as it took the last time;
 * what a later edit has made out of date is given up. Where the rest is a run of everything, a preview comes at once and before
 * it. What has not changed is not sent again.
 */
import type { Background } from "../background.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { projectFileName } from "../project/project-file.ts";
import type { LanguageService } from "../service.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName } from "../workspace/files/uri.ts";
import { CostEstimate } from "./cost-estimate.ts";
import { SentFindings } from "./sent-findings.ts";
import { TypingPauses } from "./typing-pauses.ts";

export interface PublisherClient {
  /** Whether the client is told of a file, or has asked for it. */
  wants(uri: string): boolean;
  /** All findings of a file; none takes the earlier ones away. The version is that of the edit they answer. */
  publish(uri: string, diagnostics: readonly Diagnostic[], version?: number): void;
  /** More is known than when the client has asked. */
  changed(): void;
  /** All is known of the environment. */
  predicted(environment: Environment): void;
  /** An environment is no more. */
  gone(id: string): void;
  /** Our own bug, for the log. */
  failed(error: unknown): void;
}

/** What takes as long as this is done before an edit is answered: one answer instead of two. */
const atOnceMs = 10;
/** A pause in typing is at least so long; nothing waits longer for one than the other. */
const holdMinMs = 150;
const holdMaxMs = 1000;
/** How often a long run shows what it has found so far. */
const showEveryMs = 500;

/** What the work on one environment takes. */
interface Costs {
  readonly compare: CostEstimate;
  readonly predict: CostEstimate;
}

interface Waiting {
  /** The state that is asked about. */
  readonly environment: Environment;
  readonly end: (isComplete: boolean) => void;
}

export class Publisher {
  readonly #service: LanguageService;
  readonly #client: PublisherClient;
  readonly #background: Background;
  readonly #sent = new SentFindings();
  /** Files whose findings may have changed and are still to be looked at. */
  readonly #toShow = new Set<string>();
  /** Those that a preview tells something else of. */
  readonly #toShowAtOnce = new Set<string>();
  /** Edits that wait for their findings: the version of each file. */
  readonly #edits = new Map<string, number | undefined>();
  /** Files that were edited since everything was known last: the islands that speak of them are judged first. */
  readonly #first = new Set<string>();
  /** Who waits until all is known of a file. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** How many wait until all is known of all files. */
  #settlingCount = 0;
  /** Environments whose findings are being made. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #pauses = new TypingPauses();
  readonly #seen = new Map<string, Environment>();
  readonly #costs = new Map<string, Costs>();

  constructor(service: LanguageService, client: PublisherClient, background: Background) {
    this.#service = service;
    this.#client = client;
    this.#background = background;
  }

  /** A file's text has changed. Each version is answered, so that a client knows which text the findings are of. */
  fileChanged(uri: string, version?: number): void {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined || baseName(uri) === projectFileName) {
      this.#send(uri, this.#service.knownDiagnostics(uri), version);
      // A project file may part one environment into two, or make one of two; what is in none is an imported cluster.
      this.everythingChanged().catch((error: unknown) => this.#client.failed(error));
      return;
    }
    // An answer that is still owed comes before the next one begins.
    if (this.#edits.has(uri)) this.#answer(uri);
    this.#edits.set(uri, version);
    // What files have to do with others is told when all of them are there.
    if (this.#service.isLoading()) {
      void this.#answerSoon(uri);
      return;
    }
    this.#noteEdit(environment, uri);
    void this.#update(environment.id);
    for (const id of this.#service.madeOf(uri)) void this.#update(id);
  }

  /** Whatever the client has asked with the edit is answered first. */
  async #answerSoon(uri: string): Promise<void> {
    await this.#background.pause();
    if (!this.#edits.has(uri)) return;
    try {
      this.#answer(uri);
    } catch (error) {
      this.#client.failed(error);
    }
  }

  /** A text that is opened as it stands on disk changes nothing. */
  #noteEdit(environment: Environment, uri: string): void {
    const { id } = environment;
    if (this.#seen.get(id) === environment) return;
    this.#seen.set(id, environment);
    this.#pauses.noteEdit(id);
    this.#first.add(uri);
  }

  /** Nobody looks at it any more, and it is as on disk. */
  fileClosed(uri: string): Promise<void> {
    this.#toShow.add(uri);
    return this.everythingChanged();
  }

  /** Answers an edit that still waits: from then on the findings that are known of the file are those of its present text. */
  answerNow(uri: string): void {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined || !this.#edits.has(uri)) return;
    if (this.#service.isLoading()) this.#answer(uri);
    else this.#answerEdit(environment, uri);
  }

  /** Resolves when everything is known of a file; to false where an edit comes before that. */
  complete(uri: string): Promise<boolean> {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined) return Promise.resolve(true);
    const ended = new Promise<boolean>((end) => {
      const waiting = this.#waiting.get(uri) ?? [];
      this.#waiting.set(uri, [...waiting, { environment, end }]);
    });
    void this.#update(environment.id);
    return ended;
  }

  /** Resolves when `ready` has and everything is known of all files. Until then work waits for the shortest pause in typing only. */
  async settled(ready: Promise<void>): Promise<void> {
    this.#settlingCount++;
    this.#pauses.askAgain();
    try {
      await ready;
      for (const { id } of this.#service.environments()) await this.#update(id);
    } finally {
      this.#settlingCount--;
    }
  }

  #endWaiting(uri: string, isComplete: (of: Environment) => boolean): void {
    const waiting = this.#waiting.get(uri) ?? [];
    this.#waiting.delete(uri);
    for (const { environment, end } of waiting) end(isComplete(environment));
  }

  /** Folders, project files, settings or files on disk have changed. */
  async everythingChanged(): Promise<void> {
    // Whoever reads them says so at the end.
    if (this.#service.isLoading()) return;
    const environments = this.#service.environments();
    const present = new Set(environments.map(({ id }) => id));
    // No run tells of files that are gone, or that no manifest is beside.
    const isAlone = (uri: string): boolean =>
      !present.has(this.#service.environmentOf(uri)?.id ?? "");
    for (const uri of [...this.#edits.keys()].filter(isAlone)) this.#answer(uri);
    for (const uri of [...this.#sent.uris(), ...this.#service.projectUris()].filter(isAlone))
      this.#toShow.add(uri);
    for (const id of this.#seen.keys()) {
      if (present.has(id)) continue;
      for (const known of [this.#seen, this.#costs]) known.delete(id);
      this.#pauses.forget(id);
      this.#service.forget(id);
      this.#client.gone(id);
    }
    await this.#showFiles(this.#toShow, () => false);
    for (const { id } of environments) await this.#update(id);
  }

  /** The run that is under way notices that it is stale, and starts anew. */
  #update(id: string): Promise<void> {
    this.#pauses.askAgain(id);
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const run = this.#run(id)
      .catch((error: unknown) => {
        // Nobody is kept waiting for what will not come.
        this.#edits.clear();
        for (const uri of [...this.#waiting.keys()]) this.#endWaiting(uri, () => true);
        this.#client.failed(error);
      })
      .finally(() => {
        this.#running.delete(id);
        // Whoever has asked since the run looked for the last time who waits.
        if (this.#isWaitedFor(id)) void this.#update(id);
      });
    this.#running.set(id, run);
    return run;
  }

  async #run(id: string): Promise<void> {
    for (;;) {
      // Whatever else the client has sent by now is taken in first.
      await this.#background.pause();
      const environment = this.#service.environment(id);
      this.#giveUp(id, environment);
      if (environment === undefined) return;
      for (const uri of this.#editsOf(environment)) this.#answerEdit(environment, uri);
      this.#seen.set(id, environment);
      const isStale = (): boolean =>
        this.#service.environment(id) !== environment || this.#editsOf(environment).length > 0;
      await this.#preview(environment, isStale);
      await this.#judge(environment, isStale);
      if (isStale()) continue;
      for (const failure of this.#service.takeFailures(environment)) this.#client.failed(failure);
      for (const uri of [...this.#waiting.keys()])
        if (this.#service.environmentOf(uri) === environment)
          this.#endWaiting(uri, (asked) => asked === environment);
      this.#client.predicted(environment);
      void this.#prepare(environment, isStale);
      return;
    }
  }

  #isWaitedFor(id: string): boolean {
    return [...this.#waiting.values()].flat().some(({ environment }) => environment.id === id);
  }

  #editsOf(environment: Environment): readonly string[] {
    if (this.#edits.size === 0) return [];
    return [...this.#edits.keys()].filter(
      (uri) => this.#service.environmentOf(uri) === environment,
    );
  }

  /** Ends the wait of all who have asked about an earlier state of the environment: nobody will judge that any more. */
  #giveUp(id: string, present: Environment | undefined): void {
    for (const [uri, waiting] of this.#waiting)
      if (waiting.some(({ environment }) => environment.id === id && environment !== present))
        this.#endWaiting(uri, (of) => of.id !== id);
  }

  /** With all that has to do with the file where that is done at once, else with what was known of it before. */
  #answerEdit(environment: Environment, uri: string): void {
    const { compare, predict } = this.#costsOf(environment);
    const left = this.#service.workLeft(environment, uri);
    if (compare.of(left.compareCount) + predict.of(left.predictCount) <= atOnceMs) {
      const end = performance.now() + atOnceMs;
      for (const _ of this.#service.judge(environment, uri)) if (performance.now() >= end) break;
    }
    this.#answer(uri);
  }

  #costsOf({ id }: Environment): Costs {
    const known = this.#costs.get(id);
    if (known !== undefined) return known;
    // Until it is measured: comparing is cheap, running the engine is not.
    const first = { compare: new CostEstimate(0.1), predict: new CostEstimate(1) };
    this.#costs.set(id, first);
    return first;
  }

  /** Nobody waits for it. Where an edit comes before its end, the preview of that edit does the rest. */
  async #prepare(environment: Environment, isStale: () => boolean): Promise<void> {
    try {
      const preparing = this.#service.prepare(environment);
      if (!(await this.#background.drive(preparing, isStale))) return;
      await this.#background.drive(this.#service.keep(environment), isStale);
    } catch (error) {
      this.#client.failed(error);
    }
  }

  /** Comes right after the answer to an edit, before everything else. */
  async #preview(environment: Environment, isStale: () => boolean): Promise<void> {
    if (this.#service.canPreview(environment)) {
      const holdMs = this.#pauses.previewHoldMs(environment.id);
      if (!(await this.#pauses.pause(environment.id, () => holdMs, isStale))) return;
      const previewing = this.#service.preview(environment);
      if (!(await this.#background.drive(previewing, isStale)) || isStale()) return;
    }
    // All others are looked at in the next pause.
    for (const uri of this.#service.takeChangedByPreview(environment)) this.#toShowAtOnce.add(uri);
    await this.#showFiles(this.#toShowAtOnce, isStale);
  }

  async #judge(environment: Environment, isStale: () => boolean): Promise<void> {
    const { compare, predict } = this.#costsOf(environment);
    const { compareCount, predictCount } = this.#service.workLeft(environment);
    // What compares the edited objects is told by the preview: the others can wait for the longer pause.
    const isTold = this.#service.hasPreview(environment);
    const costMs = compare.of(compareCount) + (isTold ? predict.of(predictCount) : 0);
    if (!(await this.#hold(environment, costMs, isStale))) return;
    const comparing = this.#service.compare(environment);
    await this.#measured(compare, compareCount, async () => {
      await this.#show(environment, isStale);
      return await this.#background.drive(comparing, isStale);
    });
    await this.#show(environment, isStale);
    if (!(await this.#hold(environment, predict.of(predictCount), isStale))) return;
    const predicting = this.#predictions(environment);
    await this.#measured(predict, predictCount, async () => {
      while (!isStale()) {
        const isDone = await this.#background.drive(predicting, isStale, showEveryMs);
        await this.#show(environment, isStale);
        if (isDone) return true;
      }
      return false;
    });
  }

  /** Of the files that were edited or are waited for first. */
  *#predictions(environment: Environment): Generator<void> {
    const isIn = (uri: string): boolean => this.#service.environmentOf(uri) === environment;
    for (const uri of [...this.#waiting.keys(), ...this.#first].filter(isIn)) {
      yield* this.#service.judge(environment, uri);
      this.#first.delete(uri);
      this.#endWaiting(uri, (asked) => asked === environment);
    }
    yield* this.#service.judge(environment);
  }

  async #measured(cost: CostEstimate, count: number, work: () => Promise<boolean>): Promise<void> {
    const before = this.#background.workedMs;
    const isDone = await work();
    cost.note(count, this.#background.workedMs - before, isDone);
  }

  /** Waits for a pause in typing that is as long as the work; false where an edit has come. */
  #hold(environment: Environment, costMs: number, isStale: () => boolean): Promise<boolean> {
    return this.#pauses.pause(environment.id, () => this.#holdMs(costMs), isStale);
  }

  #holdMs(costMs: number): number {
    if (costMs <= atOnceMs) return 0;
    const isWaitedFor = this.#settlingCount > 0 || this.#waiting.size > 0;
    return isWaitedFor ? holdMinMs : Math.min(Math.max(costMs, holdMinMs), holdMaxMs);
  }

  /** What is left when an edit comes is shown after it. */
  async #show(environment: Environment, isStale: () => boolean): Promise<void> {
    if (isStale()) return;
    for (const uri of this.#service.takeChanged(environment)) this.#toShow.add(uri);
    await this.#showFiles(this.#toShow, isStale);
  }

  async #showFiles(uris: Set<string>, isStale: () => boolean): Promise<void> {
    const found = { changed: false };
    await this.#background.drive(this.#showing(uris, found), isStale);
    if (found.changed) this.#client.changed();
  }

  *#showing(uris: Set<string>, found: { changed: boolean }): Generator<void> {
    for (const uri of uris) {
      uris.delete(uri);
      if (!this.#client.wants(uri)) continue;
      if (this.#send(uri, this.#service.knownDiagnostics(uri))) found.changed = true;
      yield;
    }
  }

  #answer(uri: string): void {
    const version = this.#edits.get(uri);
    this.#edits.delete(uri);
    this.#send(uri, this.#service.knownDiagnostics(uri), version);
  }

  /** An edit is always answered, whatever else only with news; false where the client knew it. */
  #send(uri: string, diagnostics: readonly Diagnostic[], version?: number): boolean {
    const isNews = this.#sent.replace(uri, diagnostics);
    if (isNews || version !== undefined) this.#client.publish(uri, diagnostics, version);
    return isNews;
  }
}
