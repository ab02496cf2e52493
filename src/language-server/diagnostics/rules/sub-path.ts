/** Mounts of a part of a volume. */

import {
  containersOf,
  type Fields,
  fieldsAt,
  itemsOf,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { claimMounts } from "../facts/claim-mounts.ts";
import { isConfigVolume } from "../facts/config-files.ts";
import { subPathField } from "../facts/sub-path-field.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule, EnvironmentRule } from "../rule.ts";

export const subpathConfigUpdate: DocumentRule = objectRule(
  "subpath-config-update",
  "information",
  {},
  function* (object) {
    const updated = new Set(
      podVolumesOf(object)
        .filter(isConfigVolume)
        .map(({ fields }) => fields["name"]),
    );
    for (const container of containersOf(object)) {
      const place = [...container.path, "volumeMounts"];
      for (const { fields, path } of itemsOf(container.fields["volumeMounts"], place)) {
        const field = subPathField(fields);
        if (field === undefined || !updated.has(fields["name"])) continue;
        const message = "A subPath mount does not receive updates; mount the directory for those";
        yield { path: [...path, field], message };
      }
    }
  },
);

/** Upstream: kubelet pkg/kubelet/kubelet_pods.go makeMounts expands only subPathExpr, v1.36. */
export const subpathNotExpanded: DocumentRule = objectRule(
  "subpath-not-expanded",
  "warning",
  {},
  function* (object) {
    for (const container of containersOf(object)) {
      const place = [...container.path, "volumeMounts"];
      for (const { fields, path } of itemsOf(container.fields["volumeMounts"], place)) {
        const variables = (textAt(fields, "subPath") ?? "").match(/\$\([A-Za-z_][\w.-]*\)/g) ?? [];
        const [variable] = variables;
        if (variable === undefined) continue;
        const message = `Not expanded: all pods share a directory named ${variable}. Only subPathExpr expands variables`;
        const isKnown =
          fields["subPathExpr"] === undefined &&
          variables.every((one) => hasVariable(container.fields, one.slice(2, -1)));
        yield {
          path: [...path, "subPath"],
          message,
          ...(isKnown && {
            fix: {
              title: "Rename it to subPathExpr",
              // Existing pods have their data in the directory with the literal name.
              isChoice: true,
              path: [...path, "subPath"],
              key: "subPathExpr",
            },
          }),
        };
      }
    }
  },
);

/** True if the container itself sets the variable: it would not start with an unknown one. */
function hasVariable(container: Fields, name: string): boolean {
  return itemsOf(container["env"], []).some(({ fields }) => fields["name"] === name);
}

export const subpathReadonlyCreate: EnvironmentRule = {
  id: "subpath-readonly-create",
  severity: "information",
  scope: "environment",
  *check(context) {
    for (const { use, fields, path } of claimMounts(context, "volumeMounts")) {
      const field = subPathField(fields);
      const { modes, volume, volumeMode } = use.claim;
      const isReadOnly =
        use.readOnly ||
        (modes.length > 0 && modes.every((mode) => mode === "ReadOnlyMany")) ||
        fieldsAt(volume?.object.value ?? {}, "spec", "csi")["readOnly"] === true;
      // A read-only mount of a writable volume lets the kubelet create the directory.
      if (field === undefined || !isReadOnly || volumeMode === "Block") continue;
      yield {
        entry: use.workload,
        path: [...path, field],
        message:
          "The subdirectory must already exist: the claim is read-only, so it is not created",
      };
    }
  },
};
