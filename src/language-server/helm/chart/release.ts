/** For what a chart is rendered, and what comes of it. */
import type { Piece, ValuesRead } from "../go-template/rendered-text.ts";
import type { ChartProblem } from "./chart.ts";
import type { ValuesSource } from "./given-values.ts";
import type { Hook } from "./manifest-head.ts";
import type { FilePlace } from "./value-places.ts";

export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** Over the chart's own. */
  readonly values: readonly ValuesSource[];
  /** `1.36.0`. */
  readonly kubeVersion: string;
  /** What the cluster serves beside the kinds of Kubernetes: `snapshot.storage.k8s.io/v1`. */
  readonly apiVersions?: readonly string[];
  /** As `--skip-schema-validation` does. */
  readonly skipsSchemas?: boolean;
}

/** When a document comes into the cluster, each after those before. */
export type Phase = "crd" | "pre-install" | "install" | "post-install";

export interface RenderedManifest {
  readonly text: string;
  /** Where its parts come from; offsets in the text. */
  readonly pieces: readonly Piece[];
  /** As Helm tells it: `chart/templates/claim.yaml`. */
  readonly templateName: string;
  readonly uri: string;
  readonly kind: string;
  /** Undefined of a hook that no installation runs: a test, or what is run before an upgrade. */
  readonly phase: Phase | undefined;
  readonly hook?: Hook;
}

export interface RenderedChart {
  /** In the order in which they come into the cluster; nothing that stays out of it. */
  readonly manifests: readonly RenderedManifest[];
  /** Hooks that no installation runs. */
  readonly otherHooks: readonly RenderedManifest[];
  /** False where something is missing among the manifests: a template that failed, a chart that is not there. */
  readonly isWhole: boolean;
  readonly problems: readonly ChartProblem[];
  /** Of its templates. */
  readonly cost: number;
  /**
   * Where a value that a template has read is written: what counts first, then what it overrides. Empty for what no file has,
   * and what the command line sets.
   */
  placesOf(read: ValuesRead): readonly FilePlace[];
}
