/** Findings that editors draw specially: deprecated things are struck through, needless ones faded. */

import type { Diagnostic } from "./rule.ts";
import { apiWarning } from "./rules/api-refused.ts";

export type DiagnosticTag = "deprecated" | "unnecessary";

const tags: Readonly<Record<string, DiagnosticTag>> = {
  "class-fstype-legacy-key": "deprecated",
  "deprecated-topology-label": "deprecated",
  "source-deprecated": "deprecated",
  "status-in-manifest": "unnecessary",
  "server-metadata": "unnecessary",
  "unused-suppression": "unnecessary",
};

/** Undefined for most findings. For the API server's warnings it depends on the message. */
export function tagOf({ code, message }: Diagnostic): DiagnosticTag | undefined {
  if (code === apiWarning.id) return /\bdeprecated\b/.test(message) ? "deprecated" : undefined;
  return tags[code];
}
