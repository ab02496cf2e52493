/**
 * Makes findings as files change and hands them on: those of the edited file first, then those of all others that the edit
 * has changed. There is no delay: work starts with the next turn of the event loop, and a run that a later edit has made out
 * of date is given up. What has not changed is not sent again.
 */
import type { Diagnostic } from "./diagnostics/rule.ts";
import type { Pause } from "./prediction/predictor.ts";
import { projectFileName } from "./project/project-file.ts";
import type { LanguageService } from "./service.ts";
import { baseName } from "./workspace/uri.ts";
import type { Environment } from "./workspace/workspace.ts";

export interface PublisherClient {
  /** All findings of a file; none takes the earlier ones away. The version is that of the edit they answer. */
  publish(uri: string, diagnostics: readonly Diagnostic[], version?: number): void;
  /** All is known of the environment; says whether findings have changed of files that nobody has edited. */
  predicted(environment: Environment, othersChanged: boolean): void;
  /** Our own bug, for the log. */
  failed(error: unknown): void;
}

/** As long as this the edited file's own work is done in one go: cheaper, and one answer instead of two. */
const atOnceMs = 10;
/** As long as this requests may have to wait for a turn. */
const sliceMs = 2;
/** How often a long run shows what it has found so far. */
const showEveryMs = 500;

interface Waiting {
  /** The state that is asked about. */
  readonly environment: Environment;
  readonly end: (isComplete: boolean) => void;
}

export class Publisher {
  readonly #service: LanguageService;
  readonly #client: PublisherClient;
  readonly #pause: Pause;
  readonly #sent = new Map<string, string>();
  readonly #sentLists = new Map<string, readonly Diagnostic[]>();
  /** Files whose findings may have changed and are still to be looked at. */
  readonly #toShow = new Set<string>();
  /** Edits that wait for their findings: the version of each file. */
  readonly #edits = new Map<string, number | undefined>();
  /** Who waits until all is known of a file. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Environments whose findings are being made. */
  readonly #running = new Map<string, Promise<void>>();
  /** Files that each environment has had findings in. */
  readonly #files = new Map<string, ReadonlySet<string>>();

  constructor(service: LanguageService, client: PublisherClient, pause: Pause) {
    this.#service = service;
    this.#client = client;
    this.#pause = pause;
  }

  /** A file's text has changed. Each version is answered, so that a client knows which text the findings are of. */
  fileChanged(uri: string, version?: number): void {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined || baseName(uri) === projectFileName) {
      this.#send(uri, this.#service.knownDiagnostics(uri), version);
      // A project file may part one environment into two, or make one of two.
      if (environment !== undefined) void this.everythingChanged();
      return;
    }
    // An answer that is still owed comes before the next one begins.
    if (this.#edits.has(uri)) this.#answer(uri);
    this.#edits.set(uri, version);
    void this.#update(environment.id);
  }

  /** Ends when all is known of a file; false where an edit has come before that. */
  complete(uri: string): Promise<boolean> {
    const environment = this.#service.environmentOf(uri);
    if (environment === undefined) return Promise.resolve(true);
    if (!this.#edits.has(uri)) this.#edits.set(uri, undefined);
    const ended = new Promise<boolean>((end) => {
      const waiting = this.#waiting.get(uri) ?? [];
      this.#waiting.set(uri, [...waiting, { environment, end }]);
    });
    void this.#update(environment.id);
    return ended;
  }

  /** Ends when all is known of all files. */
  async settled(): Promise<void> {
    for (const { id } of this.#service.environments()) await this.#update(id);
  }

  #endWaiting(uri: string, isComplete: (of: Environment) => boolean): void {
    const waiting = this.#waiting.get(uri) ?? [];
    this.#waiting.delete(uri);
    for (const { environment, end } of waiting) end(isComplete(environment));
  }

  /** Folders, project files, settings or files on disk have changed. */
  async everythingChanged(): Promise<void> {
    const environments = this.#service.environments();
    const present = new Set(environments.map(({ id }) => id));
    for (const [id, files] of this.#files) {
      if (present.has(id)) continue;
      for (const uri of files) if (this.#service.file(uri) === undefined) this.#send(uri, []);
      this.#files.delete(id);
    }
    for (const environment of environments) this.#forgetFiles(environment);
    for (const { id } of environments) await this.#update(id);
  }

  /** Files that are gone have no findings. */
  #forgetFiles({ id, files }: Environment): void {
    const present = new Set(files.map(({ uri }) => uri));
    for (const uri of this.#files.get(id) ?? [])
      if (!present.has(uri) && this.#service.environmentOf(uri) === undefined) this.#send(uri, []);
    this.#files.set(id, present);
  }

  /** The run that is under way notices that it is stale, and starts anew. */
  #update(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const run = this.#run(id)
      .catch((error: unknown) => {
        // Nobody is kept waiting for what will not come.
        this.#edits.clear();
        for (const uri of [...this.#waiting.keys()]) this.#endWaiting(uri, () => true);
        this.#client.failed(error);
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, run);
    return run;
  }

  async #run(id: string): Promise<void> {
    let othersChanged = false;
    for (;;) {
      // Whatever else the client has sent by now is taken in first.
      await this.#pause();
      const environment = this.#find(id);
      if (environment === undefined) {
        this.#giveUp(id);
        return;
      }
      const isStale = (): boolean => this.#find(id) !== environment;
      const edited = this.#editsOf(environment);
      for (const uri of edited) await this.#judgeEdited(environment, uri, isStale);
      const isInterrupted = (): boolean => isStale() || this.#editsOf(environment).length > 0;
      if (isInterrupted()) continue;
      const changed = await this.#judgeAll(environment, isInterrupted);
      othersChanged ||= changed;
      if (isInterrupted()) continue;
      for (const failure of this.#service.takeFailures(environment)) this.#client.failed(failure);
      this.#client.predicted(environment, othersChanged);
      return;
    }
  }

  #editsOf(environment: Environment): readonly string[] {
    if (this.#edits.size === 0) return [];
    return [...this.#edits.keys()].filter(
      (uri) => this.#service.environmentOf(uri) === environment,
    );
  }

  /** Nobody will hear of files of an environment that is no more. */
  #giveUp(id: string): void {
    for (const uri of this.#waiting.keys())
      if (this.#service.environmentOf(uri) === undefined)
        this.#endWaiting(uri, (of) => of.id !== id);
  }

  async #judgeEdited(environment: Environment, uri: string, isStale: () => boolean): Promise<void> {
    const work = this.#service.judge(environment, uri)[Symbol.iterator]();
    const end = performance.now() + atOnceMs;
    let isDone = false;
    while (!isDone && performance.now() < end) isDone = work.next().done === true;
    this.#answer(uri);
    if (!isDone && (await this.#drive(work, isStale)))
      this.#send(uri, this.#service.knownDiagnostics(uri));
    this.#endWaiting(uri, (asked) => asked === environment && !isStale());
  }

  /** Says whether findings of files have changed that were not edited. */
  async #judgeAll(environment: Environment, isStale: () => boolean): Promise<boolean> {
    const work = this.#service.judge(environment)[Symbol.iterator]();
    let changed = await this.#show(environment, isStale);
    while (!isStale()) {
      const isDone = await this.#drive(work, isStale, showEveryMs);
      changed = (await this.#show(environment, isStale)) || changed;
      if (isDone) break;
    }
    return changed;
  }

  /** True at the end of the work, false where it is stale or its time is up. */
  async #drive(
    work: Iterator<void>,
    isStale: () => boolean,
    forMs: number = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    let pausedAt = performance.now();
    const end = pausedAt + forMs;
    for (;;) {
      if (work.next().done === true) return true;
      const now = performance.now();
      if (now - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale() || now > end) return false;
      pausedAt = performance.now();
    }
  }

  /** What is left when an edit comes is shown after it. */
  async #show(environment: Environment, isStale: () => boolean): Promise<boolean> {
    let changed = false;
    if (isStale()) return changed;
    for (const uri of this.#service.takeChanged(environment)) this.#toShow.add(uri);
    let pausedAt = performance.now();
    for (const uri of this.#toShow) {
      if (performance.now() - pausedAt >= sliceMs) {
        await this.#pause();
        if (isStale()) return changed;
        pausedAt = performance.now();
      }
      this.#toShow.delete(uri);
      changed = this.#send(uri, this.#service.knownDiagnostics(uri)) || changed;
    }
    return changed;
  }

  #find(id: string): Environment | undefined {
    return this.#service.environment(id);
  }

  #answer(uri: string): void {
    const version = this.#edits.get(uri);
    this.#edits.delete(uri);
    this.#send(uri, this.#service.knownDiagnostics(uri), version);
  }

  #send(uri: string, diagnostics: readonly Diagnostic[], version?: number): boolean {
    // Made of the same as what was sent: nothing to compare.
    if (version === undefined && this.#sentLists.get(uri) === diagnostics) return false;
    this.#sentLists.set(uri, diagnostics);
    const text = diagnostics.length === 0 ? "" : JSON.stringify(diagnostics);
    const isKnown = (this.#sent.get(uri) ?? "") === text;
    if (version === undefined && isKnown) return false;
    if (text === "") this.#sent.delete(uri);
    else this.#sent.set(uri, text);
    this.#client.publish(uri, diagnostics, version);
    return !isKnown;
  }
}
