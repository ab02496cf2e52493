/** Versions of charts and of Kubernetes. Upstream: pkg/chart/v2/util/compatible.go IsCompatibleRange. */

import { constraintAdmits } from "../functions/semver-constraint.ts";
import { parseVersion } from "../functions/semver-version.ts";

export function isVersion(text: string): boolean {
  return typeof parseVersion(text) !== "string";
}

/** Why a range cannot be read; undefined where it can. */
export function rangeProblem(range: string): string | undefined {
  const admits = constraintAdmits(range);
  return typeof admits === "string" ? admits : undefined;
}

/** False where one of them cannot be read, too. */
export function fitsRange(version: string, range: string): boolean {
  const read = parseVersion(version);
  const admits = constraintAdmits(range);
  return typeof read !== "string" && typeof admits !== "string" && admits(read);
}
