/** What each command of the command line prints of: one cluster, and everything that is known about it. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import type { Prediction } from "../language-server/prediction/prediction.ts";
import type { LanguageService } from "../language-server/service.ts";
import type { Environment } from "../language-server/workspace/environment.ts";

export interface ClusterResult {
  readonly environment: Environment;
  readonly service: LanguageService;
  readonly prediction: Prediction;
  /** Of all files, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The judged ones, where others are told as clusters of their own. */
  readonly overlay?: string | undefined;
  /** The one that is told of; all are where absent. */
  readonly namespace?: string | undefined;
}
