/** A volume names a key that its ConfigMap or Secret lacks. Upstream: pkg/volume/{configmap,secret} MakePayload, v1.36. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";

type Pod = KubeObject<"Pod">;

interface Source {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly keys: readonly string[];
  readonly field: string;
}

const keyCountMax = 5;

/** The item that names the key, and fixes with the existing keys; undefined if the message is about something else. */
export function missingKey(
  facts: RunFacts,
  pod: Pod,
  message: string,
  volumeName: string | undefined,
): { readonly root: Place; readonly fixes: readonly Fix[] } | undefined {
  const key = /references non-existent (?:secret|config) key: (.*)$/.exec(message)?.[1];
  const index = (pod.spec.volumes ?? []).findIndex(({ name }) => name === volumeName);
  if (key === undefined || index < 0) return undefined;
  const source = sourcesOf(pod, index).find(({ keys }) => keys.includes(key));
  if (source === undefined) return undefined;
  const { kind, name, keys, field } = source;
  const root = { ref: refOf(pod), field: `${field}.items[${keys.indexOf(key)}].key` };
  const object = facts.get(kind, pod.metadata.namespace, name);
  const fixes = Object.keys(object?.data ?? {})
    .slice(0, keyCountMax)
    .map((other) => ({
      text: `take the key "${other}" of ${kind} "${name}"`,
      at: root,
      value: other,
    }));
  return { root, fixes: [{ text: `add the key "${key}" to ${kind} "${name}"` }, ...fixes] };
}

function sourcesOf(pod: Pod, index: number): readonly Source[] {
  const { configMap, secret, projected } = pod.spec.volumes?.[index] ?? {};
  const at = `spec.volumes[${index}]`;
  const parts = [
    { configMap, secret: secret && { ...secret, name: secret.secretName }, field: at },
    ...(projected?.sources ?? []).map((part, i) => ({
      ...part,
      field: `${at}.projected.sources[${i}]`,
    })),
  ];
  return parts.flatMap((part) => [
    sourceOf("ConfigMap", part.configMap, `${part.field}.configMap`),
    sourceOf("Secret", part.secret, `${part.field}.secret`),
  ]);
}

function sourceOf(
  kind: Source["kind"],
  source:
    | { readonly name?: string | undefined; readonly items?: readonly { readonly key: string }[] }
    | undefined,
  field: string,
): Source {
  return {
    kind,
    name: source?.name ?? "",
    keys: (source?.items ?? []).map(({ key }) => key),
    field,
  };
}
