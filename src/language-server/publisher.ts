/**
 * Pushes findings: those of the edited file at once, those that a prediction brings as soon as it has ended. A run that an
 * edit has made out of date is given up; what has not changed is not sent again.
 */
import type { Diagnostic } from "./diagnostics/rule.ts";
import { projectFileName } from "./project/project-file.ts";
import type { LanguageService } from "./service.ts";
import { baseName } from "./workspace/uri.ts";
import type { Environment } from "./workspace/workspace.ts";

export interface PublisherClient {
  /** All findings of a file; none takes the earlier ones away. The version is that of the edit they answer. */
  publish(uri: string, diagnostics: readonly Diagnostic[], version?: number): void;
  /** A prediction has ended. */
  predicted(environment: Environment): void;
  /** Our own bug, for the log. */
  failed(error: unknown): void;
}

/** More than passes between two keystrokes of a fast typist. */
const quietMs = 100;

export class Publisher {
  readonly #service: LanguageService;
  readonly #client: PublisherClient;
  readonly #sent = new Map<string, string>();
  /** The state of each environment whose findings are with the client. */
  readonly #shown = new Map<string, Environment>();
  /** Environments in which somebody is typing. */
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  /** Environments whose prediction runs. */
  readonly #running = new Set<string>();
  /** Files that each environment had findings in. */
  readonly #files = new Map<string, ReadonlySet<string>>();

  constructor(service: LanguageService, client: PublisherClient) {
    this.#service = service;
    this.#client = client;
  }

  /** A file's text has changed. Each version is answered, so that a client knows which text the findings are of. */
  fileChanged(uri: string, version?: number): void {
    this.#send(uri, this.#service.editedDiagnostics(uri), version);
    if (baseName(uri) === projectFileName) {
      // It may part one environment into two, or make one of two.
      void this.everythingChanged();
      return;
    }
    const environment = this.#service.environmentOf(uri);
    if (environment !== undefined) this.#updateWhenQuiet(environment.id);
  }

  #updateWhenQuiet(id: string): void {
    clearTimeout(this.#waiting.get(id));
    const update = (): void => {
      this.#waiting.delete(id);
      void this.#update(id);
    };
    this.#waiting.set(id, setTimeout(update, quietMs));
  }

  /** Folders, project files, settings or files on disk have changed. */
  async everythingChanged(): Promise<void> {
    const environments = this.#service.environments();
    const present = new Set(environments.map(({ id }) => id));
    for (const [id, files] of this.#files) {
      if (present.has(id)) continue;
      for (const uri of files) if (this.#service.file(uri) === undefined) this.#send(uri, []);
      this.#files.delete(id);
      this.#shown.delete(id);
    }
    for (const environment of environments) this.#publishOwn(environment);
    for (const { id } of environments) {
      clearTimeout(this.#waiting.get(id));
      this.#waiting.delete(id);
      await this.#update(id);
    }
  }

  async #update(id: string): Promise<void> {
    // The run that is under way notices that it is stale, and starts anew.
    if (this.#running.has(id)) return;
    this.#running.add(id);
    try {
      // Who is typing is not disturbed: the run starts anew when it is quiet.
      while (!this.#waiting.has(id)) {
        const environment = this.#find(id);
        if (environment === undefined) return;
        const isStale = (): boolean => this.#find(id) !== environment;
        if (!(await this.#service.settle(environment, isStale))) continue;
        if (this.#shown.get(id) !== environment) this.#publishAll(environment);
        const prediction = await this.#service.predict(environment, isStale);
        if (prediction === undefined || isStale()) continue;
        if (!(await this.#service.settle(environment, isStale))) continue;
        this.#publishAll(environment);
        this.#client.predicted(environment);
        return;
      }
    } catch (error) {
      this.#client.failed(error);
    } finally {
      this.#running.delete(id);
    }
  }

  #find(id: string): Environment | undefined {
    return this.#service.environments().find((environment) => environment.id === id);
  }

  /** What each file says for itself, before its neighbors are asked. */
  #publishOwn({ id, files }: Environment): void {
    for (const { uri } of files) this.#send(uri, this.#service.editedDiagnostics(uri));
    this.#files.set(id, new Set(files.map(({ uri }) => uri)));
  }

  #publishAll(environment: Environment): void {
    this.#shown.set(environment.id, environment);
    const found = this.#service.environmentDiagnostics(environment);
    for (const uri of this.#files.get(environment.id) ?? []) {
      // A file that belongs to another environment by now has its findings from there.
      const owner = this.#service.environmentOf(uri)?.id ?? environment.id;
      if (!found.has(uri) && owner === environment.id) this.#send(uri, []);
    }
    for (const [uri, diagnostics] of found) this.#send(uri, diagnostics);
    this.#files.set(environment.id, new Set(found.keys()));
  }

  #send(uri: string, diagnostics: readonly Diagnostic[], version?: number): void {
    const text = diagnostics.length === 0 ? "" : JSON.stringify(diagnostics);
    if (version === undefined && (this.#sent.get(uri) ?? "") === text) return;
    if (text === "") this.#sent.delete(uri);
    else this.#sent.set(uri, text);
    this.#client.publish(uri, diagnostics, version);
  }
}
