/** The charts of one environment: installed ones, and those rendered for its kustomizations. */
import { ChartRenderer, type Charts } from "./charts.ts";
import { ChartInflater } from "./helm/chart-inflater.ts";
import type { ChartScene } from "./helm/chart-releases.ts";
import { type Kustomized, type KustomizedFolder, kustomizedBy } from "./kustomize.ts";

export class EnvironmentCharts {
  readonly #renderer = new ChartRenderer();
  readonly #inflater = new ChartInflater();

  /** What kustomizations and charts make of the files. */
  made(
    scene: ChartScene,
    folder: Omit<KustomizedFolder, "folder" | "files" | "inflate">,
  ): { readonly kustomized: Kustomized; readonly charts: Charts } {
    const inflate = this.#inflater.begin(scene);
    const kustomized = kustomizedBy({ ...scene, ...folder, inflate });
    return {
      kustomized,
      charts: this.#inflater.joined(this.#renderer.chartsOf(scene), kustomized),
    };
  }
}
