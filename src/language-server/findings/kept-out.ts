/**
 * Finds what is not in the simulated cluster because kubectl cannot read it or the API server refuses it. No setting hides
 * these.
 */

import { fromObject } from "../diagnostics/object-diagnostic.ts";
import { compareDiagnostics, type Diagnostic } from "../diagnostics/rule.ts";
import { rules } from "../diagnostics/rules.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { judgedFiles } from "../workspace/files/repeated-links.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import { documentAt } from "../yaml/manifest-file.ts";

/** `ofFile` returns all findings that follow from a file alone. Sorted. */
export function keptOut(
  prediction: Prediction,
  ofFile: (file: WorkspaceFile) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const found = judgedFiles(prediction.environment).flatMap(ofFile).filter(isKeptOut);
  for (const rule of refusing)
    if (rule.scope === "prediction")
      for (const report of rule.check(prediction))
        found.push(fromObject(report, rule.id, rule.severity));
  return found.sort(compareDiagnostics);
}

/** True if a finding says that an object is not in the cluster. */
export function isKeptOut({ code }: Diagnostic): boolean {
  return codes.has(code);
}

/** True if a refusal is about the document that the object is in, or about one of its patches. */
export function isAbout(
  { uri, start }: Diagnostic,
  { file, documentIndex, patched }: WorkspaceObject,
): boolean {
  if (patched?.rendered !== undefined) return patched.isMadeAt(uri, start);
  return file.uri === uri
    ? documentAt(file.manifest, start)?.index === documentIndex
    : patched?.uris.includes(uri) === true;
}

const refusing = rules.filter(({ keepsOut }) => keepsOut === true);
const codes: ReadonlySet<string> = new Set(refusing.map(({ id }) => id));
