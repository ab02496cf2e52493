/** What is not in the simulated cluster, because kubectl cannot read it or the API server refuses it. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import type { ClusterResult } from "./cluster-result.ts";
import { printPlace } from "./place.ts";

const keepsOut: ReadonlySet<string> = new Set([
  "yaml-syntax",
  "document-separator",
  "kind-missing",
  "kind-unknown",
  "kind-wrong-group",
  "api-version-removed",
  "snapshot-beta-version",
  "api-refused",
  "request-refused",
  "quota-exceeded",
  "limitrange-claim",
]);

/** Empty where everything has been accepted. */
export function refusedText({ diagnostics, service }: ClusterResult, cwd: string): string {
  const lines = diagnostics.filter(isRefusal).flatMap(({ uri, start, message }) => {
    const file = service.file(uri);
    return file === undefined ? [] : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  return lines.length === 0
    ? ""
    : `${["Not in the cluster, because refused:", ...lines].join("\n")}\n`;
}

function isRefusal({ code, severity }: Diagnostic): boolean {
  return keepsOut.has(code) && (severity === "error" || severity === "warning");
}
