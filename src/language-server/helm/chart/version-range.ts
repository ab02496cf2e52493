/** Versions of charts and of Kubernetes. Upstream: pkg/chart/v2/util/compatible.go IsCompatibleRange. */

import { constraintAdmits } from "../functions/semver-constraint.ts";
import { parseVersion } from "../functions/semver-version.ts";

export function isVersion(text: string): boolean {
  return typeof parseVersion(text) !== "string";
}

/** Why a range is invalid; undefined if it is valid. */
export function rangeProblem(range: string): string | undefined {
  const admits = constraintAdmits(range);
  return typeof admits === "string" ? admits : undefined;
}

/** Also false if the version or the range is invalid. */
export function fitsRange(version: string, range: string): boolean {
  const read = parseVersion(version);
  const admits = constraintAdmits(range);
  return typeof read !== "string" && typeof admits !== "string" && admits(read);
}
