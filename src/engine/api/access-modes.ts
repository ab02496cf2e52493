/**
 * Access modes as a set. The PV controller looks for a claim's volume group by group: a group holds the volumes with the
 * same modes. Upstream: pkg/apis/core/v1/helper/helpers.go, pkg/controller/volume/persistentvolume/index.go v1.36.
 */

/** In the order in which they are printed. */
export const allAccessModes: readonly string[] = [
  "ReadWriteOnce",
  "ReadOnlyMany",
  "ReadWriteMany",
  "ReadWriteOncePod",
];

/** The modes without repetition, in the fixed order; modes that do not exist are dropped. */
export function accessModeSet(modes: readonly string[] | undefined): readonly string[] {
  const [only] = modes ?? [];
  if (modes?.length === 1 && only !== undefined && allAccessModes.includes(only)) return modes;
  return allAccessModes.filter((mode) => modes?.includes(mode) === true);
}

export function containsAllModes(
  offered: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): boolean {
  if (wanted !== undefined && wanted !== offered)
    for (const mode of wanted) if (offered?.includes(mode) !== true) return false;
  return true;
}

const shortForms: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** As kubectl prints them: `RWO,ROX`. */
export function shortAccessModes(modes: readonly string[] | undefined): string {
  return accessModeSet(modes)
    .map((mode) => shortForms[mode] ?? mode)
    .join(",");
}

/** The access mode for kubectl's short form; undefined for anything else, such as a list of several. */
export function fullAccessMode(short: string): string | undefined {
  return allAccessModes.find((mode) => shortForms[mode] === short);
}
