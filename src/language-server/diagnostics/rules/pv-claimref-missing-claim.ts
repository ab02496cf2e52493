/** A volume is reserved for a claim that is in no file, or whose name is misspelled. */
import { makeRef, type Ref } from "../../../engine/api/meta.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { claimsNaming } from "../facts/claims-naming.ts";
import { nearName } from "../missing-reference.ts";
import type { EnvironmentContext, EnvironmentRule, ObjectReport } from "../rule.ts";

export const pvClaimrefMissingClaim: EnvironmentRule = {
  id: "pv-claimref-missing-claim",
  severity: "hint",
  scope: "environment",
  misses: "PersistentVolumeClaim",
  yieldsTo: ["pv-released"],
  *check(context) {
    for (const entry of context.environment.objects) {
      if (entry.object.kind !== "PersistentVolume") continue;
      for (const reference of referencesOf(entry.object)) {
        const { kind, namespace, name } = reference;
        // Left to pv-claimref-no-namespace: without a namespace it names no claim.
        if (kind !== "PersistentVolumeClaim" || namespace === "") continue;
        if (context.names.has(kind, namespace, name)) continue;
        const slip = slipIn(context, entry, { ...reference, near: nearName(context, reference) });
        // If another claim asks for the volume, the finding about that claim says which of the two is wrong.
        const isAskedFor = claimsNaming(context.environment, entry.object.name).length > 0;
        if (slip === undefined && isAskedFor) continue;
        yield {
          entry,
          path: reference.path,
          message: `The volume is reserved for claim ${namespace}/${name}, which does not exist`,
          misses: makeRef(kind, namespace, name),
          ...slip,
        };
      }
    }
  },
};

interface Missing {
  readonly namespace: string;
  readonly name: string;
  readonly path: ObjectReport["path"];
  readonly near: string | undefined;
}

/**
 * The claim that is probably meant: one with a similar name, or with the same name in the only other namespace that has one.
 * Undefined if there is none.
 */
function slipIn(
  { environment, names }: EnvironmentContext,
  { object }: WorkspaceObject,
  { namespace, name, path, near }: Missing,
): Partial<ObjectReport> | undefined {
  const kind = "PersistentVolumeClaim";
  const [other, ...more] = near === undefined ? names.namespacesWith(kind, name) : [];
  const isElsewhere = other !== undefined && more.length === 0;
  const meant = near ?? (isElsewhere ? other : undefined);
  if (meant === undefined) return undefined;
  const ref: Ref = isElsewhere ? makeRef(kind, other, name) : makeRef(kind, namespace, meant);
  const slip = { meant, path: isElsewhere ? [...path.slice(0, -1), "namespace"] : path };
  const claim = claimsNaming(environment, object.name).find((one) => one.object.ref === ref);
  if (claim === undefined) return slip;
  const message = `Claim ${claim.object.namespace}/${claim.object.name} asks for the volume`;
  const related = [{ entry: claim, path: ["spec", "volumeName"], message }];
  return { ...slip, explains: [ref], severity: "error", related };
}
