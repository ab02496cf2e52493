/** Fields that not all versions to choose from have. Upstream: OpenAPI of release-1.32 to 1.36. */
import type { KubernetesVersion } from "../scenario.ts";
import { fieldsSince } from "../version-differences.ts";

/** The first version that has the field; undefined where all do. */
export function fieldSince(model: string, field: string): KubernetesVersion | undefined {
  return fieldsSince.get(`${model}.${field}`);
}
