/** What every command prints from: one cluster, and everything that is known about it. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import type { Prediction } from "../language-server/prediction/prediction.ts";
import type { LanguageService } from "../language-server/service.ts";
import type { Environment } from "../language-server/workspace/environment.ts";

export interface ClusterResult {
  readonly environment: Environment;
  readonly service: LanguageService;
  readonly prediction: Prediction;
  /** The findings of all files, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The overlays judged in this cluster, if others are printed as clusters of their own. */
  readonly overlay?: string | undefined;
  /** The only namespace to print; all if absent. */
  readonly namespace?: string | undefined;
}
