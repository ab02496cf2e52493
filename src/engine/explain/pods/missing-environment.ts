/**
 * Where a container's environment refers to a missing ConfigMap, Secret or key. Upstream: kubelet_pods.go
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

/** The field of the container that refers to what the message misses; undefined if the message is about something else. */
export function missingEnvironment(
  facts: RunFacts,
  pod: Pod,
  name: string | undefined,
  message: string,
): Lack | undefined {
  const found = containerPlaces(pod).find(({ c }) => c.name === name);
  const missing = missingIn(message);
  if (found === undefined || missing === undefined) return undefined;
  const { c: container, path } = found;
  const { kind, object, key } = missing;
  const { ofAll, ofKey } = fieldsFor[kind];
  const at = (field: string): Place => ({ ref: refOf(pod), field: `${path}.${field}` });
  const whole = (container.envFrom ?? []).findIndex((source) => source[ofAll]?.name === object);
  if (key === undefined && whole >= 0) return { root: at(`envFrom[${whole}].${ofAll}.name`) };
  const index = (container.env ?? []).findIndex(({ valueFrom }) => {
    const reference = valueFrom?.[ofKey];
    return reference?.name === object && (key === undefined || reference.key === key);
  });
  if (index < 0) return undefined;
  const reference = `env[${index}].valueFrom.${ofKey}`;
  if (key === undefined) return { root: at(`${reference}.name`) };
  const { namespace } = pod.metadata;
  const has = keysText(facts.get(kind, namespace, object)?.data);
  const root = at(`${reference}.key`);
  const title = `${kind} "${object}"`;
  return {
    root,
    fixes: [
      { text: `name a key of ${title}, ${has}, or set optional: true`, at: root },
      { text: `add the key ${key} to ${title}`, at: { ref: makeRef(kind, namespace, object) } },
    ],
  };
}

interface Missing {
  readonly kind: "ConfigMap" | "Secret";
  readonly object: string;
  /** Absent if the object itself is missing. */
  readonly key?: string;
}

const fieldsFor = {
  ConfigMap: { ofAll: "configMapRef", ofKey: "configMapKeyRef" },
  Secret: { ofAll: "secretRef", ofKey: "secretKeyRef" },
} as const;

function missingIn(message: string): Missing | undefined {
  const ofKey = /^Error: couldn't find key (\S+) in (?:ConfigMap|(Secret)) [^/]*\/(\S+)$/.exec(
    message,
  );
  if (ofKey !== null) {
    const [, key = "", secret, object = ""] = ofKey;
    return { kind: secret === undefined ? "ConfigMap" : "Secret", object, key };
  }
  const ofObject = /^Error: (?:configmap|(secret)) "([^"]+)" not found$/.exec(message);
  if (ofObject === null) return undefined;
  const [, secret, object = ""] = ofObject;
  return { kind: secret === undefined ? "ConfigMap" : "Secret", object };
}

const keyCountMax = 5;

function keysText(data: Readonly<Record<string, unknown>> = {}): string {
  const keys = Object.keys(data).sort(compareText);
  if (keys.length === 0) return "which has none";
  return `which has ${keys.slice(0, keyCountMax).join(", ")}${keys.length > keyCountMax ? " …" : ""}`;
}
