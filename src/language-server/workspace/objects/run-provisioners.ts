/**
 * Provisioners that are not CSI drivers and that pods in the files run, by the name under which they look for claims. Upstream:
 * nfs-subdir-external-provisioner, nfs-client-provisioner and efs-provisioner read PROVISIONER_NAME, nfs-ganesha takes
 * `-provisioner`.
 */
import type { ManifestObject } from "../../yaml/manifest.ts";
import {
  containersOf,
  type Fields,
  itemsOf,
  type Located,
  listAt,
  oncePerObject,
  textAt,
} from "../manifest-fields.ts";

export interface RunProvisioner {
  readonly name: string;
  readonly container: Located;
}

export const runProvisioners: (object: ManifestObject) => readonly RunProvisioner[] = oncePerObject(
  (object) =>
    containersOf(object).flatMap((container) => {
      const { fields } = container;
      const named = [
        variableOf(fields, "PROVISIONER_NAME"),
        ...listAt(fields, "args").map(argument),
      ];
      return named.flatMap((name) => (name === undefined ? [] : [{ name, container }]));
    }),
);

function argument(arg: unknown): string | undefined {
  return typeof arg === "string" ? /^--?provisioner=(\S+)$/.exec(arg)?.[1] : undefined;
}

/** The literal value; undefined if it comes from elsewhere or contains other variables. */
function variableOf(container: Fields, name: string): string | undefined {
  const value = environmentOf(container).get(name)?.value;
  return value?.includes("$(") === true ? undefined : value;
}

interface Variable {
  readonly value: string;
  readonly path: Located["path"];
}

/** A container's variables with literal values; paths start at the container. */
export function environmentOf(container: Fields): ReadonlyMap<string, Variable> {
  return new Map(
    itemsOf(container["env"], ["env"]).flatMap(({ fields, path }): [string, Variable][] => {
      const [name, value] = [textAt(fields, "name"), textAt(fields, "value")];
      return name === undefined || value === undefined || value === ""
        ? []
        : [[name, { value, path: [...path, "value"] }]];
    }),
  );
}
