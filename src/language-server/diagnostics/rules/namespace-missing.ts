/** A namespace of objects that no file creates. Reported once, where it is used first. */
import { isStanding } from "../../../engine/api/admission/namespace-lifecycle.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import type { EnvironmentRule } from "../rule.ts";

export const namespaceMissing: EnvironmentRule = {
  id: "namespace-missing",
  severity: "hint",
  scope: "environment",
  looksAtAll: true,
  misses: "Namespace",
  yieldsTo: ["pod-claim-other-namespace", "request-refused"],
  yieldsAtPlace: true,
  *check({ environment, names }) {
    const told = new Set<string>();
    let made: readonly string[] | undefined;
    for (const entry of environment.objects) {
      const { namespace, served, kind } = entry.object;
      if (!served || kind === "Namespace" || namespace === "") continue;
      if (isStanding(namespace) || told.has(namespace)) continue;
      told.add(namespace);
      if (names.has("Namespace", "", namespace)) continue;
      made ??= names.names("Namespace");
      const meant = nearestObjectName(namespace, made);
      const message = `namespaces "${namespace}" not found: no file makes it`;
      const misses = makeRef("Namespace", "", namespace);
      yield { entry, path: ["metadata", "namespace"], message, meant, misses };
    }
  },
};
