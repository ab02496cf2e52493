/** The keys and values of claimcheck.yaml. */
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersions } from "../../engine/scenario.ts";
import type { Analysis } from "../analysis.ts";
import { rulePage } from "../diagnostics/rule.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { severitySettings } from "../project/project-file.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type Item, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";

const keys: readonly (readonly [label: string, insert: string, text: string])[] = [
  ["profile", "profile: ", "The cluster to assume."],
  ["cluster", "cluster:\n  import: ", "What runs already, as kubectl get … -A -o yaml prints it."],
  ["kustomization", "kustomization: ", "The overlay to judge, where several differ."],
  ["kubernetesVersion", "kubernetesVersion: ", "The newest where absent."],
  ["rules", "rules:\n  ", "Severities by rule id."],
  [
    "suppressions",
    "suppressions:\n  - rule: ",
    "Findings that somebody has accepted, in some files or all.",
  ],
];

const clusterKeys: typeof keys = [
  ["import", "import: ", "A file or several, relative to this file's folder."],
];

/** Of an entry of `suppressions`. */
const suppressionKeys: typeof keys = [
  ["rule", "rule: ", "Whose findings are accepted."],
  ["files", "files: ", "Globs, relative to this file's folder; all files where absent."],
  ["reason", "reason: ", "For whoever reads it later."],
];

/** What a key is for; of a rule, where it is explained. */
export function projectKeyText(path: Path): string | undefined {
  const [first, ...rest] = path;
  const last = String(path.at(-1));
  if (first === "rules" && rest.length === 1)
    return ruleIds.includes(last) ? `[${last}](${rulePage(last)})` : undefined;
  const known = new Map<unknown, typeof keys>([
    ["cluster", clusterKeys],
    ["suppressions", suppressionKeys],
  ]).get(first);
  return (rest.length === 0 ? keys : known)?.find(([label]) => label === last)?.[2];
}

export function projectItems(
  analysis: Analysis | undefined,
  { path, part, value }: Probe,
): readonly Item[] {
  const [first] = path;
  if (part === "key" && path.length === 1) return keyItems(keys, value);
  if (part === "key" && first === "suppressions" && path.length === 3)
    return keyItems(suppressionKeys, valueAt(value, path.slice(0, 2)));
  if (first === "suppressions" && path[2] === "rule") return ruleIds.map(valueItem);
  if (part === "key" && first === "cluster") return keyItems(clusterKeys, valueAt(value, [first]));
  if (part === "key")
    return first === "rules"
      ? ruleIds.map((label) => ({ label, kind: "field", insert: `${label}: ` }))
      : [];
  if (first === "profile") return profileNames.map(valueItem);
  if (first === "kustomization")
    return (analysis?.environment.kustomized.overlays ?? []).map(({ folder }) => valueItem(folder));
  if (first === "kubernetesVersion")
    return kubernetesVersions.map((label) => ({ label, kind: "value", insert: `"${label}"` }));
  return first === "rules" ? severitySettings.map(valueItem) : [];
}

/** Those that are not written yet. */
function keyItems(known: typeof keys, written: unknown): readonly Item[] {
  const present = Object.keys(isRecord(written) ? written : {});
  return known
    .filter(([label]) => !present.includes(label))
    .map(([label, insert, text]) => ({
      label,
      kind: "field",
      insert,
      about: { type: "text", text },
    }));
}
