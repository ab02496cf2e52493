/** A reference to a claim or volume by a name that no object can have. */

import { type Kind, makeRef } from "../../../engine/api/meta.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import {
  claimSpecsOf,
  oncePerObject,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { isObjectName } from "../facts/object-name.ts";
import { hasUnknownVar } from "../facts/unknown-var.ts";
import type { EnvironmentRule, ObjectReport } from "../rule.ts";

export const podClaimBadName: EnvironmentRule = {
  id: "pod-claim-bad-name",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment, names }) {
    const known = new Map<string, readonly string[]>();
    const namesOf = (kind: Kind, namespace: string): readonly string[] => {
      const key = `${kind} ${namespace}`;
      const found = known.get(key) ?? names.names(kind, namespace).filter(isObjectName);
      known.set(key, found);
      return found;
    };
    for (const entry of environment.objects)
      for (const { kind, path, name } of badNames(entry.object)) {
        if (hasUnknownVar(environment, entry, name)) continue;
        const namespace = kind === "PersistentVolume" ? "" : entry.object.namespace;
        const meant = nearestObjectName(name, namesOf(kind, namespace));
        yield {
          entry,
          path,
          message: `No object can have the name “${name}”`,
          meant,
          // If another name is meant, the object with that name counts as used.
          ...(meant !== undefined && { misses: makeRef(kind, namespace, name) }),
        };
      }
  },
};

interface BadName extends Pick<ObjectReport, "path"> {
  readonly kind: "PersistentVolume" | "PersistentVolumeClaim";
  readonly name: string;
}

const badNames = oncePerObject((object): readonly BadName[] => {
  const places = [
    ...podVolumesOf(object).map((at) => ({
      ...at,
      kind: "PersistentVolumeClaim" as const,
      field: ["persistentVolumeClaim", "claimName"],
    })),
    ...claimSpecsOf(object).map((at) => ({
      ...at,
      kind: "PersistentVolume" as const,
      field: ["volumeName"],
    })),
  ];
  return places.flatMap(({ fields, path, kind, field }) => {
    const name = textAt(fields, ...field) ?? "";
    return name === "" || isObjectName(name) ? [] : [{ kind, name, path: [...path, ...field] }];
  });
});
