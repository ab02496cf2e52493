/**
 * A StatefulSet whose pods get no DNS names, because its Service has a slightly different name, or another headless Service
 * selects them. A Service that nobody creates or needs is no finding: many sets name one. Upstream:
 * pkg/controller/statefulset/stateful_set_utils.go updateIdentity v1.36, where it becomes the subdomain of the pods.
 */

import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import { firstPodName } from "../../names/made-names.ts";
import { writableNames } from "../../names/names-in-cluster.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { hasUnknownVar } from "../facts/unknown-var.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const stsServiceMissing: EnvironmentRule = {
  id: "sts-service-missing",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  misses: "Service",
  *check(context) {
    const { environment, names } = context;
    const services = servicesByLabel(context);
    for (const entry of environment.objects) {
      const { kind, served, namespace, value } = entry.object;
      const name = textAt(value, "spec", "serviceName") ?? "";
      if (kind !== "StatefulSet" || !served || name === "") continue;
      if (names.has("Service", namespace, name) || hasUnknownVar(environment, entry, name))
        continue;
      const near = nearestObjectName(name, writableNames(context, "Service", namespace));
      const selecting = near === undefined ? soleSelecting(services, entry) : undefined;
      if (near === undefined && selecting === undefined) continue;
      const missing = `Service “${name}” does not exist in namespace ${namespace}, so pods get no DNS names such as ${firstPodName(entry.object)}.${name}`;
      yield {
        entry,
        path: ["spec", "serviceName"],
        message:
          selecting === undefined ? missing : `${missing}; another headless Service selects them`,
        meant: near ?? selecting?.object.name,
        misses: makeRef("Service", namespace, name),
        ...(selecting !== undefined && {
          severity: "information",
          related: [
            { entry: selecting, path: ["spec", "selector"], message: "It selects the pods" },
          ],
        }),
      };
    }
  },
};

type Services = ReadonlyMap<string, readonly WorkspaceObject[]>;

/** By namespace and the first label of the selector. */
function servicesByLabel({ environment: { objects } }: EnvironmentContext): Services {
  const found = new Map<string, WorkspaceObject[]>();
  for (const entry of objects) {
    if (entry.object.kind !== "Service") continue;
    const [label] = Object.entries(fieldsAt(entry.object.value, "spec", "selector"));
    if (label !== undefined) push(found, [entry.object.namespace, ...label].join("/"), entry);
  }
  return found;
}

/** The only Service that selects the set's pods, if it is headless. */
function soleSelecting(
  services: Services,
  { object: set }: WorkspaceObject,
): WorkspaceObject | undefined {
  const labels = fieldsAt(set.value, "spec", "template", "metadata", "labels");
  const [service, ...others] = Object.entries(labels)
    .flatMap((label) => services.get([set.namespace, ...label].join("/")) ?? [])
    .filter(({ object }) =>
      Object.entries(fieldsAt(object.value, "spec", "selector")).every(
        ([key, value]) => labels[key] === value,
      ),
    );
  const isHeadless =
    service !== undefined && textAt(service.object.value, "spec", "clusterIP") === "None";
  return isHeadless && others.length === 0 ? service : undefined;
}
