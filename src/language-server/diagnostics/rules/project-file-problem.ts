/** Problems in claimcheck.yaml: its form, which the editor's schema checks, too, and its names. */
import { profileNames } from "../../../engine/profiles/assume-cluster.ts";
import { nearestName } from "../../nearest-name.ts";
import { projectFileName, projectIsFolder, readProjectFile } from "../../project/project-file.ts";
import { baseName } from "../../workspace/files/uri.ts";
import { underline, underlineKey } from "../../yaml/locate.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import { listNames } from "../missing-reference.ts";
import type { DocumentReport, FileRule } from "../rule.ts";

/** A function, because this rule's id is one of them. */
export function projectFileProblem(ruleIds: () => readonly string[]): FileRule {
  return {
    id: "project-file",
    severity: "error",
    scope: "file",
    *check({ uri, manifest, skipped }, { folderProblems }): Iterable<DocumentReport> {
      if (baseName(uri) !== projectFileName) return;
      if (skipped === projectIsFolder) yield { start: 0, end: 0, message: skipped };
      const document = readYamlDocument(manifest.text);
      for (const problem of document.problems) yield problem;
      const { problems, profile, rules } = readProjectFile(manifest.text);
      for (const { path, message, atKey = false, meant } of [...problems, ...folderProblems])
        yield { ...(atKey ? underlineKey : underline)(document, path), message, meant };
      if (profile !== undefined && !profileNames.includes(profile)) {
        const meant = nearestName(profile, profileNames);
        const choice = meant === undefined ? `; known are ${listNames(profileNames)}` : "";
        const message = `No profile has the name “${profile}”${choice}`;
        yield { ...underline(document, ["profile"]), message, meant };
      }
      for (const id of rules.keys()) {
        if (ruleIds().includes(id)) continue;
        yield {
          ...underlineKey(document, ["rules", id]),
          severity: "warning",
          message: `No rule has the id “${id}”`,
          meant: nearestName(id, ruleIds(), 4),
        };
      }
    },
  };
}
