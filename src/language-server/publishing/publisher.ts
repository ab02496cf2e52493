/**
 * Computes findings as files change, and sends them. Findings that follow from a file alone, and whatever is known to be quick,
 * come in the next turn of the event loop. Everything else waits for a pause in typing, as long as the work took the last time;
 * work that a later edit makes stale is given up. If the rest is a run of everything, a preview comes at once, before it.
 * Unchanged findings are not sent again.
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
  /** True if the client is to be sent a file's findings, or has asked for them. */
  wants(uri: string): boolean;
  /** Called with all findings of a file; an empty list removes the earlier ones. The version is the answered edit's. */
  publish(uri: string, diagnostics: readonly Diagnostic[], version?: number): void;
  /** Called when more is known than the client has been told: it may ask again. */
  changed(): void;
  /** Called once everything about the environment is known. */
  predicted(environment: Environment): void;
  /** Called when an environment no longer exists. */
  gone(id: string): void;
  /** Called with an internal error, for the log. */
  failed(error: unknown): void;
}

/** Work that takes no longer than this is done before an edit is answered: one answer instead of two. */
const atOnceMs = 10;
/** Bounds of the pause in typing that work waits for. */
const holdMinMs = 150;
const holdMaxMs = 1000;
/** How often a long run shows what it has found so far. */
const showEveryMs = 500;

/** How long the work on one environment takes. */
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
  /** Files whose findings may have changed and have not been checked yet. */
  readonly #toShow = new Set<string>();
  /** Files whose findings a preview may have changed. */
  readonly #toShowAtOnce = new Set<string>();
  /** Edits that still have to be answered: the version of each file. */
  readonly #edits = new Map<string, number | undefined>();
  /** Files edited since everything was last known: the islands with findings there are judged first. */
  readonly #first = new Set<string>();
  /** By file, the calls of `complete` that wait until everything about it is known. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Number of calls of `settled` that wait until everything about all files is known. */
  #settlingCount = 0;
  /** Environments that are being judged. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #pauses = new TypingPauses();
  readonly #seen = new Map<string, Environment>();
  readonly #costs = new Map<string, Costs>();

  constructor(service: LanguageService, client: PublisherClient, background: Background) {
    this.#service = service;
    this.#client = client;
    this.#background = background;
  }

  /** A file's text has changed. Each version is answered, so that the client knows which text the findings are for. */
  fileChanged(uri: string, version?: number): void {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined || baseName(uri) === projectFileName) {
      this.#send(uri, this.#service.knownDiagnostics(uri), version);
      // A project file may split an environment or unite two; a file outside all environments is an imported cluster.
      this.everythingChanged().catch((error: unknown) => this.#client.failed(error));
      return;
    }
    // An answer that is still owed comes first.
    if (this.#edits.has(uri)) this.#answer(uri);
    this.#edits.set(uri, version);
    // Findings that depend on other files wait until all files have been read.
    if (this.#service.isLoading()) {
      void this.#answerSoon(uri);
      return;
    }
    this.#noteEdit(environment, uri);
    void this.#update(environment.id);
    for (const id of this.#service.madeOf(uri)) void this.#update(id);
  }

  /** Lets requests that came with the edit be answered first. */
  async #answerSoon(uri: string): Promise<void> {
    await this.#background.pause();
    if (!this.#edits.has(uri)) return;
    try {
      this.#answer(uri);
    } catch (error) {
      this.#client.failed(error);
    }
  }

  /** Notes an edit, unless the environment is unchanged: opening a file as it is on disk changes nothing. */
  #noteEdit(environment: Environment, uri: string): void {
    const { id } = environment;
    if (this.#seen.get(id) === environment) return;
    this.#seen.set(id, environment);
    this.#pauses.noteEdit(id);
    this.#first.add(uri);
  }

  /** The editor was closed, and the file is as on disk. */
  fileClosed(uri: string): Promise<void> {
    this.#toShow.add(uri);
    return this.everythingChanged();
  }

  /** Answers an edit that still waits: from then on the file's known findings are those of its present text. */
  answerNow(uri: string): void {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined || !this.#edits.has(uri)) return;
    if (this.#service.isLoading()) this.#answer(uri);
    else this.#answerEdit(environment, uri);
  }

  /** Resolves once everything about a file is known; to false if an edit comes first. */
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

  /** Resolves once `ready` has and everything about all files is known. Until then work only waits for the shortest pause. */
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
    // Whoever is reading them calls this again at the end.
    if (this.#service.isLoading()) return;
    const environments = this.#service.environments();
    const present = new Set(environments.map(({ id }) => id));
    // No run covers files that are gone, or project files without a manifest beside them.
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

  /** Starts a run; one that is under way notices that it is stale and starts anew. */
  #update(id: string): Promise<void> {
    this.#pauses.askAgain(id);
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const run = this.#run(id)
      .catch((error: unknown) => {
        // Nobody is kept waiting for an answer that will not come.
        this.#edits.clear();
        for (const uri of [...this.#waiting.keys()]) this.#endWaiting(uri, () => true);
        this.#client.failed(error);
      })
      .finally(() => {
        this.#running.delete(id);
        // Somebody may have asked since the run last checked who is waiting.
        if (this.#isWaitedFor(id)) void this.#update(id);
      });
    this.#running.set(id, run);
    return run;
  }

  async #run(id: string): Promise<void> {
    for (;;) {
      // Takes in whatever else the client has sent by now.
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

  /** Ends the wait of all who asked about an earlier state of the environment: it will not be judged any more. */
  #giveUp(id: string, present: Environment | undefined): void {
    for (const [uri, waiting] of this.#waiting)
      if (waiting.some(({ environment }) => environment.id === id && environment !== present))
        this.#endWaiting(uri, (of) => of.id !== id);
  }

  /** Answers with everything related to the file if that is quick, else with what was known before. */
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
    // Until measured: comparing is cheap, running the engine is not.
    const first = { compare: new CostEstimate(0.1), predict: new CostEstimate(1) };
    this.#costs.set(id, first);
    return first;
  }

  /** Prepares for later edits in the background. If an edit comes before the end, that edit's preview does the rest. */
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
    // All other files are checked in the next pause.
    for (const uri of this.#service.takeChangedByPreview(environment)) this.#toShowAtOnce.add(uri);
    await this.#showFiles(this.#toShowAtOnce, isStale);
  }

  async #judge(environment: Environment, isStale: () => boolean): Promise<void> {
    const { compare, predict } = this.#costsOf(environment);
    const { compareCount, predictCount } = this.#service.workLeft(environment);
    // The preview already includes the comparison of the edited objects: the others can wait for the longer pause.
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

  /** First judges the files that were edited or are waited for. */
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

  /** Waits for a pause in typing that is as long as the work; false if an edit has come. */
  #hold(environment: Environment, costMs: number, isStale: () => boolean): Promise<boolean> {
    return this.#pauses.pause(environment.id, () => this.#holdMs(costMs), isStale);
  }

  #holdMs(costMs: number): number {
    if (costMs <= atOnceMs) return 0;
    const isWaitedFor = this.#settlingCount > 0 || this.#waiting.size > 0;
    return isWaitedFor ? holdMinMs : Math.min(Math.max(costMs, holdMinMs), holdMaxMs);
  }

  /** Sends changed findings; what is left when an edit comes is sent after it. */
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

  /** An edit is always answered, anything else only sends changes; returns false if the client knew the findings. */
  #send(uri: string, diagnostics: readonly Diagnostic[], version?: number): boolean {
    const isNews = this.#sent.replace(uri, diagnostics);
    if (isNews || version !== undefined) this.#client.publish(uri, diagnostics, version);
    return isNews;
  }
}
