/** A label selector as kubectl prints it. Upstream: apimachinery v0.36 pkg/apis/meta/v1 FormatLabelSelector. */
import type { LabelSelector } from "../../engine/api/types.ts";

export function printSelector(selector: LabelSelector | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      if (operator === "Exists") return { key, text: key };
      if (operator === "DoesNotExist") return { key, text: `!${key}` };
      return { key, text: `${key} ${operator.toLowerCase()} (${[...values].sort().join(",")})` };
    }),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  return requirements.length === 0 ? "<none>" : requirements.map(({ text }) => text).join(",");
}
