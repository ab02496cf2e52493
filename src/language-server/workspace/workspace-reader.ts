/** Reads the files of all folders into the workspace, and rereads what changes on disk. */
import { projectFileName, readProjectFile } from "../project/project-file.ts";
import type { ManifestFile } from "../yaml/manifest-file.ts";
import { type Exclusions, excludedFiles } from "./files/excluded-files.ts";
import {
  type FileSystem,
  type FoundFile,
  fileSizeMax,
  foundAt,
  tooLarge,
} from "./files/file-system.ts";
import { readInSteps } from "./files/read-in-steps.ts";
import { UnreadFiles } from "./files/unread-files.ts";
import { baseName, isBelow, parentUri } from "./files/uri.ts";
import {
  importIsFolder,
  importOutside,
  importSizeMax,
  importTooLarge,
  importUri,
} from "./imports/cluster-imports.ts";
import type { Workspace } from "./workspace.ts";

const readBatchSize = 32;

/** Called while files are read, with the number done so far and the total. */
export type LoadProgress = (done: number, total: number) => void;

/** Does work in slices, between which others have their turns. */
type Drive = (work: Generator<void>) => Promise<unknown>;

export class WorkspaceReader {
  readonly #workspace: Workspace;
  readonly #fileSystem: FileSystem;
  readonly #drive: Drive;
  readonly #pause: () => Promise<void>;
  /** Files of the folders that are being read and are not parsed yet. */
  readonly unread: UnreadFiles = new UnreadFiles();
  /** Number of requests for folders that are not finished; none have been made at the start. */
  #loadingCount = 0;
  #hasLoaded = false;
  /** Resolves once everything requested so far has been read. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #exclude: Exclusions = {};
  /** Files that could not be read when they were last requested: gone, or no permission. */
  readonly #notReadable = new Set<string>();

  constructor(
    workspace: Workspace,
    fileSystem: FileSystem,
    pause: () => Promise<void>,
    drive: Drive,
  ) {
    this.#workspace = workspace;
    this.#fileSystem = fileSystem;
    this.#pause = pause;
    this.#drive = drive;
  }

  /** True if there may be more than is known; also before the first folders are requested. */
  get isLoading(): boolean {
    return this.#loadingCount > 0 || !this.#hasLoaded;
  }

  /** Runs reads one after the other, so that older content never replaces newer. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(read);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** True if folders were requested again, so that only the last result matters. */
  get #isOutdated(): boolean {
    return this.#loadingCount > 1;
  }

  /** Returns true if other files are hidden than before. */
  setExclusions(exclude: Exclusions): boolean {
    const before = this.#exclude;
    this.#exclude = exclude;
    return JSON.stringify(before) !== JSON.stringify(exclude);
  }

  /** Resolves once everything requested by then has been read. */
  async loadFolders(folders: readonly string[], progress: LoadProgress): Promise<void> {
    this.#workspace.setFolders(folders);
    this.#loadingCount++;
    try {
      await this.#inTurn(() => this.#load(progress));
    } finally {
      this.#loadingCount--;
      if (this.#loadingCount === 0) {
        this.#hasLoaded = true;
        this.unread.clear();
      }
    }
    while (this.#loadingCount > 0) await this.#lastTurn;
  }

  /**
   * Takes over all files at once, so that a half-read workspace is never visible and an edit meanwhile is no more expensive.
   */
  async #load(progress: LoadProgress): Promise<void> {
    const workspace = this.#workspace;
    if (this.#isOutdated) return;
    this.unread.clear();
    const listed = await this.#listFiles();
    const imports = await this.#importsNamedIn(listed);
    const files = listed.filter(({ uri }) => !imports.has(uri));
    const texts = await this.#readTexts(files);
    const read = new Map<FoundFile, ManifestFile>();
    await this.#drive(this.#readManifests(files, texts, read, progress));
    if (this.#isOutdated) return;
    const present = new Set(files.map(({ uri }) => uri));
    for (const uri of workspace.diskUris())
      if (!present.has(uri)) workspace.setDiskText(uri, undefined);
    for (const file of files)
      workspace.setDiskText(file.uri, texts.get(file), file, read.get(file));
    await this.#readMissing(listed);
    await this.#readImports();
    await this.#readCommitted();
  }

  /** Imports contain objects of a running cluster: they are not manifests, and may be large. */
  async #importsNamedIn(files: readonly FoundFile[]): Promise<ReadonlySet<string>> {
    const imports = new Set(this.#workspace.importUris());
    for (const { uri, skipped } of files) {
      if (baseName(uri) !== projectFileName || skipped !== undefined) continue;
      const project = readProjectFile((await this.#text(uri)) ?? "");
      for (const { file } of project.imports) imports.add(importUri(parentUri(uri), file));
    }
    return imports;
  }

  /** True if an import has not been read yet, or did not exist. */
  hasUnreadImports(): boolean {
    return this.#workspace.importUris().some((uri) => !this.#workspace.hasDiskText(uri));
  }

  readImports(): Promise<void> {
    return this.#inTurn(() => this.#readImports());
  }

  /** Imports are read even if ignored in their folder. */
  async #readImports(): Promise<void> {
    for (const uri of this.#workspace.importUris())
      if (!this.#workspace.hasDiskText(uri)) await this.#readImport(uri);
  }

  async #readImport(uri: string): Promise<void> {
    const isOfProject = !this.#workspace.isImportForAll(uri);
    const isInside =
      this.#workspace.isInFolders(uri) && (await this.#found(uri)).skipped === undefined;
    if (isOfProject && !isInside) {
      this.#workspace.setDiskText(uri, undefined, { skipped: importOutside });
      return;
    }
    const text = await this.#text(uri);
    if (text === undefined) await this.#noteMissingImport(uri);
    else if (text.length > importSizeMax)
      this.#workspace.setDiskText(uri, undefined, { skipped: importTooLarge });
    else this.#workspace.setDiskText(uri, text);
  }

  async #text(uri: string): Promise<string | undefined> {
    const read = await this.#fileSystem.readFile(uri);
    if (read === undefined) this.#notReadable.add(uri);
    else this.#notReadable.delete(uri);
    return read;
  }

  #found(uri: string): Promise<FoundFile> {
    return foundAt(uri, this.#workspace.folders, this.#fileSystem);
  }

  async #noteMissingImport(uri: string): Promise<void> {
    const isFolder = (await this.#fileSystem.listFiles(uri)).length > 0;
    this.#workspace.setDiskText(uri, undefined, isFolder ? { skipped: importIsFolder } : {});
  }

  /** Names are answered from these texts until the manifests are parsed. */
  async #readTexts(files: readonly FoundFile[]): Promise<ReadonlyMap<FoundFile, string>> {
    const texts = new Map<FoundFile, string>();
    const readText = async (file: FoundFile): Promise<void> => {
      const text = await this.#text(file.uri);
      if (text === undefined) return;
      texts.set(file, text);
      this.unread.add(file.uri, text);
      if (baseName(file.uri) === projectFileName) this.#workspace.setDiskText(file.uri, text);
    };
    const readable = files.filter(({ skipped }) => skipped === undefined);
    for (let at = 0; at < readable.length && !this.#isOutdated; at += readBatchSize) {
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
      if (this.#isOutdated) return;
      if (index % readBatchSize === 0) progress(index, files.length);
      const text = texts.get(file);
      const before = this.#workspace.file(file.uri)?.manifest;
      if (text !== undefined) read.set(file, yield* readInSteps(file.uri, text, before));
    }
    progress(files.length, files.length);
  }

  /** Parses those of the files that are still unread, before all others. */
  async readAhead(uris: Iterable<string>): Promise<void> {
    await this.#drive(this.#readUnread(uris));
  }

  *#readUnread(uris: Iterable<string>): Generator<void> {
    for (const uri of uris) {
      const text = this.unread.text(uri);
      if (text === undefined || this.#workspace.file(uri) !== undefined) continue;
      const manifest = yield* readInSteps(uri, text);
      this.#workspace.setDiskText(uri, text, {}, manifest);
    }
  }

  /** The files of all folders, each once, without those that the editor hides. */
  async #listFiles(): Promise<readonly FoundFile[]> {
    const isExcluded = excludedFiles(this.#exclude);
    const found = new Map<string, FoundFile>();
    for (const folder of this.#workspace.folders)
      for (const file of await this.#fileSystem.listFiles(folder, this.#workspace.folders))
        if (!isExcluded(file.uri, folder)) found.set(file.uri, file);
    this.#workspace.setListed(new Set(found.keys()));
    return [...found.values()];
  }

  /** Called after every change on disk, since a commit leaves no other trace. */
  async #readCommitted(): Promise<void> {
    const workspace = this.#workspace;
    const fileSystem = this.#fileSystem;
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

  /** Reads new files and forgets those that are gone: when a folder is deleted, watchers do not report each file. */
  syncFolders(): Promise<void> {
    return this.#inTurn(() => this.#syncFolders());
  }

  async #syncFolders(): Promise<void> {
    const workspace = this.#workspace;
    const listed = await this.#listFiles();
    const present = new Set(listed.map(({ uri }) => uri));
    const gone = workspace.diskUris().filter((uri) => !present.has(uri));
    // Without the project file, an import is a manifest or nothing.
    for (const uri of gone)
      if (baseName(uri) === projectFileName) workspace.setDiskText(uri, undefined);
    const imports = new Set(workspace.importUris());
    for (const uri of gone) if (!imports.has(uri)) workspace.setDiskText(uri, undefined);
    await this.#readMissing(listed);
    await this.#readImports();
  }

  /** Reads files that have not been read yet, except imports. */
  async #readMissing(listed: readonly FoundFile[]): Promise<void> {
    const workspace = this.#workspace;
    const imports = new Set(workspace.importUris());
    for (const file of listed) {
      const { uri, skipped } = file;
      if (workspace.hasDiskText(uri) || imports.has(uri)) continue;
      const text = skipped === undefined ? await this.#text(uri) : undefined;
      workspace.setDiskText(uri, text, file);
    }
  }

  /** Rereads changed files; in turn, because a load under way may already have read an older state. */
  reloadFiles(uris: readonly string[]): Promise<void> {
    return this.#inTurn(() => this.#reloadFiles(uris));
  }

  async #reloadFiles(uris: readonly string[]): Promise<void> {
    for (const uri of this.#withLinks(uris)) {
      if (!this.#workspace.hasDiskText(uri) && !this.#notReadable.has(uri)) continue;
      if (this.#workspace.importUris().includes(uri)) {
        await this.#readImport(uri);
        continue;
      }
      const found = await this.#found(uri);
      if (found.skipped !== undefined) {
        this.#workspace.setDiskText(uri, undefined, found);
        continue;
      }
      const text = await this.#text(uri);
      if (text !== undefined && text.length > fileSizeMax)
        this.#workspace.setDiskText(uri, undefined, { skipped: tooLarge });
      else this.#workspace.setDiskText(uri, text, found);
    }
    await this.#readImports();
    await this.#readCommitted();
  }

  /** Watchers report either a link or its target, not both. */
  #withLinks(uris: readonly string[]): ReadonlySet<string> {
    const targetOf = (uri: string): string | undefined => this.#workspace.file(uri)?.linkTo;
    const changed = new Set([...uris, ...uris.flatMap((uri) => targetOf(uri) ?? [])]);
    const links = this.#workspace.diskUris().filter((uri) => changed.has(targetOf(uri) ?? ""));
    return new Set([...changed, ...links]);
  }
}
