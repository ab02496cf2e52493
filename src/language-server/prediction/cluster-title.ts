/** What a prediction's cluster is, in words. */
import type { AssumedCluster } from "../../engine/profiles/assume-cluster.ts";
import { baseName } from "../workspace/uri.ts";
import type { Environment } from "../workspace/workspace.ts";

export function clusterTitle({ imported }: Environment, { title }: AssumedCluster): string {
  const read = (imported?.files ?? []).filter(({ text }) => (text?.objects.length ?? 0) > 0);
  if (read.length === 0) return title;
  return `${title}, taken from ${read.map(({ uri }) => decodeURIComponent(baseName(uri))).join(", ")}`;
}
