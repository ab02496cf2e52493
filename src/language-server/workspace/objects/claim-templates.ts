/** Claims that StatefulSets make, `TEMPLATE-STATEFULSET-ORDINAL`; known before any of them exists. */
import { isRecord } from "../../yaml/manifest.ts";
import type { Environment } from "../environment.ts";
import type { WorkspaceObject } from "../workspace-object.ts";

export interface ClaimTemplate {
  readonly entry: WorkspaceObject;
  /** Index in spec.volumeClaimTemplates. */
  readonly index: number;
  /** As written in the manifest. */
  readonly value: unknown;
}

/** By the key that `templateKey` returns for each claim of a template. */
export function claimTemplates(environment: Environment): ReadonlyMap<string, ClaimTemplate> {
  const found = new Map<string, ClaimTemplate>();
  for (const entry of environment.objects) {
    if (entry.object.kind !== "StatefulSet") continue;
    const spec = isRecord(entry.object.value["spec"]) ? entry.object.value["spec"] : {};
    const templates = spec["volumeClaimTemplates"];
    if (!Array.isArray(templates)) continue;
    for (const [index, value] of templates.entries()) {
      const metadata: unknown = isRecord(value) ? value["metadata"] : undefined;
      const name = isRecord(metadata) ? metadata["name"] : undefined;
      if (typeof name !== "string") continue;
      found.set(`${entry.object.namespace}/${name}-${entry.object.name}`, { entry, index, value });
    }
  }
  return found;
}

/** Undefined for a claim whose name does not end in an ordinal. */
export function templateKey(namespace: string, claim: string): string | undefined {
  const prefix = withoutOrdinal(claim);
  return prefix === undefined ? undefined : `${namespace}/${prefix}`;
}

/** The name of a StatefulSet's pod or claim without its ordinal; undefined if it has none. */
export function withoutOrdinal(name: string): string | undefined {
  return /^(.+)-\d+$/.exec(name)?.[1];
}
