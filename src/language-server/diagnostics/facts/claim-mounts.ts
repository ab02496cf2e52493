/** Mounts and devices of containers, with the claim behind each one. */
import {
  containersOf,
  type Fields,
  fieldsOf,
  itemsOf,
  type Located,
  oncePerObject,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { EnvironmentContext } from "../rule.ts";
import { type ClaimUse, claimIndex } from "./claim-facts.ts";

export interface ClaimMount {
  readonly use: ClaimUse;
  readonly fields: Fields;
  readonly path: Path;
}

/** In file order. */
export function claimMounts(
  context: EnvironmentContext,
  field: "volumeMounts" | "volumeDevices",
): readonly ClaimMount[] {
  const known = recent.get(context) ?? { volumeMounts: undefined, volumeDevices: undefined };
  recent.set(context, known);
  known[field] ??= findMounts(context, field);
  return known[field];
}

export function containerOf({ use, path }: ClaimMount): Fields {
  return fieldsOf(valueAt(use.workload.object.value, path.slice(0, -2)));
}

interface Mounts {
  volumeMounts: readonly ClaimMount[] | undefined;
  volumeDevices: readonly ClaimMount[] | undefined;
}

// Several rules ask for these; containers are searched once.
const recent = new WeakMap<EnvironmentContext, Mounts>();

function findMounts(context: EnvironmentContext, field: keyof Mounts): readonly ClaimMount[] {
  const found: ClaimMount[] = [];
  for (const [workload, uses] of claimIndex(context).usesBy) {
    for (const { name, fields, path } of itemsOfContainers[field](workload.object)) {
      const use = uses.find(({ volumeName }) => volumeName === name);
      if (use !== undefined) found.push({ use, fields, path });
    }
  }
  return found;
}

const itemsOfContainers = {
  volumeMounts: itemsIn("volumeMounts"),
  volumeDevices: itemsIn("volumeDevices"),
};

type NamedItem = Located & { readonly name: string | undefined };

function itemsIn(field: keyof Mounts): (object: ManifestObject) => readonly NamedItem[] {
  return oncePerObject((object) =>
    containersOf(object).flatMap((container) =>
      itemsOf(container.fields[field], [...container.path, field]).map((item) => ({
        ...item,
        name: textAt(item.fields, "name"),
      })),
    ),
  );
}
