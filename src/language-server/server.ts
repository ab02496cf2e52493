/** The Language Server Protocol's side of the service: wiring, one guard around each request, nothing else. */
import {
  type CancellationToken,
  CodeActionKind,
  CompletionItemKind,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type InitializeParams,
  type InitializeResult,
  type CodeAction as LspCodeAction,
  type TextEdit as LspTextEdit,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import {
  type EnvironmentsReply,
  type ExplainParams,
  type ExplainReply,
  environmentsNotification,
  environmentsRequest,
  explainRequest,
  type LocateParams,
  type LocateReply,
  locateRequest,
  type Position,
  type ScenarioParams,
  type ScenarioReply,
  type Settings,
  type StatusReply,
  scenarioRequest,
  statusRequest,
} from "../protocol/messages.ts";
import type { Analysis } from "./analysis.ts";
import { type CodeAction, codeActions } from "./features/code-actions.ts";
import { codeLenses } from "./features/code-lens.ts";
import { type CompletionKind, completions } from "./features/completion.ts";
import { definition } from "./features/definition.ts";
import { hover } from "./features/hover.ts";
import { inlayHints } from "./features/inlay-hints.ts";
import { findReferences } from "./features/references.ts";
import { documentSymbols, workspaceSymbols } from "./features/symbols.ts";
import type { Pause, Prediction } from "./prediction/predictor.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import { Publisher } from "./publisher.ts";
import { createLanguageService, type LanguageService } from "./service.ts";
import { linesOf } from "./text-lines.ts";
import {
  objectSymbolKind,
  rangeIn,
  toLspDiagnostic,
  toLspDocumentSymbol,
  toLspLocation,
} from "./to-lsp.ts";
import type { FileSystem } from "./workspace/file-system.ts";
import type { WorkspaceFile } from "./workspace/workspace.ts";

/** What differs between Node and a web worker. */
export interface ServerRuntime {
  readonly fileSystem: FileSystem;
  readonly pause: Pause;
}

interface At {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

interface Place {
  readonly analysis: Analysis;
  /** Of the present state; undefined while it is being made. */
  readonly prediction: Prediction | undefined;
  /** The newest there is, which may be of an earlier state. */
  readonly lastPrediction: Prediction | undefined;
  readonly file: WorkspaceFile;
  readonly offset: number;
}

export function startServer(connection: Connection, runtime: ServerRuntime): void {
  const server = new Server(connection, runtime);
  server.listen();
}

class Server {
  readonly #connection: Connection;
  readonly #service: LanguageService;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #publisher: Publisher;
  /** How the client spells the URIs of the files it has open. */
  readonly #clientUris = new Map<string, string>();
  #folders: readonly string[] = [];
  #params: InitializeParams | undefined;
  /** Ends when the workspace has been read. */
  #loaded: Promise<void>;
  #finishLoading: () => void = () => {};

  constructor(connection: Connection, { fileSystem, pause }: ServerRuntime) {
    this.#connection = connection;
    this.#service = createLanguageService({ fileSystem, pause });
    this.#loaded = new Promise((resolve) => {
      this.#finishLoading = resolve;
    });
    this.#publisher = new Publisher(this.#service, {
      publish: (uri, diagnostics, version) => {
        const find = (at: string): WorkspaceFile | undefined => this.#service.file(at);
        void connection.sendDiagnostics({
          uri: this.#clientUri(uri),
          ...(version !== undefined && { version }),
          diagnostics: diagnostics.map((d) =>
            toLspDiagnostic(d, find, (at) => this.#clientUri(at)),
          ),
        });
      },
      predicted: () => {
        void connection.sendNotification(environmentsNotification, {
          environments: this.#environments(),
        });
        this.#refreshAnnotations();
      },
      failed: (error) => this.#report("prediction", error),
    });
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#guardEvent("initialized", () => this.#initialized()));
    this.#listenToDocuments();
    this.#listenToWorkspace();
    this.#answerFeatures();
    this.#answerWriting();
    this.#answerAnnotations();
    this.#answerOwnRequests();
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#params = params;
    this.#configure(params.initializationOptions);
    this.#folders = (params.workspaceFolders ?? []).map(({ uri }) => uri);
    if (this.#folders.length === 0 && params.rootUri !== null && params.rootUri !== undefined) {
      this.#folders = [params.rootUri];
    }
    return {
      serverInfo: { name: "claimcheck" },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        completionProvider: { triggerCharacters: [":", " "] },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
        inlayHintProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized(): Promise<void> {
    const { workspace } = this.#params?.capabilities ?? {};
    if (workspace?.didChangeConfiguration?.dynamicRegistration === true) {
      void this.#connection.client.register(DidChangeConfigurationNotification.type, {
        section: "claimcheck",
      });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration === true) {
      const watchers = [{ globPattern: "**/*.{yaml,yml,json}" }];
      void this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
    this.#listenToFolders();
    await this.#load();
    this.#finishLoading();
  }

  /** Reads the folders, with a progress bar where the client has one. */
  async #load(): Promise<void> {
    const folders = this.#folders.map((uri) => this.#service.canonicalUri(uri));
    const shows =
      this.#params?.capabilities.window?.workDoneProgress === true && folders.length > 0;
    const progress = shows ? await this.#connection.window.createWorkDoneProgress() : undefined;
    progress?.begin("Claimcheck", 0, "reading manifests");
    await this.#service.loadFolders(folders, (done, total) =>
      progress?.report(Math.floor((100 * done) / Math.max(total, 1)), `${done} of ${total} files`),
    );
    progress?.report(100, "simulating");
    await this.#publisher.everythingChanged();
    progress?.done();
    void this.#connection.sendNotification(environmentsNotification, {
      environments: this.#environments(),
    });
  }

  #listenToDocuments(): void {
    this.#documents.onDidChangeContent(({ document }) =>
      this.#guardEvent("didChange", () => {
        const uri = this.#service.canonicalUri(document.uri);
        this.#clientUris.set(uri, document.uri);
        this.#service.setEditorText(uri, document.getText());
        this.#publisher.fileChanged(uri, document.version);
      }),
    );
    this.#documents.onDidClose(({ document }) =>
      this.#guardEvent("didClose", async () => {
        const uri = this.#service.canonicalUri(document.uri);
        this.#service.closeEditor(uri);
        await this.#publisher.everythingChanged();
        this.#clientUris.delete(uri);
      }),
    );
  }

  #listenToWorkspace(): void {
    const connection = this.#connection;
    connection.onDidChangeWatchedFiles(({ changes }) =>
      this.#guardEvent("didChangeWatchedFiles", async () => {
        await this.#service.reloadFiles(changes.map(({ uri }) => this.#service.canonicalUri(uri)));
        if (changes.some(({ type }) => type === FileChangeType.Created))
          await this.#service.syncFolders();
        await this.#publisher.everythingChanged();
      }),
    );
    connection.onDidChangeConfiguration(({ settings }) =>
      this.#guardEvent("didChangeConfiguration", async () => {
        const given: unknown = (settings as { readonly claimcheck?: unknown } | null)?.claimcheck;
        this.#configure(given ?? (await this.#askConfiguration()));
        await this.#publisher.everythingChanged();
      }),
    );
  }

  /** Only a client that has several folders may be listened to for their changes. */
  #listenToFolders(): void {
    if (this.#params?.capabilities.workspace?.workspaceFolders !== true) return;
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
      this.#guardEvent("didChangeWorkspaceFolders", async () => {
        const gone = new Set(removed.map(({ uri }) => uri));
        const kept = this.#folders.filter((uri) => !gone.has(uri));
        this.#folders = [...kept, ...added.map(({ uri }) => uri)];
        await this.#load();
      }),
    );
  }

  async #askConfiguration(): Promise<unknown> {
    if (this.#params?.capabilities.workspace?.configuration !== true) return undefined;
    return await this.#connection.workspace.getConfiguration("claimcheck");
  }

  #answerFeatures(): void {
    const connection = this.#connection;
    const clientUri = (uri: string): string => this.#clientUri(uri);
    connection.onHover((params, token) =>
      this.#answerAt("hover", params, token, null, ({ analysis, lastPrediction, file, offset }) => {
        const found = hover(analysis, lastPrediction, file, offset);
        if (found === undefined) return null;
        return {
          contents: { kind: "markdown", value: found.text },
          range: rangeIn(file, found.span),
        };
      }),
    );
    connection.onDefinition((params, token) =>
      this.#answerAt(
        "definition",
        params,
        token,
        [],
        ({ analysis, lastPrediction, file, offset }) =>
          definition(analysis, lastPrediction, file, offset).map((place) =>
            toLspLocation(place, clientUri),
          ),
      ),
    );
    connection.onReferences((params, token) =>
      this.#answerAt("references", params, token, [], ({ analysis, file, offset }) =>
        findReferences(analysis, file, offset, params.context.includeDeclaration).map((place) =>
          toLspLocation(place, clientUri),
        ),
      ),
    );
    connection.onDocumentSymbol(({ textDocument }, token) =>
      this.#answer("documentSymbol", token, [], () => {
        const file = this.#service.file(this.#service.canonicalUri(textDocument.uri));
        return file === undefined ? [] : documentSymbols(file).map(toLspDocumentSymbol);
      }),
    );
    connection.onWorkspaceSymbol(({ query }, token) =>
      this.#answer("workspaceSymbol", token, [], () =>
        workspaceSymbols(this.#service.environments(), query).map(({ name, detail, place }) => ({
          name,
          kind: objectSymbolKind,
          containerName: detail,
          location: toLspLocation(place, clientUri),
        })),
      ),
    );
  }

  /** What helps while typing. */
  #answerWriting(): void {
    const connection = this.#connection;
    connection.onCompletion(({ textDocument, position }, token) =>
      this.#answer("completion", token, [], () => {
        const uri = this.#service.canonicalUri(textDocument.uri);
        const file = this.#service.file(uri);
        if (file === undefined) return [];
        const lines = linesOf(file.manifest);
        const found = completions(this.#service.analysisOf(uri), file, lines.offsetAt(position));
        return found.map(({ label, kind, detail, documentation, insert, replace }) => ({
          label,
          kind: completionKinds[kind],
          ...(detail !== undefined && { detail }),
          ...(documentation !== undefined && { documentation }),
          textEdit: { range: lines.rangeOf(replace), newText: insert },
        }));
      }),
    );
    connection.onCodeAction(({ textDocument, range }, token) =>
      this.#answerAt(
        "codeAction",
        { textDocument, position: range.start },
        token,
        [],
        ({ analysis, prediction, file, offset }) => {
          const lines = linesOf(file.manifest);
          const span = { start: offset, end: lines.offsetAt(range.end) };
          const known = this.#service.diagnostics(file.uri);
          return codeActions(analysis, prediction, file, known, span).map((action) =>
            this.#toLspAction(action),
          );
        },
      ),
    );
  }

  #toLspAction({ title, edits, diagnostic }: CodeAction): LspCodeAction {
    const find = (uri: string): WorkspaceFile | undefined => this.#service.file(uri);
    const clientUri = (uri: string): string => this.#clientUri(uri);
    const changes: Record<string, LspTextEdit[]> = {};
    for (const { uri, text, ...span } of edits) {
      const inFile = (changes[clientUri(uri)] ??= []);
      inFile.push({ range: rangeIn(find(uri), span), newText: text });
    }
    return {
      title,
      kind: CodeActionKind.QuickFix,
      edit: { changes },
      ...(diagnostic !== undefined && {
        diagnostics: [toLspDiagnostic(diagnostic, find, clientUri)],
      }),
    };
  }

  /** What stands beside the text. */
  #answerAnnotations(): void {
    const connection = this.#connection;
    const start = { line: 0, character: 0 };
    connection.onCodeLens(({ textDocument }, token) =>
      this.#answerAt("codeLens", { textDocument, position: start }, token, [], (place) => {
        const { analysis, prediction, file } = place;
        if (prediction === undefined) return [];
        return codeLenses(analysis, prediction, file).map(({ title, span }) => ({
          range: rangeIn(file, span),
          command: { title, command: "" },
        }));
      }),
    );
    connection.languages.inlayHint.on(({ textDocument, range }, token) =>
      this.#answerAt("inlayHint", { textDocument, position: start }, token, [], (place) => {
        const { prediction, file } = place;
        if (prediction === undefined) return [];
        const lines = linesOf(file.manifest);
        return inlayHints(prediction, file)
          .map(({ offset, label, tooltip }) => ({
            position: lines.positionAt(offset),
            label,
            tooltip,
            paddingLeft: true,
          }))
          .filter(({ position: { line } }) => line >= range.start.line && line <= range.end.line);
      }),
    );
  }

  /** Annotations of a new prediction take the place of the old ones only when the client asks anew. */
  #refreshAnnotations(): void {
    const { workspace } = this.#params?.capabilities ?? {};
    if (workspace?.codeLens?.refreshSupport === true) {
      void this.#connection.sendRequest("workspace/codeLens/refresh");
    }
    if (workspace?.inlayHint?.refreshSupport === true) {
      void this.#connection.sendRequest("workspace/inlayHint/refresh");
    }
  }

  #answerOwnRequests(): void {
    const connection = this.#connection;
    connection.onRequest(environmentsRequest, (token: CancellationToken) =>
      this.#answer("environments", token, [], async () => {
        await this.#loaded;
        return this.#environments();
      }),
    );
    this.#answerWhenLoaded<ScenarioParams, ScenarioReply | null>(scenarioRequest, null, (params) =>
      this.#service.scenario(params),
    );
    this.#answerWhenLoaded<LocateParams, LocateReply | null>(locateRequest, null, (params) => {
      const found = this.#service.locate(params);
      return found === null ? null : { ...found, uri: this.#clientUri(found.uri) };
    });
    this.#answerWhenLoaded<ExplainParams, ExplainReply | null>(explainRequest, null, (params) =>
      this.#service.explain(params),
    );
    connection.onRequest(statusRequest, (token: CancellationToken) =>
      this.#answer<StatusReply | null>("status", token, null, () => this.#service.status()),
    );
  }

  #answerWhenLoaded<P, R>(method: string, nothing: R, run: (params: P) => R | Promise<R>): void {
    const answer = (params: P, token: CancellationToken): Promise<R> =>
      this.#answer(method, token, nothing, async () => {
        await this.#loaded;
        return await run(params);
      });
    this.#connection.onRequest<unknown, unknown>(method, answer);
  }

  #environments(): EnvironmentsReply {
    const { environments, describe } = this.#service;
    return environments()
      .filter(({ objects }) => objects.length > 0)
      .map((environment) => describe(environment));
  }

  #configure(given: unknown): void {
    if (typeof given !== "object" || given === null) return;
    const { profile, kubernetesVersion } = given as Partial<Settings>;
    const settings: PredictionSettings = {
      ...(typeof profile === "string" && profile !== "" && { profile }),
      ...(kubernetesVersion !== undefined && kubernetesVersion !== "" && { kubernetesVersion }),
    };
    this.#service.configure(settings);
  }

  #clientUri(uri: string): string {
    return this.#clientUris.get(uri) ?? uri;
  }

  /** Answers at a place of a known file; `nothing` elsewhere. */
  #answerAt<T>(
    name: string,
    { textDocument, position }: At,
    token: CancellationToken,
    nothing: T,
    run: (place: Place) => T,
  ): Promise<T> {
    return this.#answer(name, token, nothing, () => {
      const uri = this.#service.canonicalUri(textDocument.uri);
      const file = this.#service.file(uri);
      const analysis = this.#service.analysisOf(uri);
      if (file === undefined || analysis === undefined) return nothing;
      const prediction = this.#service.prediction(analysis.environment);
      const lastPrediction = this.#service.lastPrediction(analysis.environment);
      return run({
        analysis,
        prediction,
        lastPrediction,
        file,
        offset: linesOf(file.manifest).offsetAt(position),
      });
    });
  }

  /** The guard: a request never fails for a bug of ours; it is logged, and nothing is answered. */
  async #answer<T>(
    name: string,
    token: CancellationToken,
    nothing: T,
    run: () => T | Promise<T>,
  ): Promise<T> {
    if (token.isCancellationRequested) return nothing;
    try {
      return await run();
    } catch (error) {
      this.#report(name, error);
      return nothing;
    }
  }

  #guardEvent(name: string, run: () => void | Promise<void>): void {
    Promise.resolve()
      .then(run)
      .catch((error: unknown) => this.#report(name, error));
  }

  #report(name: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#connection.console.error(`${name} failed: ${text}`);
  }
}

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  object: CompletionItemKind.Reference,
};
