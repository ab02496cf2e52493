/**
 * The output of `kubectl get -o yaml` for a whole cluster among the manifests: it would be applied, and nearly all of it
 * refused.
 */
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { documentPath, type FileRule } from "../rule.ts";

export const savedCluster: FileRule = {
  id: "saved-cluster",
  severity: "warning",
  scope: "file",
  *check({ manifest: { documents, slices } }) {
    if (!documents.some(({ objects }) => objects.some(isRegisteredNode))) return;
    const index = documents.findIndex(({ objects }) => objects.length > 0);
    const { yaml, objects: [first] = [] } = documents[index] ?? {};
    if (yaml === undefined || first === undefined) return;
    const { start, end } = underline(yaml, documentPath(first, ["kind"]));
    const offset = slices[index]?.start ?? 0;
    const message =
      "Saved from a cluster that runs, which has this file's objects already: `cluster.import` in claimcheck.yaml, or --cluster on the command line, has predictions start from them";
    yield { start: start + offset, end: end + offset, message };
  },
};

/** True for a Node with a description of its machine, which only a kubelet writes. */
function isRegisteredNode({ kind, value }: ManifestObject): boolean {
  return (
    kind === "Node" &&
    textAt(value, "metadata", "uid") !== undefined &&
    Object.keys(fieldsAt(value, "status", "nodeInfo")).length > 0
  );
}
