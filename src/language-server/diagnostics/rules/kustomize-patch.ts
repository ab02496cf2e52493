/** What kustomize refuses, and what is not judged because another kustomization is. */
import type { FileRule } from "../rule.ts";

export const kustomizePatch: FileRule = {
  id: "kustomize-patch",
  severity: "error",
  scope: "file",
  *check(_, { patchProblems }) {
    yield* patchProblems;
  },
};
