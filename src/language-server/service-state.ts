/** What the service holds: the workspace as it is, and what is known of each environment. */
import { makeRef } from "../engine/api/meta.ts";
import { type Analysis, analyze } from "./analysis.ts";
import { sliceMs } from "./background.ts";
import { diagnoseFile, type FileOptions, type Severities } from "./diagnostics/diagnose.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { FindingsCache } from "./findings-cache.ts";
import { JudgedEnvironment } from "./islands/judged-environment.ts";
import { nameAt } from "./names/name-at.ts";
import type { Pause, Prediction } from "./prediction/predictor.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import { projectFileName, readProjectFile } from "./project/project-file.ts";
import type { LoadProgress, ServiceOptions, ServiceSettings } from "./service.ts";
import {
  importOutside,
  importSizeMax,
  importTooLarge,
  importUri,
} from "./workspace/cluster-imports.ts";
import { withMoreNames } from "./workspace/cluster-names.ts";
import { type Exclusions, excludedFiles } from "./workspace/excluded-files.ts";
import { type FileSystem, type FoundFile, fileSizeMax, tooLarge } from "./workspace/file-system.ts";
import type { Kustomized } from "./workspace/kustomize.ts";
import { kubernetesFiles } from "./workspace/schema-files.ts";
import { UnreadFiles } from "./workspace/unread-files.ts";
import { baseName, isBelow, parentUri } from "./workspace/uri.ts";
import {
  type Environment,
  objectsOfFile,
  Workspace,
  type WorkspaceFile,
  type WorkspaceObject,
} from "./workspace/workspace.ts";
import type { ManifestObject } from "./yaml/manifest.ts";
import { type ManifestFile, manifestFileInSteps } from "./yaml/manifest-file.ts";

const readBatchSize = 32;

/** A file that matters though it holds no object: it is broken, skipped, or a template. */
export function mattersWithoutObjects({ manifest, skipped }: WorkspaceFile): boolean {
  return skipped !== undefined || manifest.isKubernetes;
}

export class ServiceState {
  readonly workspace: Workspace = new Workspace();
  readonly fileSystem: FileSystem;
  readonly #pause: Pause;
  readonly #smallEnvironment: number | undefined;
  readonly #analyses = new Map<string, Analysis>();
  readonly #judged = new Map<string, JudgedEnvironment>();
  readonly findings: FindingsCache = new FindingsCache();
  /** Of the folders that are being read. */
  readonly #unread = new UnreadFiles();
  /** The last analysis that was asked for with the names of so many of them. */
  #knowingUnread:
    | { readonly analysis: Analysis; readonly count: number; readonly made: Analysis }
    | undefined;
  readonly #traceBytesMax: number | undefined;
  settings: PredictionSettings;
  /** Of the last time that each was done, with what was answered in between. */
  readonly timings: { readMs: number; compareMs: number; predictMs: number } = {
    readMs: 0,
    compareMs: 0,
    predictMs: 0,
  };
  #loadingCount = 0;
  #exclude: Exclusions = {};
  #leavesStructure: (uri: string) => boolean = () => false;

  constructor({ fileSystem, pause, smallEnvironment, traceBytesMax }: ServiceOptions) {
    this.#traceBytesMax = traceBytesMax;
    this.settings = { traceBytesMax };
    this.fileSystem = fileSystem;
    this.#smallEnvironment = smallEnvironment;
    this.#pause = pause;
  }

  get isLoading(): boolean {
    return this.#loadingCount > 0;
  }

  /** Takes all files over at once, so that nobody sees half of a workspace and an edit in between costs no more than later. */
  async loadFolders(folders: readonly string[], progress: LoadProgress = () => {}): Promise<void> {
    const { workspace } = this;
    const startedAt = performance.now();
    workspace.setFolders(folders);
    this.#loadingCount++;
    try {
      const listed = await this.#listFiles();
      const imports = await this.#importsNamedIn(listed);
      const files = listed.filter(({ uri }) => !imports.has(uri));
      const texts = await this.#readTexts(files);
      const read = new Map<FoundFile, ManifestFile>();
      await this.drive(this.#readManifests(files, texts, read, progress));
      const present = new Set(files.map(({ uri }) => uri));
      for (const uri of workspace.diskUris())
        if (!present.has(uri)) workspace.setDiskText(uri, undefined);
      for (const file of files)
        workspace.setDiskText(file.uri, texts.get(file), file.skipped, read.get(file));
      await this.readImports();
      await this.readCommitted();
    } finally {
      this.#loadingCount--;
      if (!this.isLoading) {
        this.#unread.clear();
        this.#knowingUnread = undefined;
      }
    }
    this.timings.readMs = performance.now() - startedAt;
  }

  /** Files with the objects of a cluster that runs are no manifests, and may be large. */
  async #importsNamedIn(files: readonly FoundFile[]): Promise<ReadonlySet<string>> {
    const imports = new Set(this.workspace.importUris());
    for (const { uri, skipped } of files) {
      if (baseName(uri) !== projectFileName || skipped !== undefined) continue;
      const project = readProjectFile((await this.fileSystem.readFile(uri)) ?? "");
      for (const { file } of project.imports) imports.add(importUri(parentUri(uri), file));
    }
    return imports;
  }

  /** Whether a file is named that nobody has read yet, or that was not there. */
  hasUnreadImports(): boolean {
    return this.workspace.importUris().some((uri) => !this.workspace.hasDiskText(uri));
  }

  /** They may be ignored in their folder. */
  async readImports(): Promise<void> {
    for (const uri of this.workspace.importUris())
      if (!this.workspace.hasDiskText(uri)) await this.#readImport(uri);
  }

  async #readImport(uri: string): Promise<void> {
    if (!this.workspace.mayReadImport(uri)) {
      this.workspace.setDiskText(uri, undefined, importOutside);
      return;
    }
    const text = await this.fileSystem.readFile(uri);
    if (text !== undefined && text.length > importSizeMax)
      this.workspace.setDiskText(uri, undefined, importTooLarge);
    else this.workspace.setDiskText(uri, text);
  }

  /** Whoever asks for names is answered from the texts until they are read as manifests. */
  async #readTexts(files: readonly FoundFile[]): Promise<ReadonlyMap<FoundFile, string>> {
    const texts = new Map<FoundFile, string>();
    const readText = async (file: FoundFile): Promise<void> => {
      const text = await this.fileSystem.readFile(file.uri);
      if (text === undefined) return;
      texts.set(file, text);
      this.#unread.add(file.uri, text);
      if (baseName(file.uri) === projectFileName) this.workspace.setDiskText(file.uri, text);
    };
    const readable = files.filter(({ skipped }) => skipped === undefined);
    for (let at = 0; at < readable.length; at += readBatchSize) {
      await Promise.all(readable.slice(at, at + readBatchSize).map(readText));
      await this.#pause();
    }
    return texts;
  }

  *#readManifests(
    files: readonly FoundFile[],
    texts: ReadonlyMap<FoundFile, string>,
    read: Map<FoundFile, ManifestFile>,
    progress: LoadProgress,
  ): Generator<void> {
    for (const [index, file] of files.entries()) {
      if (index % readBatchSize === 0) progress(index, files.length);
      const text = texts.get(file);
      const before = this.workspace.file(file.uri)?.manifest;
      if (text !== undefined) read.set(file, yield* manifestFileInSteps(text, before));
    }
    progress(files.length, files.length);
  }

  /** Reads those of the files that are still to be read which give the name at a place, or all in which it stands. */
  async readAhead(uri: string, offset: number, what: "definitions" | "uses"): Promise<void> {
    const file = this.workspace.file(uri);
    const analysis = this.analysisOf(uri);
    if (this.#unread.count === 0 || file === undefined || analysis === undefined) return;
    const named = nameAt(analysis, file, offset)?.place;
    if (named === undefined || named.kind === "PodVolume") return;
    const { kind, namespace, name } = named;
    const isKnown = analysis.environment.byRef.has(makeRef(kind, namespace, name));
    if (isKnown && what === "definitions") return;
    const wanted = new Set(this.#unread.mayDefine(named));
    if (what === "uses") for (const other of this.#unread.mayName(name)) wanted.add(other);
    await this.drive(this.#readUnread(wanted));
  }

  *#readUnread(uris: Iterable<string>): Generator<void> {
    for (const uri of uris) {
      const text = this.#unread.text(uri);
      if (text === undefined || this.workspace.file(uri) !== undefined) continue;
      const manifest = yield* manifestFileInSteps(text);
      this.workspace.setDiskText(uri, text, undefined, manifest);
    }
  }

  /** With the names of files that are still to be read. */
  withUnreadNames(analysis: Analysis): Analysis {
    const { count } = this.#unread;
    if (count === 0) return analysis;
    const before = this.#knowingUnread;
    if (before?.analysis === analysis && before.count === count) return before.made;
    const { id } = analysis.environment;
    const inner = this.workspace.environments().filter((other) => isBelow(other.id, id));
    const isIn = (uri: string): boolean =>
      isBelow(uri, id) && !inner.some((other) => isBelow(uri, other.id));
    const names = withMoreNames(analysis.names, () => this.#unread.named(isIn));
    const made = { ...analysis, names };
    this.#knowingUnread = { analysis, count, made };
    return made;
  }

  /** Of all folders, each file once, without those that the editor hides. */
  async #listFiles(): Promise<readonly FoundFile[]> {
    const isExcluded = excludedFiles(this.#exclude);
    const found = new Map<string, FoundFile>();
    for (const folder of this.workspace.folders)
      for (const file of await this.fileSystem.listFiles(folder))
        if (!isExcluded(file.uri, folder)) found.set(file.uri, file);
    return [...found.values()];
  }

  /** After every change on disk, since a commit leaves no other trace. */
  async readCommitted(): Promise<void> {
    const { workspace, fileSystem } = this;
    if (fileSystem.committedFiles === undefined) return;
    for (const folder of workspace.folders) {
      const committed = await fileSystem.committedFiles(folder);
      for (const uri of workspace.diskUris()) {
        if (!isBelow(uri, folder)) continue;
        const text = committed.get(uri);
        workspace.setCommittedText(uri, committed.has(uri) ? (text ?? null) : undefined);
      }
    }
  }

  async syncFolders(): Promise<void> {
    const { workspace, fileSystem } = this;
    for (const { uri, skipped } of await this.#listFiles()) {
      if (workspace.hasDiskText(uri) || workspace.importUris().includes(uri)) continue;
      const text = skipped === undefined ? await fileSystem.readFile(uri) : undefined;
      workspace.setDiskText(uri, text, skipped);
    }
    await this.readImports();
  }

  async reloadFiles(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      if (!this.workspace.hasDiskText(uri)) continue;
      if (this.workspace.importUris().includes(uri)) {
        await this.#readImport(uri);
        continue;
      }
      const text = await this.fileSystem.readFile(uri);
      if (text !== undefined && text.length > fileSizeMax)
        this.workspace.setDiskText(uri, undefined, tooLarge);
      else this.workspace.setDiskText(uri, text);
    }
    await this.readImports();
    await this.readCommitted();
  }

  configure({ yamlSchemas = {}, exclude = {}, imports, ...settings }: ServiceSettings): boolean {
    if (imports !== undefined) this.workspace.setImports(imports);
    this.settings = { ...settings, traceBytesMax: this.#traceBytesMax };
    this.#leavesStructure = kubernetesFiles(yamlSchemas);
    this.#analyses.clear();
    for (const judged of this.#judged.values()) judged.noteAllFiles();
    const before = this.#exclude;
    this.#exclude = exclude;
    return JSON.stringify(before) !== JSON.stringify(exclude);
  }

  environments(): readonly Environment[] {
    return this.workspace
      .environments()
      .filter(({ objects, files }) => objects.length > 0 || files.some(mattersWithoutObjects));
  }

  analysis(environment: Environment): Analysis {
    const known = this.#analyses.get(environment.id);
    if (known?.environment === environment) return known;
    const made = analyze(environment, this.settings, known);
    this.#analyses.set(environment.id, made);
    return made;
  }

  judged(environment: Environment): JudgedEnvironment {
    const known = this.#judged.get(environment.id);
    const analysis = this.analysis(environment);
    if (known === undefined) {
      const made = new JudgedEnvironment(analysis, this.#smallEnvironment);
      this.#judged.set(environment.id, made);
      return made;
    }
    if (known.basis !== analysis) known.update(analysis);
    return known;
  }

  analysisOf(uri: string): Analysis | undefined {
    const environment = this.workspace.environmentOf(uri);
    return environment === undefined ? undefined : this.analysis(environment);
  }

  *judge(environment: Environment, uri?: string): Generator<void> {
    const judged = this.judged(environment);
    yield;
    const startedAt = performance.now();
    yield* judged.compare(uri);
    const comparedAt = performance.now();
    yield* judged.predict(uri);
    this.timings.compareMs = comparedAt - startedAt;
    this.timings.predictMs = performance.now() - comparedAt;
  }

  *preview(environment: Environment): Generator<void> {
    const judged = this.judged(environment);
    yield;
    yield* judged.preview();
  }

  /** Of the environment as it is when all is known of it: an edit in between makes it take longer. */
  async predictPresent({ id }: Environment): Promise<Prediction | undefined> {
    for (;;) {
      const environment = this.workspace.environment(id);
      if (environment === undefined) return undefined;
      const isStale = (): boolean => this.workspace.environment(id) !== environment;
      const prediction = await this.predict(environment, isStale);
      if (prediction !== undefined) return prediction;
    }
  }

  async predict(
    environment: Environment,
    isStale: () => boolean = () => false,
  ): Promise<Prediction | undefined> {
    const work = await this.drive(this.judge(environment), isStale);
    if (work === undefined) return undefined;
    const judged = this.judged(environment);
    const [failure] = judged.takeFailures();
    if (failure !== undefined) throw failure;
    return judged.prediction();
  }

  /** Works in slices; undefined where nobody wants the end any more. */
  async drive<T>(
    work: Generator<void, T>,
    isStale: () => boolean = () => false,
  ): Promise<{ readonly end: T } | undefined> {
    let pausedAt = performance.now();
    for (;;) {
      const next = work.next();
      if (next.done === true) return { end: next.value };
      if (performance.now() - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale()) return undefined;
      pausedAt = performance.now();
    }
  }

  /** What the file says by itself, with the project's severities where no others are given. */
  ownDiagnostics(
    file: WorkspaceFile,
    environment: Environment,
    severities: Severities = environment.project.rules,
  ): readonly Diagnostic[] {
    const { kustomized } = environment;
    return diagnoseFile(file, this.analysis(environment).version, severities, {
      leavesStructure: this.#leavesStructure(file.uri),
      isPatch: kustomized.patches.has(file.uri),
      ...(kustomized.sources.has(file.uri) && byPatches(file, kustomized)),
    });
  }
}

/** What patches have to do with the objects of a file. */
function byPatches(file: WorkspaceFile, kustomized: Kustomized): FileOptions {
  const entries = new Map(objectsOfFile(file).map((entry) => [entry.object, entry]));
  const has = (object: ManifestObject, what: (entry: WorkspaceObject) => boolean): boolean => {
    const entry = entries.get(object);
    return entry !== undefined && what(entry);
  };
  return {
    patchProblems: kustomized.problems.filter(({ uri }) => uri === file.uri),
    patched: kustomized.patchedIn(file.uri),
    isReplaced: (object) => has(object, (entry) => kustomized.present(entry) !== entry),
    lacksPatch: (object) => has(object, kustomized.lacksPatch),
  };
}
