/**
 * State shared by all handlers: the connection, the service, the client's spelling of URIs, and the only guard around requests.
 */
import {
  CancellationToken,
  type ClientCapabilities,
  type Connection,
  ErrorCodes,
  type InitializeParams,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import {
  type EnvironmentsReply,
  environmentsNotification,
  type Position,
} from "../../protocol/messages.ts";
import { withoutLinks } from "../../protocol/visible-text.ts";
import type { Analysis } from "../analysis.ts";
import { Background, type Pause } from "../background.ts";
import { traceBytesMax } from "../prediction/memory.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { Publisher } from "../publishing/publisher.ts";
import { createLanguageService, type LanguageService } from "../service.ts";
import type { TextStorage } from "../storage/text-storage.ts";
import { linesOf } from "../text-lines.ts";
import { type Environment, hasCluster } from "../workspace/environment.ts";
import type { FileSystem } from "../workspace/files/file-system.ts";
import { judgedFile } from "../workspace/files/repeated-links.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import {
  asksForDiagnostics,
  ClientSettings,
  hasCommands,
  hasSettings,
  storageFolderOf,
} from "./client-settings.ts";
import { toLspDiagnostic } from "./to-lsp.ts";

/** What differs between Node and a web worker. */
export interface ServerRuntime {
  readonly fileSystem: FileSystem;
  readonly pause: Pause;
  /** Memory limit; unlimited if absent. */
  readonly heapBytesMax?: number;
  /** Storage for results between starts; if absent, nothing is stored. */
  readonly storageIn?: (folder: string) => TextStorage;
}

/** A place as a request names it. */
export interface At {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  /** Which files to read first while folders are being read: those that define the name at the place, or all that use it. */
  readonly readsFirst?: "definitions" | "uses";
}

/** A place in a known file, and the state of its environment. */
export interface Place {
  readonly analysis: Analysis;
  /** Of the present state; undefined while it is being computed. */
  readonly prediction: Prediction | undefined;
  /** The newest one for this place, possibly of an earlier state. */
  readonly lastPrediction: Prediction | undefined;
  readonly file: WorkspaceFile;
  readonly offset: number;
}

export class Session {
  readonly connection: Connection;
  readonly service: LanguageService;
  readonly background: Background;
  readonly publisher: Publisher;
  readonly documents: TextDocuments<TextDocument> = new TextDocuments(TextDocument);
  /** Resolves when the workspace has been read for the first time. */
  readonly loaded: Promise<void>;
  #finishLoading: () => void = () => {};
  readonly #storageIn: ServerRuntime["storageIn"];
  #params: InitializeParams | undefined;
  #isShutDown = false;
  /** URIs as the client spells them. */
  folders: readonly string[] = [];
  /** As the client has sent them last. */
  readonly settings: ClientSettings = new ClientSettings((message) =>
    this.show(MessageType.Warning, message),
  );
  readonly #whenInitialized: ((client: ClientCapabilities) => void | Promise<void>)[] = [];
  /** Files whose findings the client has asked for. */
  readonly pulled: Set<string> = new Set();
  /** By environment, the limit that ended its run early, if the user has been told of it. */
  readonly #limits = new Map<string, string>();
  /** The client's refusals that have been logged. */
  readonly #refusals = new Set<string>();
  /** How the client spells the URIs of open files. */
  readonly #clientUris = new Map<string, string>();

  constructor(connection: Connection, runtime: ServerRuntime) {
    const { fileSystem, pause, heapBytesMax, storageIn } = runtime;
    this.connection = connection;
    this.#storageIn = storageIn;
    this.background = new Background(pause);
    this.service = createLanguageService({
      fileSystem,
      pause: this.background.turn,
      ...(heapBytesMax !== undefined && { traceBytesMax: traceBytesMax(heapBytesMax, "next") }),
    });
    this.loaded = new Promise((resolve) => {
      this.#finishLoading = resolve;
    });
    this.publisher = new Publisher(
      this.service,
      {
        // A client that pulls diagnostics is sent none, but is told to ask again if those of a file that it has asked for
        // change.
        wants: (uri) => !this.pulls || this.pulled.has(uri),
        publish: (uri, diagnostics, version) => {
          if (this.pulls) return;
          void connection.sendDiagnostics({
            uri: this.clientUri(uri),
            ...(version !== undefined && { version }),
            diagnostics: diagnostics.map((d) => toLspDiagnostic(d, this.findFile, this.clientUri)),
          });
        },
        changed: () => {
          if (this.refreshes)
            void this.ask("workspace/diagnostic/refresh", () =>
              connection.languages.diagnostics.refresh(),
            );
        },
        predicted: (environment) => {
          this.#tellLimit(environment);
          this.tellEnvironments();
          this.#refreshAnnotations();
        },
        gone: (id) => {
          this.#limits.delete(id);
          this.tellEnvironments();
        },
        failed: (error) => this.report("prediction", error),
      },
      this.background,
    );
  }

  /** Undefined before `initialize`. */
  get params(): InitializeParams | undefined {
    return this.#params;
  }

  begin(params: InitializeParams): void {
    if (this.#params !== undefined)
      throw new ResponseError(ErrorCodes.InvalidRequest, "The server is initialized already");
    this.#params = params;
    this.folders = foldersOf(params);
    this.configure(params.initializationOptions);
    const folder = storageFolderOf(params);
    if (folder !== undefined && this.#storageIn !== undefined)
      this.service.keepIn(this.#storageIn(folder));
  }

  /** True if the client is the extension, or one that has commands of the same names. */
  get hasCommands(): boolean {
    return this.#params !== undefined && hasCommands(this.#params);
  }

  get pulls(): boolean {
    return this.#params !== undefined && asksForDiagnostics(this.#params);
  }

  /** True if the client pulls diagnostics and can be told to ask again. */
  get refreshes(): boolean {
    const { workspace } = this.#params?.capabilities ?? {};
    return this.pulls && workspace?.diagnostics?.refreshSupport === true;
  }

  /** Callbacks are run in the order of registration, when the client is ready. */
  onInitialized(run: (client: ClientCapabilities) => void | Promise<void>): void {
    this.#whenInitialized.push(run);
  }

  shutDown(): void {
    this.#isShutDown = true;
  }

  initialized(): void {
    for (const run of this.#whenInitialized)
      this.guardEvent("initialized", () => run(this.#params?.capabilities ?? {}));
  }

  finishLoading(): void {
    this.#finishLoading();
  }

  /** Returns true if the settings change which files have to be read. */
  configure(given: unknown): boolean {
    const settings = this.settings.take(given);
    return settings !== undefined && this.service.configure(settings);
  }

  /** Shows the user a message. Names and values from files or settings do not become links. */
  show(type: MessageType, message: string): void {
    const shown = withoutLinks(message);
    void this.connection.sendNotification(ShowMessageNotification.type, { type, message: shown });
  }

  /** True if the client has sent settings at the start, and not only options for the server. */
  get hasSettings(): boolean {
    return this.#params !== undefined && hasSettings(this.#params);
  }

  /** Undefined if the client does not support the request, or refuses it. */
  async askConfiguration(): Promise<unknown> {
    if (this.#params?.capabilities.workspace?.configuration !== true) return undefined;
    const { workspace } = this.connection;
    return await this.ask("workspace/configuration", () =>
      workspace.getConfiguration("claimcheck"),
    );
  }

  environments(): EnvironmentsReply {
    const { environments, describe } = this.service;
    return environments()
      .filter(hasCluster)
      .map((environment) => describe(environment));
  }

  tellEnvironments(): void {
    void this.connection.sendNotification(environmentsNotification, {
      environments: this.environments(),
    });
  }

  /**
   * Warns that a run ended early and that findings are missing, which nothing else would show. Once per limit, until a run is
   * complete again.
   */
  #tellLimit(environment: Environment): void {
    const limit = this.service.prediction(environment)?.limit;
    if (limit === undefined) this.#limits.delete(environment.id);
    if (limit === undefined || this.#limits.get(environment.id) === limit) return;
    this.#limits.set(environment.id, limit);
    const message = `The simulation of ${environment.name} is not complete: ${limit}. Findings about later steps are missing.`;
    this.connection.console.warn(message);
    this.show(MessageType.Warning, `Claimcheck: ${message}`);
  }

  /** Clients show the lenses and hints of a new prediction only when told to ask again. */
  #refreshAnnotations(): void {
    const { workspace } = this.#params?.capabilities ?? {};
    const refresh = (method: string): void =>
      void this.ask(method, () => this.connection.sendRequest(method));
    if (workspace?.codeLens?.refreshSupport === true) refresh("workspace/codeLens/refresh");
    if (workspace?.inlayHint?.refreshSupport === true) refresh("workspace/inlayHint/refresh");
  }

  /**
   * True if a document that the client has open can be a file of the workspace. False for what editors show under schemes of
   * their own: the other side of a comparison, a cell of a notebook.
   */
  isOfWorkspace(uri: string): boolean {
    const scheme = schemeOf(uri);
    return (
      scheme === "file" ||
      scheme === "untitled" ||
      this.folders.some((folder) => schemeOf(folder) === scheme)
    );
  }

  /** Our spelling of a URI that the client gave. */
  canonicalUri(uri: string): string {
    return this.service.canonicalUri(uri);
  }

  readonly clientUri = (uri: string): string => this.#clientUris.get(uri) ?? uri;

  rememberClientUri(canonical: string, spelled: string): void {
    this.#clientUris.set(canonical, spelled);
  }

  forgetClientUri(canonical: string): void {
    this.#clientUris.delete(canonical);
  }

  readonly findFile = (canonical: string): WorkspaceFile | undefined =>
    this.service.file(canonical);

  /** Answers a request about a known file; returns `nothing` for other files. */
  answerInFile<T>(
    name: string,
    { textDocument }: Pick<At, "textDocument">,
    token: CancellationToken,
    nothing: T,
    run: (place: Place) => T | Promise<T>,
  ): Promise<T> {
    const position = { line: 0, character: 0 };
    return this.answerAt(name, { textDocument, position }, token, nothing, run);
  }

  async #readAhead(uri: string, position: Position, what: "definitions" | "uses"): Promise<void> {
    const file = this.service.file(uri);
    if (file === undefined) return;
    await this.service.readAhead(uri, linesOf(file.manifest).offsetAt(position), what);
  }

  /** Answers a request about a place in a known file; returns `nothing` for other files. */
  answerAt<T>(
    name: string,
    { textDocument, position, readsFirst }: At,
    token: CancellationToken,
    nothing: T,
    run: (place: Place) => T | Promise<T>,
  ): Promise<T> {
    return this.answer(name, token, nothing, async () => {
      const uri = this.canonicalUri(textDocument.uri);
      if (readsFirst !== undefined && this.service.isLoading())
        await this.#readAhead(uri, position, readsFirst);
      const named = this.service.file(uri);
      const analysis = this.service.analysisOf(uri);
      if (named === undefined || analysis === undefined) return nothing;
      const { environment } = analysis;
      const file = judgedFile(named, environment);
      const offset = linesOf(file.manifest).offsetAt(position);
      const prediction = this.service.prediction(environment);
      const lastPrediction =
        this.service.previewAt(environment, file, offset) ??
        this.service.lastPrediction(environment);
      return await run({ analysis, prediction, lastPrediction, file, offset });
    });
  }

  /** Answers one of our own requests once the workspace has been read. */
  answerWhenLoaded<P, R>(
    method: string,
    nothing: R,
    run: (params: P, isCancelled: () => boolean) => R | Promise<R>,
  ): void {
    const answer = (params: P, token: CancellationToken = CancellationToken.None): Promise<R> =>
      this.answer(method, token, nothing, async () => {
        await this.loaded;
        return await run(params, () => token.isCancellationRequested);
      });
    this.connection.onRequest<unknown, unknown>(method, answer);
  }

  /** The guard around each request. Our bugs never make a request fail: they are logged, and the answer is `nothing`. */
  async answer<T>(
    name: string,
    token: CancellationToken,
    nothing: T,
    run: () => T | Promise<T>,
  ): Promise<T> {
    if (this.#params === undefined)
      throw new ResponseError(ErrorCodes.ServerNotInitialized, "No initialize has come yet");
    if (this.#isShutDown)
      throw new ResponseError(ErrorCodes.InvalidRequest, "The server is shut down");
    if (token.isCancellationRequested) return nothing;
    this.background.noteRequest();
    try {
      return await run();
    } catch (error) {
      this.report(name, error);
      return nothing;
    } finally {
      // A client that waits for each answer sends its next request only now.
      this.background.noteRequest();
    }
  }

  /**
   * Sends the client a request. If the client refuses it although it announced the capability, logs that once and returns
   * undefined.
   */
  async ask<T>(what: string, request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      const refusal = `The client refuses ${what}: ${error instanceof Error ? error.message : error}`;
      if (!this.#refusals.has(refusal)) this.connection.console.warn(refusal);
      this.#refusals.add(refusal);
      return undefined;
    }
  }

  guardEvent(name: string, run: () => void | Promise<void>): void {
    Promise.resolve()
      .then(run)
      .catch((error: unknown) => this.report(name, error));
  }

  report(name: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.connection.console.error(`${name} failed: ${text}`);
  }
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const folders = (workspaceFolders ?? []).map(({ uri }) => uri);
  if (folders.length > 0) return folders;
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}

function schemeOf(uri: string): string {
  return uri.slice(0, Math.max(uri.indexOf(":"), 0));
}
