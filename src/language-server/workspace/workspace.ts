/** The manifests of all folders, open editors first, divided into environments whose objects never meet. */
import { compareText } from "../../engine/api/go/text-order.ts";
import type { Ref } from "../../engine/api/meta.ts";
import { type KubernetesVersion, newestVersion } from "../../engine/scenario.ts";
import { packedText } from "../helm/archive/packed-chart.ts";
import type { ValuesSource } from "../helm/chart/given-values.ts";
import { type ProjectFile, projectFileName, readProjectFile } from "../project/project-file.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { type ManifestFile, readManifestFile } from "../yaml/manifest-file.ts";
import { type Charts, noCharts } from "./charts.ts";
import { replaceByBuilt } from "./committed-objects.ts";
import { type Environment, indexOfFile, objectsByRef } from "./environment.ts";
import { EnvironmentCharts } from "./environment-charts.ts";
import { fileOf, isFoundSo, notImported, type Source } from "./files/file-source.ts";
import type { FoundFile } from "./files/file-system.ts";
import { type JoinedFolders, joinedFolders } from "./files/joined-folders.ts";
import { unreadFile } from "./files/read-in-steps.ts";
import { repeatedLinks } from "./files/repeated-links.ts";
import { baseName, decoded, isBelow, parentUri, withoutTrailingSlash } from "./files/uri.ts";
import {
  chartFileName,
  chartFolders,
  isForHelm,
  isOfChart,
  isPackedChart,
  outermostChart,
} from "./helm/chart-folders.ts";
import type { ChartScene, LocalFolder } from "./helm/chart-releases.ts";
import { CommittedCharts } from "./helm/committed-charts.ts";
import { InflatedCharts } from "./helm/inflated-charts.ts";
import { LocalFolders } from "./helm/local-folders.ts";
import { ClusterImports } from "./imports/cluster-imports.ts";
import { isKustomization } from "./kustomize.ts";
import { objectsOfFile, type WorkspaceFile } from "./workspace-object.ts";

/** Texts that are not in a folder yet, such as `untitled:Untitled-1`, are grouped by their scheme. */
function ownFolder(uri: string): string {
  return uri.includes("/") ? parentUri(uri) : uri.slice(0, uri.indexOf(":") + 1);
}

interface StaleEnvironment {
  readonly environment: Environment;
  readonly changed: Set<string>;
}

export class Workspace {
  #folders: readonly string[] = [];
  readonly #sources = new Map<string, Source>();
  readonly #files = new Map<string, WorkspaceFile>();
  readonly #committed = new Map<string, ManifestFile>();
  readonly #projects = new Map<string, ProjectFile>();
  readonly #revisions = new Map<string, number>();
  readonly #environments = new Map<string, Environment>();
  /** The last state of each environment that an edit has changed, and the files that differ from it. */
  readonly #stale = new Map<string, StaleEnvironment>();
  /** Files with objects of running clusters, by environment; these are not manifests of the workspace. */
  readonly #imports = new ClusterImports();
  #listed: ReadonlySet<string> = new Set();
  /** Files whose text differs from the last commit. */
  readonly #uncommitted = new Set<string>();
  #overlays: ReadonlyMap<string, string> = new Map();
  /** By environment. */
  readonly #charts = new Map<string, EnvironmentCharts>();
  readonly #inflated = new InflatedCharts();
  readonly #committedCharts = new Map<string, CommittedCharts>();
  /** Folders with a chart, including subcharts. */
  readonly #inCharts = new Set<string>();
  /** Those that are not part of another chart; undefined after a chart was added or removed. */
  #chartFolders: ReadonlySet<string> | undefined;
  readonly #madeOf = new LocalFolders();
  #version: KubernetesVersion | undefined;
  #chartValues: readonly ValuesSource[] = [];
  /** Undefined after a change of folders or project files. */
  #joined: JoinedFolders | undefined;
  /** Files of each environment; undefined after a change of folders or project files. */
  #members: Map<string, Set<string>> | undefined;

  /** Each folder is an environment; a project file below it starts another one. */
  setFolders(folders: readonly string[]): void {
    this.#folders = folders
      .map(withoutTrailingSlash)
      .sort((a, b) => b.length - a.length || compareText(a, b));
    this.#regroup();
  }

  /** Sets the Kubernetes version for all environments, instead of those in project files. */
  setVersion(version: KubernetesVersion | undefined): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#regroup();
  }

  /** Sets values for all charts, which override those of the charts and of project files. */
  setChartValues(values: readonly ValuesSource[]): void {
    this.#chartValues = values;
    this.#regroup();
  }

  /** Sets, by environment, the overlay to judge, whatever the project file chooses. */
  setOverlays(overlays: ReadonlyMap<string, string>): void {
    this.#overlays = overlays;
    this.#regroup();
  }

  /** Sets files with the objects of a running cluster for all environments, instead of those that project files name. */
  setImports(uris: readonly string[]): void {
    this.#refile(() => this.#imports.setForAll(uris));
  }

  projectUris(): readonly string[] {
    return [...this.#projects.keys()].map((folder) => `${folder}/${projectFileName}`);
  }

  importUris(): readonly string[] {
    return this.#imports.uris();
  }

  /** Keeps an untrusted folder from leading to other files of this machine or another. */
  isInFolders(uri: string): boolean {
    return this.folders.some((folder) => isBelow(uri, folder));
  }

  isImportForAll(uri: string): boolean {
    return this.#imports.isForAll(uri);
  }

  /** Sets the URIs of all files in the folders that are neither ignored nor hidden, which are read even if not imported. */
  setListed(uris: ReadonlySet<string>): void {
    this.#listed = uris;
  }

  /** Applies a change of which files are imports, and updates the files concerned. */
  #refile(change: () => void): void {
    const before = new Set(this.#imports.uris());
    change();
    const now = new Set(this.#imports.uris());
    for (const [uri, source] of this.#sources)
      if (before.has(uri) !== now.has(uri))
        this.#setSource(uri, this.#listed.has(uri) || now.has(uri) ? source : notImported(source));
    this.#regroup();
  }

  get folders(): readonly string[] {
    return [...this.#folders].sort(compareText);
  }

  /** Sets the text on disk; undefined if the file is gone. `read` is the parsed text, if it is known already. */
  setDiskText(
    uri: string,
    text: string | undefined,
    { skipped, linkTo }: Omit<FoundFile, "uri"> = {},
    read?: ManifestFile,
  ): void {
    const { committed, editor } = this.#sources.get(uri) ?? {};
    const source: Source = {
      ...(committed !== undefined && { committed }),
      ...(editor !== undefined && { editor }),
      ...(linkTo !== undefined && { linkTo }),
    };
    // It cannot be opened, so the problem is reported where the chart is missing.
    const isPacked = skipped !== undefined && isPackedChart(uri);
    const held = isPacked ? packedText({ failed: skipped }) : text;
    if (held !== undefined) source.disk = held;
    if (skipped !== undefined && !isPacked) source.skipped = skipped;
    this.#setSource(uri, source, read);
  }

  /** Sets the text in the last commit; undefined if it had no such file, null if it is the same as on disk. */
  setCommittedText(uri: string, text: string | null | undefined): void {
    const before = this.#sources.get(uri);
    if (before === undefined || before.committed === text) return;
    const source: Source = { ...before };
    delete source.committed;
    if (text !== undefined) source.committed = text;
    this.#sources.set(uri, source);
    this.#noteCommit(uri, source);
    this.#fileChanged(uri);
  }

  #noteCommit(uri: string, { committed, disk, editor }: Source): void {
    const text = committed === null ? disk : committed;
    if (text === undefined || text === (editor ?? disk)) this.#uncommitted.delete(uri);
    else this.#uncommitted.add(uri);
  }

  /** Files that are read from disk, or skipped there. */
  diskUris(): readonly string[] {
    return [...this.#sources.keys()].filter((uri) => this.hasDiskText(uri));
  }

  hasDiskText(uri: string): boolean {
    const source = this.#sources.get(uri);
    return source?.disk !== undefined || source?.skipped !== undefined;
  }

  /** An editor's text takes precedence over the disk until it is closed. */
  setEditorText(uri: string, text: string): void {
    this.#setSource(uri, { ...this.#sources.get(uri), editor: text });
  }

  closeEditor(uri: string): void {
    const source = { ...this.#sources.get(uri) };
    delete source.editor;
    this.#setSource(uri, source);
  }

  isOpen(uri: string): boolean {
    return this.#sources.get(uri)?.editor !== undefined;
  }

  /** True if an editor's text differs from the disk. */
  isUnsaved(uri: string): boolean {
    const { editor, disk } = this.#sources.get(uri) ?? {};
    return editor !== undefined && editor !== disk;
  }

  file(uri: string): WorkspaceFile | undefined {
    return this.#files.get(uri);
  }

  get fileCount(): number {
    return this.#files.size;
  }

  /** The environments that have files, in code unit order of their folders. */
  environments(): readonly Environment[] {
    return [...this.#groups().keys()].sort(compareText).map((id) => this.#environment(id));
  }

  /** Undefined if the file is unknown. */
  environmentOf(uri: string): Environment | undefined {
    return this.#files.has(uri) ? this.#environment(this.#environmentId(uri)) : undefined;
  }

  environment(id: string): Environment | undefined {
    return this.#groups().has(id) ? this.#environment(id) : undefined;
  }

  /** Drops rendered charts of an environment that no longer exists. */
  forget(id: string): void {
    for (const known of [this.#charts, this.#committedCharts]) known.delete(id);
  }

  #setSource(uri: string, source: Source, read?: ManifestFile): void {
    const text = source.editor ?? source.disk;
    if (text === undefined && source.skipped === undefined) {
      this.#sources.delete(uri);
      this.#committed.delete(uri);
    } else this.#sources.set(uri, source);
    this.#noteCommit(uri, source);
    const before = this.#files.get(uri);
    if (this.#imports.has(uri)) {
      this.#files.delete(uri);
      this.#imports.setText(uri, text, source.skipped);
      this.#regroup();
      return;
    }
    if (before !== undefined && before.manifest.text === text && isFoundSo(before, source)) return;
    if (baseName(uri) === chartFileName) this.#noteChart(parentUri(uri), text !== undefined);
    if (text === undefined && source.skipped === undefined) this.#files.delete(uri);
    else {
      if (before === undefined) this.#madeOf.forgetUris();
      const manifest = this.#readFile(uri, text ?? "", read ?? before?.manifest);
      this.#files.set(uri, fileOf(uri, manifest, source));
    }
    if (this.#inflated.fileChanged(uri, before, this.#files)) this.#regroup();
    if (baseName(uri) === projectFileName) this.#projectChanged(uri, text);
    else this.#fileChanged(uri);
  }

  /** Files that Helm renders or reads have no objects of their own. */
  #readFile(uri: string, text: string, known: ManifestFile | undefined): ManifestFile {
    if (this.#isForHelm(uri)) return unreadFile(text);
    return known?.text === text ? known : readManifestFile(text, known);
  }

  #isForHelm(uri: string): boolean {
    if (isOfChart(uri) || isPackedChart(uri)) return true;
    if (this.#inCharts.size === 0) return false;
    for (let at = parentUri(uri); at !== ""; at = parentUri(at))
      if (this.#inCharts.has(at)) return isForHelm(decoded(uri.slice(at.length + 1)));
    return false;
  }

  /** A chart was added or removed: files in its folder must be read again. */
  #noteChart(folder: string, isThere: boolean): void {
    if (this.#inCharts.has(folder) === isThere) return;
    if (isThere) this.#inCharts.add(folder);
    else this.#inCharts.delete(folder);
    for (const [uri, file] of this.#files)
      if (isBelow(uri, folder)) {
        const manifest = this.#readFile(uri, file.manifest.text, undefined);
        this.#files.set(uri, { ...file, manifest });
      }
    this.#regroup();
  }

  #projectChanged(uri: string, text: string | undefined): void {
    const folder = parentUri(uri);
    const before = this.#projects.get(folder);
    const project = text === undefined ? undefined : readProjectFile(text);
    if (project === undefined) this.#projects.delete(folder);
    else this.#projects.set(folder, project);
    if (this.#imports.areOther(folder, project))
      this.#refile(() => this.#imports.setOf(folder, project));
    const isSame = JSON.stringify(before?.folders) === JSON.stringify(project?.folders);
    if ((before === undefined) !== (project === undefined) || !isSame) this.#regroup();
    this.#fileChanged(uri);
  }

  #fileChanged(uri: string): void {
    const id = this.#environmentId(uri);
    this.#noteStale(id, uri);
    for (const other of this.madeOf(uri)) this.#noteStale(other, uri);
    if (this.#members === undefined) return;
    const members = this.#members.get(id) ?? new Set();
    if (this.#files.has(uri)) this.#members.set(id, members.add(uri));
    else if (members.delete(uri) && members.size === 0) this.#members.delete(id);
  }

  #noteStale(id: string, uri: string): void {
    this.#revisions.set(id, (this.#revisions.get(id) ?? 0) + 1);
    const environment = this.#environments.get(id);
    if (environment !== undefined) {
      this.#environments.delete(id);
      this.#stale.set(id, { environment, changed: new Set() });
    }
    this.#stale.get(id)?.changed.add(uri);
  }

  #regroup(): void {
    for (const id of this.#environments.keys())
      this.#revisions.set(id, (this.#revisions.get(id) ?? 0) + 1);
    this.#environments.clear();
    this.#stale.clear();
    this.#members = undefined;
    this.#joined = undefined;
    this.#chartFolders = undefined;
  }

  #groups(): Map<string, Set<string>> {
    if (this.#members !== undefined) return this.#members;
    const members = new Map<string, Set<string>>();
    for (const uri of this.#files.keys()) {
      const id = this.#environmentId(uri);
      members.set(id, (members.get(id) ?? new Set()).add(uri));
    }
    this.#members = members;
    return members;
  }

  /**
   * The nearest folder that has a project file or is named by one; else that of a chart, the workspace's folder or the file's
   * own.
   */
  #environmentId(uri: string): string {
    const folder = this.#folders.find((candidate) => isBelow(uri, candidate)) ?? ownFolder(uri);
    if (this.#projects.size === 0) return this.#chartOf(uri) ?? folder;
    const { hosts } = this.#joinedFolders();
    for (let at = parentUri(uri); at.length >= folder.length; at = parentUri(at)) {
      if (this.#projects.has(at)) return at;
      const host = hosts.get(decoded(at));
      if (host !== undefined) return host;
    }
    return this.#chartOf(uri) ?? folder;
  }

  /** Without a project file, each chart in a folder is assumed to be for a cluster of its own. */
  #chartOf(uri: string): string | undefined {
    this.#chartFolders ??= new Set(
      chartFolders(this.#files.keys()).filter((folder) => !this.#inflated.has(folder)),
    );
    return outermostChart(uri, this.#chartFolders);
  }

  #joinedFolders(): JoinedFolders {
    this.#joined ??= joinedFolders(this.#projects, this.#folders);
    return this.#joined;
  }

  #committedObjects(
    id: string,
    { files, kustomized, charts }: Contents,
  ): ReadonlyMap<Ref, ManifestObject> {
    const objects = new Map<Ref, ManifestObject>();
    const add = (object: ManifestObject): void => {
      if (object.served && object.ref !== undefined) objects.set(object.ref, object);
    };
    const ofCharts = new Map<string, ManifestFile>();
    for (const [file, text] of this.#changedSinceCommit(id, charts)) {
      const { uri, manifest } = file;
      if (kustomized.patches.has(uri)) continue;
      const committed = this.#readCommitted(uri, text, manifest);
      if (charts.sources.has(uri)) ofCharts.set(uri, committed);
      else
        for (const { objects: found } of committed.documents)
          for (const object of found) add(object);
      if (kustomized.sources.has(uri)) replaceByBuilt(objects, file, kustomized);
    }
    if (ofCharts.size === 0) return objects;
    const before = this.#committedCharts.get(id) ?? new CommittedCharts();
    this.#committedCharts.set(id, before);
    for (const object of before.objectsOf(this.#chartScene(id, files), ofCharts)) add(object);
    return objects;
  }

  /** Files of an environment and its charts that differ from the last commit, with the committed text. */
  *#changedSinceCommit(
    id: string,
    { sources }: Charts,
  ): Iterable<readonly [WorkspaceFile, string]> {
    for (const uri of [...this.#uncommitted].sort(compareText)) {
      const file = this.#files.get(uri);
      if (file === undefined) continue;
      if (this.#environmentId(uri) !== id && !sources.has(uri)) continue;
      const { committed, disk } = this.#sources.get(uri) ?? {};
      const text = committed === null ? disk : committed;
      if (text !== undefined && text !== file.manifest.text) yield [file, text];
    }
  }

  /** Cached per commit. Unchanged documents are shared with the present text. */
  #readCommitted(uri: string, text: string, present: ManifestFile): ManifestFile {
    const known = this.#committed.get(uri);
    if (known?.text === text) return known;
    const read = this.#isForHelm(uri) ? unreadFile(text) : readManifestFile(text, present);
    this.#committed.set(uri, read);
    return read;
  }

  #environment(id: string): Environment {
    const known = this.#environments.get(id);
    if (known !== undefined) return known;
    const stale = this.#stale.get(id);
    this.#stale.delete(id);
    const contents = (stale === undefined ? undefined : this.#edited(stale)) ?? this.#collected(id);
    const { files, kustomized, charts, objects } = contents;
    const imported = this.#imports.of(id);
    const environment: Environment = {
      id,
      name: id.includes("/") ? baseName(id) : "unsaved files",
      project: this.#projects.get(id) ?? noProject,
      folderProblems: [
        ...(this.#joinedFolders().problems.get(id) ?? []),
        ...charts.projectProblems,
      ],
      revision: this.#revisions.get(id) ?? 0,
      files,
      kustomized,
      charts,
      objects,
      // Computed when needed, which is rarely the case while somebody types.
      get byRef(): Environment["byRef"] {
        const value = objectsByRef(objects);
        Object.defineProperty(this, "byRef", { value });
        return value;
      },
      committed: this.#committedObjects(id, contents),
      ...(imported !== undefined && { imported }),
    };
    this.#environments.set(id, environment);
    return environment;
  }

  #collected(id: string): Contents {
    const files = [...(this.#groups().get(id) ?? [])]
      .sort(compareText)
      .flatMap((uri) => this.#files.get(uri) ?? []);
    const chosen = this.#overlays.get(id) ?? this.#projects.get(id)?.kustomization;
    const own = this.#charts.get(id) ?? new EnvironmentCharts();
    this.#charts.set(id, own);
    const scene = this.#chartScene(id, files);
    const { kustomized, charts } = own.made(scene, { objectsOf: objectsOfFile, chosen });
    const { patches, sources } = kustomized;
    const repeated = repeatedLinks(files);
    const objects = files
      .filter(({ uri }) => !patches.has(uri) && (sources.has(uri) || !repeated.has(uri)))
      .flatMap((file) => {
        const own = objectsOfFile(file);
        if (!sources.has(file.uri)) return own;
        return own.flatMap((entry) => kustomized.built(entry));
      });
    return { files, kustomized, charts, objects: [...objects, ...charts.objects] };
  }

  #chartScene(id: string, files: readonly WorkspaceFile[]): ChartScene {
    const { charts: releases, kubernetesVersion = newestVersion } =
      this.#projects.get(id) ?? noProject;
    const version = this.#version ?? kubernetesVersion;
    const values = this.#chartValues;
    const localFolder = (folder: string): LocalFolder => this.#localFolder(id, folder);
    const inflated = this.#inflated.folders;
    return { folder: id, files, releases, version, values, inflated, localFolder };
  }

  /** Finds a folder with a dependency, and notes that the environment depends on it. */
  #localFolder(id: string, asked: string): LocalFolder {
    const folder = this.#chartNamed(asked) ?? asked;
    this.#madeOf.add(folder, id);
    const uris = this.#inCharts.has(folder) ? this.#madeOf.urisIn(folder, this.#files.keys()) : [];
    const files = uris.flatMap((uri) => this.#files.get(uri) ?? []);
    return { folder, files, isElsewhere: this.#environmentId(`${folder}/${chartFileName}`) !== id };
  }

  /** The chart's folder as spelled in the workspace's URIs; undefined if there is none. */
  #chartNamed(folder: string): string | undefined {
    if (this.#inCharts.has(folder)) return folder;
    return [...this.#inCharts].find((one) => decoded(one) === decoded(folder));
  }

  /** Other environments whose charts depend on the file. */
  madeOf(uri: string): readonly string[] {
    const own = this.#environmentId(uri);
    return this.#madeOf.environmentsOf(uri).filter((id) => id !== own);
  }

  /** Updates only what an edit has changed; undefined if files were added or removed, or may have a different role now. */
  #edited({ environment, changed }: StaleEnvironment): Contents | undefined {
    const { kustomized, charts, project, id } = environment;
    const now = this.#projects.get(id) ?? noProject;
    if (now.kustomization !== project.kustomization) return undefined;
    if (now !== project && (charts !== noCharts || now.charts !== project.charts)) return undefined;
    const files = [...environment.files];
    let objects = environment.objects;
    for (const uri of changed) {
      const index = indexOfFile(files, uri);
      const [before, now] = [files[index], this.#files.get(uri)];
      if (before === undefined || now === undefined || before.linkTo !== now.linkTo)
        return undefined;
      if (isKustomization(uri) || kustomized.sources.has(uri)) return undefined;
      if (charts.sources.has(uri)) return undefined;
      files[index] = now;
      const own = objectsOfFile(before);
      const [first] = own;
      const start = first === undefined ? -1 : objects.indexOf(first);
      if (start < 0) {
        if (objectsOfFile(now).length > 0) return undefined;
        continue;
      }
      const end = start + own.length;
      objects = [...objects.slice(0, start), ...objectsOfFile(now), ...objects.slice(end)];
    }
    return { files, kustomized, charts, objects };
  }
}

type Contents = Pick<Environment, "files" | "kustomized" | "charts" | "objects">;

const noProject: ProjectFile = readProjectFile("");
