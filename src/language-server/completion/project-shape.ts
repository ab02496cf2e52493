/** Keys and values of claimcheck.yaml, for completion and hover. project/project-file.ts reports what is wrong in one. */
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { kubernetesVersions } from "../../engine/scenario.ts";
import { rulePage } from "../diagnostics/rule.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { driverList } from "../project/described-drivers.ts";
import { severitySettings } from "../project/project-file.ts";
import {
  boolean,
  field,
  listOf,
  type MappingShape,
  mapping,
  oneOf,
  text,
} from "../shapes/shape.ts";

const severity = oneOf(...severitySettings);

export const projectShape: MappingShape = mapping({
  profile: field(oneOf(...profileNames), "The cluster to assume."),
  cluster: field(
    mapping({
      import: field(
        { type: "list or text", of: text },
        "One or more files, relative to this file's folder.",
      ),
    }),
    "The running cluster, as `kubectl get … -A -o yaml` prints it.",
    "cluster:\n  import: ",
  ),
  folders: field(
    { type: "list or text", of: text },
    "Folders elsewhere in the workspace whose manifests are for this cluster as well, relative to this file's folder.",
    "folders:\n  - ",
  ),
  kustomization: field(text, "The overlay to judge, if several differ."),
  charts: field(
    listOf(
      mapping({
        chart: field(text, "The chart's folder, relative to this file's folder."),
        name: field(text, "The release's name; the chart's own name if absent."),
        namespace: field(text, "The release's namespace; `default` if absent."),
        values: field(
          { type: "list or text", of: text },
          "Values files, relative to this file's folder; later files take precedence.",
        ),
        skipSchemaValidation: field(
          boolean,
          "Skips validation against the chart's values.schema.json.",
        ),
      }),
    ),
    "Charts that are installed into this cluster, each as `helm install` would; if absent, every chart that there is, with its own values.",
    "charts:\n  - chart: ",
  ),
  kubernetesVersion: field(oneOf(...kubernetesVersions), "The newest if absent."),
  drivers: field(
    driverList,
    "What installed drivers can do, if that is unknown or unusual.",
    "drivers:\n  - name: ",
  ),
  rules: field(
    mapping(
      Object.fromEntries(ruleIds.map((id) => [id, field(severity, `[${id}](${rulePage(id)})`)])),
    ),
    "Severities by rule id.",
    "rules:\n  ",
  ),
  suppressions: field(
    listOf(
      mapping({
        rule: field(oneOf(...ruleIds), "The rule whose findings are accepted."),
        files: field(
          { type: "list or text", of: text },
          "Globs, relative to this file's folder; all files if absent.",
        ),
        reason: field(text, "The reason, for later readers."),
      }),
    ),
    "Findings that somebody has accepted, in some files or all.",
    "suppressions:\n  - rule: ",
  ),
});
