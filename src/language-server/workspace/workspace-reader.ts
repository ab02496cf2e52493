/** Reads the files of all folders into the workspace, and again what changes on disk. */
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

/** Called while files are read: how many of how many. */
export type LoadProgress = (done: number, total: number) => void;

/** Does work in slices, between which others have their turns. */
type Drive = (work: Generator<void>) => Promise<unknown>;

export class WorkspaceReader {
  readonly #workspace: Workspace;
  readonly #fileSystem: FileSystem;
  readonly #drive: Drive;
  readonly #pause: () => Promise<void>;
  /** Of the folders that are being read. */
  readonly unread: UnreadFiles = new UnreadFiles();
  /** How often folders were asked for that have not been read yet; at the start nobody has asked for any. */
  #loadingCount = 0;
  #hasLoaded = false;
  /** Ends when all that was to be read by now has been taken over. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #exclude: Exclusions = {};
  /** Files that were not to be read when they were last asked for: gone, or somebody else's. */
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

  /** Whether what is known is not all there is: also before the first folders are asked for. */
  get isLoading(): boolean {
    return this.#loadingCount > 0 || !this.#hasLoaded;
  }

  /** One after the other: what was read earlier never takes the place of what was read later. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(read);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Whether folders were asked for again: only the last answer is of use. */
  get #isOutdated(): boolean {
    return this.#loadingCount > 1;
  }

  /** Says whether other files are hidden than before. */
  setExclusions(exclude: Exclusions): boolean {
    const before = this.#exclude;
    this.#exclude = exclude;
    return JSON.stringify(before) !== JSON.stringify(exclude);
  }

  /** Ends when all has been read that was asked for by then. */
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

  /** Takes all files over at once, so that nobody sees half of a workspace and an edit in between costs no more than later. */
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

  /** Files with the objects of a cluster that runs are no manifests, and may be large. */
  async #importsNamedIn(files: readonly FoundFile[]): Promise<ReadonlySet<string>> {
    const imports = new Set(this.#workspace.importUris());
    for (const { uri, skipped } of files) {
      if (baseName(uri) !== projectFileName || skipped !== undefined) continue;
      const project = readProjectFile((await this.#text(uri)) ?? "");
      for (const { file } of project.imports) imports.add(importUri(parentUri(uri), file));
    }
    return imports;
  }

  /** Whether a file is named that nobody has read yet, or that was not there. */
  hasUnreadImports(): boolean {
    return this.#workspace.importUris().some((uri) => !this.#workspace.hasDiskText(uri));
  }

  readImports(): Promise<void> {
    return this.#inTurn(() => this.#readImports());
  }

  /** They may be ignored in their folder. */
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

  /** Whoever asks for names is answered from the texts until they are read as manifests. */
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

  /** Those of the files that are still to be read, before the others. */
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

  /** Of all folders, each file once, without those that the editor hides. */
  async #listFiles(): Promise<readonly FoundFile[]> {
    const isExcluded = excludedFiles(this.#exclude);
    const found = new Map<string, FoundFile>();
    for (const folder of this.#workspace.folders)
      for (const file of await this.#fileSystem.listFiles(folder, this.#workspace.folders))
        if (!isExcluded(file.uri, folder)) found.set(file.uri, file);
    this.#workspace.setListed(new Set(found.keys()));
    return [...found.values()];
  }

  /** After every change on disk, since a commit leaves no other trace. */
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

  /** What has come into the folders, and what has gone: of a folder that is removed no watcher tells each file. */
  syncFolders(): Promise<void> {
    return this.#inTurn(() => this.#syncFolders());
  }

  async #syncFolders(): Promise<void> {
    const workspace = this.#workspace;
    const listed = await this.#listFiles();
    const present = new Set(listed.map(({ uri }) => uri));
    const gone = workspace.diskUris().filter((uri) => !present.has(uri));
    // What a project file has imported is a manifest without it, or nothing.
    for (const uri of gone)
      if (baseName(uri) === projectFileName) workspace.setDiskText(uri, undefined);
    const imports = new Set(workspace.importUris());
    for (const uri of gone) if (!imports.has(uri)) workspace.setDiskText(uri, undefined);
    await this.#readMissing(listed);
    await this.#readImports();
  }

  /** Files that nobody has read yet, but for those that are imported. */
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

  /** What has changed, which may have been read already for a workspace that is still being taken over. */
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

  /** Watchers tell of a link or of the file that it leads to, and not of both. */
  #withLinks(uris: readonly string[]): ReadonlySet<string> {
    const targetOf = (uri: string): string | undefined => this.#workspace.file(uri)?.linkTo;
    const changed = new Set([...uris, ...uris.flatMap((uri) => targetOf(uri) ?? [])]);
    const links = this.#workspace.diskUris().filter((uri) => changed.has(targetOf(uri) ?? ""));
    return new Set([...changed, ...links]);
  }
}
