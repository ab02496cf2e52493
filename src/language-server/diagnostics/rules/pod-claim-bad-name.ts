/** A reference to a claim or volume by a name that no object can have. */
import { checkSubdomain } from "../../../engine/api/names/names.ts";
import {
  claimSpecsOf,
  oncePerObject,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { EnvironmentRule, ObjectReport } from "../rule.ts";

export const podClaimBadName: EnvironmentRule = {
  id: "pod-claim-bad-name",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects)
      yield* badNames(entry.object).map((at) => ({ entry, ...at }));
  },
};

const claimName = ["persistentVolumeClaim", "claimName"];

const badNames = oncePerObject((object): readonly Omit<ObjectReport, "entry">[] => {
  const places = [
    ...podVolumesOf(object).map((at) => ({ ...at, field: claimName })),
    ...claimSpecsOf(object).map((at) => ({ ...at, field: ["volumeName"] })),
  ];
  return places.flatMap(({ fields, path, field }) => {
    const name = textAt(fields, ...field) ?? "";
    if (name === "" || isObjectName(name)) return [];
    return [{ path: [...path, ...field], message: `No object can have the name “${name}”` }];
  });
});

export function isObjectName(name: string): boolean {
  return checkSubdomain(name).length === 0;
}
