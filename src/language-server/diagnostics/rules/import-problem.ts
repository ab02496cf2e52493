/**
 * Problems in the files from which claimcheck.yaml imports a cluster: reported where it names them, with the line in the file.
 */
import type { AssumedCluster } from "../../../engine/profiles/assume-cluster.ts";
import { projectFileName } from "../../project/project-file.ts";
import type { Environment } from "../../workspace/environment.ts";
import { baseName } from "../../workspace/files/uri.ts";
import type { ImportedCluster, ImportedFile } from "../../workspace/imports/cluster-imports.ts";
import { nothingSimulated } from "../../workspace/imports/imported-text.ts";
import type { WorkspaceFile } from "../../workspace/workspace-object.ts";
import { underline } from "../../yaml/locate.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { Diagnostic, Severity } from "../rule.ts";

export const importProblem: { readonly id: string; readonly severity: Severity } = {
  id: "cluster-import",
  severity: "error",
};

interface Finding {
  readonly severity: Severity;
  readonly message: string;
}

/** Problems for the environment's claimcheck.yaml; empty for other files. */
export function importProblems(
  environment: Environment,
  assumed: AssumedCluster,
  { uri, manifest }: WorkspaceFile,
): readonly Diagnostic[] {
  const { imported, project } = environment;
  const set = project.rules.get(importProblem.id);
  if (imported === undefined || baseName(uri) !== projectFileName || set === "off") return [];
  const document = readYamlDocument(manifest.text);
  const [first] = imported.files;
  return imported.files.flatMap((file) => {
    if (file.path === undefined) return [];
    const place = underline(document, file.path);
    const findings = [...findingsOf(file), ...(file === first ? ofAll(imported, assumed) : [])];
    return findings.map(
      ({ severity, message }): Diagnostic => ({
        uri,
        ...place,
        severity: set ?? severity,
        code: importProblem.id,
        message,
      }),
    );
  });
}

/** Each as one line of text, for output without files. */
export function importProblemTexts(
  { imported }: Environment,
  assumed: AssumedCluster,
): readonly string[] {
  if (imported === undefined) return [];
  const all = [...imported.files.flatMap(findingsOf), ...ofAll(imported, assumed)];
  return all.filter(({ severity }) => severity !== "hint").map(({ message }) => message);
}

function findingsOf({ uri, text, skipped }: ImportedFile): readonly Finding[] {
  const name = baseName(uri);
  if (text === undefined)
    return [
      {
        severity: importProblem.severity,
        message: `${name}: ${skipped ?? "There is no such file"}`,
      },
    ];
  const severity: Severity = text.objects.length === 0 ? importProblem.severity : "warning";
  const problems = text.problems.map(({ line, message }): Finding => {
    const at = line === undefined ? name : `${name}, line ${line}`;
    return { severity, message: `${at}: ${message}` };
  });
  if (text.others.size === 0) return problems;
  const kinds = [...text.others].map(([kind, count]) => `${count} ${kind}`).join(", ");
  return [
    ...problems,
    { severity: "hint", message: `${name}: Not simulated and ignored: ${kinds}` },
  ];
}

/** Problems of all files together. */
function ofAll(imported: ImportedCluster, assumed: AssumedCluster): readonly Finding[] {
  if (imported.objects.length === 0 && !imported.isPartial)
    return [{ severity: importProblem.severity, message: nothingSimulated }];
  const { otherVersion, kubernetesVersion } = assumed;
  if (otherVersion === undefined) return leftOut(assumed);
  const message = `The cluster runs Kubernetes ${otherVersion}; the nearest that is simulated is ${kubernetesVersion}`;
  return [{ severity: "information", message }, ...leftOut(assumed)];
}

function leftOut(assumed: AssumedCluster): readonly Finding[] {
  return (assumed.leftOut ?? []).map(({ kind, refs, without }) => ({
    severity: "warning",
    message: `${
      refs.length === 1
        ? `1 ${kind} is left out, because a ${without} that it needs was not saved with it`
        : `${refs.length} ${kind}s are left out, because ${without}s that they need were not saved with them`
    }: ask kubectl for all kinds and namespaces at once`,
  }));
}
