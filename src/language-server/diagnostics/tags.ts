/** Findings that editors draw in a way of their own: what is deprecated struck through, what does nothing faded. */

export type DiagnosticTag = "deprecated" | "unnecessary";

const tags: Readonly<Record<string, DiagnosticTag>> = {
  "class-fstype-legacy-key": "deprecated",
  "deprecated-topology-label": "deprecated",
  "source-deprecated": "deprecated",
  "status-in-manifest": "unnecessary",
  "server-metadata": "unnecessary",
  "unused-suppression": "unnecessary",
};

/** Undefined for most rules. */
export function tagOf(ruleId: string): DiagnosticTag | undefined {
  return tags[ruleId];
}
