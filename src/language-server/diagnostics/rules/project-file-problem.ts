/** What is wrong with claimcheck.yaml: the editor's schema checks its form, this its names too. */
import { profileNames } from "../../../engine/profiles/assume-cluster.ts";
import { nearestName } from "../../nearest-name.ts";
import { projectFileName, readProjectFile } from "../../project/project-file.ts";
import { baseName } from "../../workspace/uri.ts";
import { underline, underlineKey } from "../../yaml/locate.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import { listNames } from "../missing-reference.ts";
import type { DocumentReport, FileRule } from "../rule.ts";

/** The ids are handed in: this rule is one of them. */
export function projectFileProblem(ruleIds: () => readonly string[]): FileRule {
  return {
    id: "project-file",
    severity: "error",
    scope: "file",
    *check({ uri, manifest }): Iterable<DocumentReport> {
      if (baseName(uri) !== projectFileName) return;
      const document = readYamlDocument(manifest.text);
      for (const problem of document.problems) yield problem;
      const { problems, profile, rules } = readProjectFile(manifest.text);
      for (const { path, message, atKey = false } of problems)
        yield { ...(atKey ? underlineKey : underline)(document, path), message };
      if (profile !== undefined && !profileNames.includes(profile)) {
        const near = nearestName(profile, profileNames);
        const hint =
          near === undefined ? `known are ${listNames(profileNames)}` : `did you mean “${near}”?`;
        yield {
          ...underline(document, ["profile"]),
          message: `No profile has the name “${profile}”; ${hint}`,
        };
      }
      for (const id of rules.keys()) {
        if (ruleIds().includes(id)) continue;
        const near = nearestName(id, ruleIds(), 4);
        const hint = near === undefined ? "" : `; did you mean “${near}”?`;
        yield {
          ...underlineKey(document, ["rules", id]),
          severity: "warning",
          message: `No rule has the id “${id}”${hint}`,
        };
      }
    },
  };
}
