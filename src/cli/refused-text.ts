/** What is not in the simulated cluster, because kubectl cannot read it or the API server refuses it. */
import type { Diagnostic } from "../language-server/diagnostics/rule.ts";
import { documentAt } from "../language-server/yaml/manifest-file.ts";
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

/** Of the objects that are meant; empty where all of them have been accepted. */
export function refusedText(
  { diagnostics, environment, service }: ClusterResult,
  cwd: string,
  isMeant: (ref: string) => boolean = () => true,
): string {
  const lines = diagnostics.filter(isRefusal).flatMap(({ uri, start, message }) => {
    const file = service.file(uri);
    if (file === undefined) return [];
    const index = documentAt(file.manifest, start)?.index;
    const objects = environment.objects.filter(
      (entry) => entry.file.uri === uri && entry.documentIndex === index,
    );
    // What cannot be read is nobody's.
    const isOther =
      objects.length > 0 && !objects.some(({ object: { ref } }) => isMeant(ref ?? ""));
    return isOther ? [] : [`  ${printPlace(file, start, cwd)} ${message}`];
  });
  return lines.length === 0
    ? ""
    : `${["Not in the cluster, because refused:", ...lines].join("\n")}\n`;
}

function isRefusal({ code, severity }: Diagnostic): boolean {
  return keepsOut.has(code) && (severity === "error" || severity === "warning");
}
