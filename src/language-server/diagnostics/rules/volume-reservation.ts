/** Volumes reserved for claims: references that match no claim, and several volumes for one claim. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import type { ClusterNames } from "../../workspace/cluster-names.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { claimsNaming } from "../facts/claims-naming.ts";
import type { EnvironmentRule, FieldFix } from "../rule.ts";
import { someOthers } from "../some-others.ts";

const claimRefPath = ["spec", "claimRef"];

export const pvClaimrefNoNamespace: EnvironmentRule = halfReference(
  "pv-claimref-no-namespace",
  "namespace",
);
export const pvClaimrefNoName: EnvironmentRule = halfReference("pv-claimref-no-name", "name");

function halfReference(id: string, field: "name" | "namespace"): EnvironmentRule {
  return {
    id,
    severity: "error",
    scope: "environment",
    explainsOutcome: true,
    *check({ environment, names }) {
      for (const entry of environment.objects) {
        if (!isVolume(entry)) continue;
        const { claimRef } = fieldsAt(entry.object.value, "spec");
        if (claimRef === undefined || claimRef === null) continue;
        // The API server refuses values that are no text.
        if ((fieldsAt(entry.object.value, ...claimRefPath)[field] ?? "") !== "") continue;
        const claims = claimsNaming(environment, entry.object.name);
        const fix =
          field === "namespace" ? namespaceFix(entry, names) : nameFix(entry.object, claims);
        yield {
          entry,
          path: claimRefPath,
          explains: claims.map(
            ({ object: { kind, namespace, name } }) => `${kind}/${namespace}/${name}` as const,
          ),
          ...(fix !== undefined && { fix }),
          message: `Without ${field} the reference never matches a claim; the volume stays Available but unusable`,
        };
      }
    },
  };
}

/** Sets the namespace, if only one has a claim of that name. */
function namespaceFix({ object }: WorkspaceObject, names: ClusterNames): FieldFix | undefined {
  const name = textAt(object.value, ...claimRefPath, "name") ?? "";
  const [namespace, ...others] = names.namespacesWith("PersistentVolumeClaim", name);
  if (namespace === undefined || others.length > 0) return undefined;
  const path = [...claimRefPath, "namespace"];
  return { title: `Set namespace to ${namespace}`, path, value: namespace };
}

/** Sets the name of the only claim that asks for the volume. */
function nameFix(
  { value }: ManifestObject,
  [claim, ...others]: readonly WorkspaceObject[],
): FieldFix | undefined {
  if (claim === undefined || others.length > 0) return undefined;
  const { name, namespace } = claim.object;
  if (textAt(value, ...claimRefPath, "namespace") !== namespace) return undefined;
  return { title: `Set name to ${name}`, path: [...claimRefPath, "name"], value: name };
}

/** A volume that any later claim of this name could take. If the missing claim itself is a finding, that one is reported. */
export const pvClaimrefNoUid: EnvironmentRule = {
  id: "pv-claimref-no-uid",
  severity: "hint",
  scope: "environment",
  yieldsTo: ["pv-claimref-missing-claim"],
  *check({ environment, names }) {
    for (const entry of environment.objects) {
      if (!isVolume(entry)) continue;
      const [namespace = "", name = "", uid] = ["namespace", "name", "uid"].map((field) =>
        textAt(entry.object.value, ...claimRefPath, field),
      );
      if (namespace === "" || name === "" || uid !== undefined) continue;
      if (names.has("PersistentVolumeClaim", namespace, name)) continue;
      if (claimsNaming(environment, entry.object.name).length > 0) continue;
      yield {
        entry,
        path: claimRefPath,
        message: `Reserved by name only: whoever creates ${namespace}/${name} gets the volume`,
        misses: makeRef("PersistentVolumeClaim", namespace, name),
      };
    }
  },
};

export const pvClaimrefDuplicate: EnvironmentRule = {
  id: "pv-claimref-duplicate",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    const byClaim = new Map<string, WorkspaceObject[]>();
    for (const entry of environment.objects) {
      if (!isVolume(entry)) continue;
      const name = textAt(entry.object.value, ...claimRefPath, "name");
      const namespace = textAt(entry.object.value, ...claimRefPath, "namespace");
      if (name === undefined || namespace === undefined) continue;
      push(byClaim, `${namespace}/${name}`, entry);
    }
    for (const [claim, volumes] of byClaim) {
      const names = [...new Set(volumes.map(({ object }) => object.name))];
      if (names.length < 2) continue;
      for (const entry of volumes) {
        const others = someOthers(volumes, ({ object }) => object.name !== entry.object.name);
        yield {
          entry,
          path: [...claimRefPath, "name"],
          message: `Claim ${claim} can bind only one of ${names.join(", ")}`,
          related: others.map((other) => ({
            entry: other,
            path: [...claimRefPath, "name"],
            message: `“${other.object.name}” is reserved for the same claim`,
          })),
        };
      }
    }
  },
};

function isVolume({ object }: WorkspaceObject): boolean {
  return object.kind === "PersistentVolume" && object.served;
}
