/** Which names a release may have. Upstream: pkg/chart/v2/util/validate_name.go ValidateReleaseName, pkg/action/install.go. */

const pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const lengthMax = 53;
/** The same for names of up to that length, which no text can keep busy. */
const isProper = new RegExp(pattern);

/** Why Helm does not take it. */
export function releaseNameComplaint(name: string): string | undefined {
  if (name.length <= lengthMax && isProper.test(name)) return undefined;
  return `release name check failed: release name "${name}": invalid release name, must match regex ${pattern} and the length must not be longer than ${lengthMax}`;
}

/** The name, or one like it that Helm takes. */
export function properReleaseName(name: string): string {
  if (releaseNameComplaint(name) === undefined) return name;
  const words = name
    .slice(0, lengthMax)
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "release";
}
