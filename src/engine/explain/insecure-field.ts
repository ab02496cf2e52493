/** Which field of a pod breaks the level of its namespace, from the words of the PodSecurity admission plugin (policy/check_*.go). */
import { FieldPath } from "../api/field-path.ts";
import type { KubeObject } from "../api/meta.ts";
import { visitContainers } from "../api/pod-containers.ts";
import { podSpecOf } from "../api/strategy/pod-fields.ts";

/** What a violation names: a volume or container, of several the first, or a field of the pod itself. */
const named = /\b(volume|container)s? "([^"]+)"|\b(hostNetwork|hostPID|hostIPC)=true/;

/**
 * Reads `… violate PodSecurity "baseline:latest": hostPath volumes (volume "data"), …` of an object that the API server can
 * decode. The first violation that names something counts; undefined for other messages, and where none does.
 */
export function insecureField(object: KubeObject, message: string): string | undefined {
  const violations = /\bviolates? PodSecurity "[^"]+": (.+)/.exec(message)?.[1];
  const spec = violations === undefined ? undefined : podSpecOf(object);
  if (violations === undefined || spec === undefined) return undefined;
  const path = podSpecPath(object);
  const [, list, name, field] = named.exec(violations) ?? [];
  if (field !== undefined) return path.child(field).toString();
  const places: FieldPath[] = [];
  if (list === "volume")
    spec.volumes?.forEach((volume, index) => {
      if (volume.name === name) places.push(path.child("volumes").index(index));
    });
  else
    visitContainers(spec, path, (container, at) => {
      if (container.name === name) places.push(at);
    });
  return places[0]?.toString();
}

function podSpecPath({ kind }: KubeObject): FieldPath {
  const spec = new FieldPath("spec");
  if (kind === "Pod") return spec;
  const made = kind === "CronJob" ? spec.child("jobTemplate").child("spec") : spec;
  return made.child("template").child("spec");
}
