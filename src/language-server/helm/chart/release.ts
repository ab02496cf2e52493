/** What a chart is rendered for, and the result. */
import type { Piece, ValuesRead } from "../go-template/rendered-text.ts";
import type { ChartProblem } from "./chart.ts";
import type { ValuesSource } from "./given-values.ts";
import type { Hook } from "./manifest-head.ts";
import type { FilePlace } from "./value-places.ts";

export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** Override the chart's own values. */
  readonly values: readonly ValuesSource[];
  /** For example `1.36.0`. */
  readonly kubeVersion: string;
  /** APIs that the cluster serves in addition to those of Kubernetes: `snapshot.storage.k8s.io/v1`. */
  readonly apiVersions?: readonly string[];
  /** Like `--skip-schema-validation`. */
  readonly skipsSchemas?: boolean;
}

/** When a document reaches the cluster; in this order. */
export type Phase = "crd" | "pre-install" | "install" | "post-install";

export interface RenderedManifest {
  readonly text: string;
  /** Where its parts come from, by offsets in the text. */
  readonly pieces: readonly Piece[];
  /** As Helm names it: `chart/templates/claim.yaml`. */
  readonly templateName: string;
  readonly uri: string;
  readonly kind: string;
  /** Undefined for a hook that no installation runs, such as a test or a pre-upgrade hook. */
  readonly phase: Phase | undefined;
  readonly hook?: Hook;
}

export interface RenderedChart {
  /** In the order in which they reach the cluster; without those that do not. */
  readonly manifests: readonly RenderedManifest[];
  /** Hooks that no installation runs. */
  readonly otherHooks: readonly RenderedManifest[];
  /** False if manifests are missing, because a template has failed or a chart is not there. */
  readonly isWhole: boolean;
  readonly problems: readonly ChartProblem[];
  /** Cost of executing its templates. */
  readonly cost: number;
  /**
   * Where a value that a template reads is written: first the place that takes effect, then those it overrides. Empty if no
   * file sets it, or the command line does.
   */
  placesOf(read: ValuesRead): readonly FilePlace[];
}
