/** A document or file that is too large, too deep, or expands too far to be read. */
import { projectIsFolder } from "../../project/project-file.ts";
import { documentCountMax } from "../../yaml/manifest-file.ts";
import type { DocumentRule, FileRule } from "../rule.ts";

export const yamlLimit: DocumentRule = {
  id: "yaml-limit",
  severity: "warning",
  scope: "document",
  isOfText: true,
  *check({ yaml }) {
    for (const problem of yaml.problems) if (problem.code === "yaml-limit") yield problem;
  },
};

export const fileLimit: FileRule = {
  id: "yaml-limit",
  severity: "warning",
  scope: "file",
  *check({ manifest, skipped }) {
    if (skipped !== undefined && skipped !== projectIsFolder)
      yield { start: 0, end: 0, message: skipped };
    if (manifest.slices.length < documentCountMax) return;
    const end = manifest.slices.at(-1)?.end ?? 0;
    yield {
      start: end,
      end,
      message: `Only the first ${documentCountMax} documents of this file are read`,
    };
  },
};
