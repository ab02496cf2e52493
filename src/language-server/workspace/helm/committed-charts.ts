/** What charts rendered from the texts of the last commit, with the present releases. */
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import { ChartRenderer } from "../charts.ts";
import type { WorkspaceFile } from "../workspace-object.ts";
import type { ChartScene, LocalFolder } from "./chart-releases.ts";

export class CommittedCharts {
  readonly #renderer = new ChartRenderer();
  readonly #files = new Map<string, WorkspaceFile>();

  /** `committed` has the files whose text was different. */
  objectsOf(
    scene: ChartScene,
    committed: ReadonlyMap<string, ManifestFile>,
  ): readonly ManifestObject[] {
    const asCommitted = (file: WorkspaceFile): WorkspaceFile => {
      const manifest = committed.get(file.uri);
      return manifest === undefined ? file : this.#fileOf(file.uri, manifest);
    };
    const localFolder = (folder: string): LocalFolder => {
      const found = scene.localFolder(folder);
      return { ...found, files: found.files.map(asCommitted) };
    };
    const before = { ...scene, files: scene.files.map(asCommitted), localFolder };
    return this.#renderer.chartsOf(before).objects.map(({ object }) => object);
  }

  /** Returns the same file object for the same manifest, so that nothing is rendered again. */
  #fileOf(uri: string, manifest: ManifestFile): WorkspaceFile {
    const known = this.#files.get(uri);
    if (known?.manifest === manifest) return known;
    const file = { uri, manifest };
    this.#files.set(uri, file);
    return file;
  }
}
