/** Charts in other folders: `repository: file://../common`. */
import type { ChartFile } from "./chart.ts";

export interface LocalChart {
  readonly folderUri: string;
  /** By their paths from the folder. */
  readonly files: ReadonlyMap<string, ChartFile>;
  /** Whether what its files say belongs to another cluster. */
  readonly isElsewhere: boolean;
}

/** Undefined where the folder, named from that of the chart which depends on it, is no chart that can be read. */
export type FindLocalChart = (folderUri: string, repository: string) => LocalChart | undefined;
