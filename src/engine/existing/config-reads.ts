/** The ConfigMaps and Secrets, with their keys, that a pod cannot start without. Optional ones are left out. */
import { containersAtCreation } from "../api/pod-containers.ts";
import type { Container, Pod, Volume } from "../api/types.ts";

export interface ConfigRead {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly keys: readonly string[];
}

export function readsOf({ spec }: Pod): readonly ConfigRead[] {
  const { volumes = [] } = spec;
  return [...volumes.flatMap(volumeReads), ...containersAtCreation(spec).flatMap(environmentReads)];
}

interface Source {
  readonly name?: string | undefined;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string }[];
}

function readOf(kind: ConfigRead["kind"], source: Source | undefined): readonly ConfigRead[] {
  const { name, optional, items = [] } = source ?? {};
  if (name === undefined || optional === true) return [];
  return [{ kind, name, keys: items.map(({ key }) => key) }];
}

function volumeReads({ configMap, secret, projected, csi }: Volume): readonly ConfigRead[] {
  return [
    ...readOf("ConfigMap", configMap),
    ...readOf("Secret", secret && { ...secret, name: secret.secretName }),
    ...readOf("Secret", csi?.nodePublishSecretRef),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...readOf("ConfigMap", source.configMap),
      ...readOf("Secret", source.secret),
    ]),
  ];
}

function environmentReads({ env = [], envFrom = [] }: Container): readonly ConfigRead[] {
  return [
    ...env.flatMap(({ valueFrom: { configMapKeyRef, secretKeyRef } = {} }) => [
      ...readOf("ConfigMap", configMapKeyRef && { ...configMapKeyRef, items: [configMapKeyRef] }),
      ...readOf("Secret", secretKeyRef && { ...secretKeyRef, items: [secretKeyRef] }),
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...readOf("ConfigMap", configMapRef),
      ...readOf("Secret", secretRef),
    ]),
  ];
}
