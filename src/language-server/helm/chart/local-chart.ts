/** Charts in other folders: `repository: file://../common`. */
import type { ChartFile } from "./chart.ts";

export interface LocalChart {
  readonly folderUri: string;
  /** By their paths below the folder. */
  readonly files: ReadonlyMap<string, ChartFile>;
  /** True if its files belong to another cluster. */
  readonly isElsewhere: boolean;
}

/** Undefined if the folder, relative to that of the chart that depends on it, has no readable chart. */
export type FindLocalChart = (folderUri: string, repository: string) => LocalChart | undefined;
