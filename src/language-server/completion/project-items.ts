/** The keys and values of claimcheck.yaml. */
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersions } from "../../engine/scenario.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { severitySettings } from "../project/project-file.ts";
import { type Item, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";

const keys: readonly (readonly [label: string, insert: string, text: string])[] = [
  ["profile", "profile: ", "The cluster to assume."],
  ["kubernetesVersion", "kubernetesVersion: ", "The newest where absent."],
  ["rules", "rules:\n  ", "Severities by rule id."],
];

export function projectItems({ path, part }: Probe): readonly Item[] {
  const [first] = path;
  if (part === "key" && path.length === 1) {
    return keys.map(([label, insert, text]) => ({
      label,
      kind: "field",
      insert,
      about: { type: "text", text },
    }));
  }
  if (part === "key")
    return first === "rules"
      ? ruleIds.map((label) => ({ label, kind: "field", insert: `${label}: ` }))
      : [];
  if (first === "profile") return profileNames.map(valueItem);
  if (first === "kubernetesVersion")
    return kubernetesVersions.map((label) => ({ label, kind: "value", insert: `"${label}"` }));
  return first === "rules" ? severitySettings.map(valueItem) : [];
}
