/** Mounts and devices of containers, with the claim behind each. */
import type { Path } from "../yaml/locate.ts";
import { type ClaimUse, claimIndex } from "./claim-facts.ts";
import { containersOf, type Fields, itemsOf, textAt } from "./manifest-fields.ts";
import type { EnvironmentContext } from "./rule.ts";

export interface ClaimMount {
  readonly use: ClaimUse;
  readonly fields: Fields;
  readonly path: Path;
}

/** By `volumeMounts` and `volumeDevices`, in file order. */
export function claimMounts(
  context: EnvironmentContext,
  field: "volumeMounts" | "volumeDevices",
): readonly ClaimMount[] {
  const known = recent.get(context) ?? { volumeMounts: undefined, volumeDevices: undefined };
  recent.set(context, known);
  known[field] ??= findMounts(context, field);
  return known[field];
}

interface Mounts {
  volumeMounts: readonly ClaimMount[] | undefined;
  volumeDevices: readonly ClaimMount[] | undefined;
}

// Several rules ask; containers are gone through once.
const recent = new WeakMap<EnvironmentContext, Mounts>();

function findMounts(context: EnvironmentContext, field: keyof Mounts): readonly ClaimMount[] {
  return [...claimIndex(context).usesBy].flatMap(([workload, uses]) =>
    containersOf(workload.object).flatMap((container) =>
      itemsOf(container.fields[field], [...container.path, field]).flatMap(
        ({ fields, path }): ClaimMount[] => {
          const name = textAt(fields, "name");
          const use = uses.find(({ volumeName }) => volumeName === name);
          return use === undefined ? [] : [{ use, fields, path }];
        },
      ),
    ),
  );
}
