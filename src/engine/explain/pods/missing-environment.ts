/**
 * Where a container asks for the object or the key that its environment lacks. Upstream: kubelet_pods.go
 * makeEnvironmentVariables, v1.36.
 */
import { compareText } from "../../api/go/text-order.ts";
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";
import { containerPlaces } from "./ended-container.ts";

type Pod = KubeObject<"Pod">;

interface Lack {
  readonly root: Place;
  readonly fixes?: readonly Fix[];
}

/** Undefined where the message is about something else. */
export function missingEnvironment(
  facts: RunFacts,
  pod: Pod,
  name: string | undefined,
  message: string,
): Lack | undefined {
  const found = containerPlaces(pod).find(({ c }) => c.name === name);
  if (found === undefined) return undefined;
  const { c: container, path } = found;
  const [, key, kind, named] =
    /^Error: couldn't find key (\S+) in (ConfigMap|Secret) [^/]*\/(\S+)$/.exec(message) ?? [];
  const [, resource, missing] =
    /^Error: (configmap|secret) "([^"]+)" not found$/.exec(message) ?? [];
  const isSecret = kind === "Secret" || resource === "secret";
  const object = named ?? missing;
  if (object === undefined) return undefined;
  const at = (field: string): Place => ({ ref: refOf(pod), field: `${path}.${field}` });
  const [ofAll, ofKey] = isSecret
    ? (["secretRef", "secretKeyRef"] as const)
    : (["configMapRef", "configMapKeyRef"] as const);
  const whole = (container.envFrom ?? []).findIndex((source) => source[ofAll]?.name === object);
  if (key === undefined && whole >= 0) return { root: at(`envFrom[${whole}].${ofAll}.name`) };
  const index = (container.env ?? []).findIndex(({ valueFrom }) => {
    const reference = valueFrom?.[ofKey];
    return reference?.name === object && (key === undefined || reference.key === key);
  });
  if (index < 0) return undefined;
  const root = at(`env[${index}].valueFrom.${ofKey}.${key === undefined ? "name" : "key"}`);
  if (key === undefined) return { root };
  return {
    root,
    fixes: keyFixes(facts, pod, isSecret ? "Secret" : "ConfigMap", object, key, root),
  };
}

const keyCountMax = 5;

function keyFixes(
  facts: RunFacts,
  pod: Pod,
  kind: "ConfigMap" | "Secret",
  name: string,
  key: string,
  at: Place,
): readonly Fix[] {
  const { namespace } = pod.metadata;
  const keys = Object.keys(facts.get(kind, namespace, name)?.data ?? {}).sort(compareText);
  const shown = keys.slice(0, keyCountMax).join(", ") + (keys.length > keyCountMax ? " …" : "");
  const has = keys.length === 0 ? "which has none" : `which has ${shown}`;
  return [
    { text: `name a key of ${kind} "${name}", ${has}, or set optional: true`, at },
    {
      text: `add the key ${key} to ${kind} "${name}"`,
      at: { ref: makeRef(kind, namespace, name) },
    },
  ];
}
