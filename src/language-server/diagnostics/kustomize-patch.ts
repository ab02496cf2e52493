/** A file that kustomize lays over an object. It holds a part of it only, and is not judged as a whole. */
import type { FileRule } from "./rule.ts";

export const kustomizePatch: FileRule = {
  id: "kustomize-patch",
  severity: "information",
  scope: "file",
  *check({ manifest }, { isPatch }) {
    if (!isPatch) return;
    const kind = /^kind:[ \t]*(\S+)/m.exec(manifest.text);
    const start = kind === null ? 0 : kind.index + kind[0].length - (kind[1] ?? "").length;
    const end = kind === null ? 0 : kind.index + kind[0].length;
    const message =
      "A kustomization applies this file as a patch. It is not checked; build it (`kubectl kustomize`) to see what becomes of it";
    yield { start, end, message };
  },
};
