/**
 * Names, ordinals and pods of a StatefulSet. Upstream: pkg/controller/statefulset/stateful_set_utils.go v1.36.
 */
import type { Draft, KubeObject } from "../../api/meta.ts";
import type { PersistentVolumeClaim, Volume } from "../../api/types.ts";
import { parentAndOrdinal } from "../../matching/ordinals.ts";
import { podFromTemplate } from "../workload/pod-template.ts";

export type StatefulSet = KubeObject<"StatefulSet">;
export type Pod = KubeObject<"Pod">;

const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";
export const revisionLabel = "controller-revision-hash";

export function ordinalOf(pod: Pod): number {
  return parentAndOrdinal(pod.metadata.name).ordinal;
}

export function podNameOf(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** Made of template, set and ordinal: `data-web-0`. */
export function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** Of several templates with the same name, the last counts. Upstream: getPersistentVolumeClaims. */
export function claimTemplates({ spec }: StatefulSet): readonly PersistentVolumeClaim[] {
  const templates = spec?.volumeClaimTemplates ?? [];
  return [...new Map(templates.map((template) => [template.metadata.name, template])).values()];
}

/** Returns the pod for an ordinal, made from the set's template. */
export function newPod(set: StatefulSet, ordinal: number, revision: string): Draft<"Pod"> {
  const draft = podFromTemplate(set.spec?.template, set);
  const name = podNameOf(set, ordinal);
  const { serviceName } = set.spec ?? {};
  // The subdomain is the set's service or none, whatever the template says.
  const { subdomain: _, ...spec } = draft.spec ?? { containers: [] };
  return {
    ...draft,
    metadata: {
      ...draft.metadata,
      name,
      labels: {
        ...draft.metadata.labels,
        [podNameLabel]: name,
        [podIndexLabel]: String(ordinal),
        [revisionLabel]: revision,
      },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName !== undefined && { subdomain: serviceName }),
      ...volumesFor(set, ordinal, draft.spec?.volumes),
    },
  };
}

export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  const { parent, ordinal } = parentAndOrdinal(pod.metadata.name);
  return (
    ordinal >= 0 &&
    parent === set.metadata.name &&
    pod.metadata.labels?.[podNameLabel] === pod.metadata.name
  );
}

export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  return claimTemplates(set).every((template) => {
    const volume = pod.spec.volumes?.find((v) => v.name === template.metadata.name);
    return (
      volume?.persistentVolumeClaim?.claimName === claimName(set, template.metadata.name, ordinal)
    );
  });
}

/** Returns the pod with the labels and volumes that its place in the set requires. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  const labels = {
    ...pod.metadata.labels,
    [podNameLabel]: pod.metadata.name,
    [podIndexLabel]: String(ordinal),
  };
  const named = identityMatches(set, pod) ? pod : { ...pod, metadata: { ...pod.metadata, labels } };
  if (storageMatches(set, named)) return named;
  return { ...named, spec: { ...named.spec, ...volumesFor(set, ordinal, named.spec.volumes) } };
}

/** Claims replace volumes of the same name. */
function volumesFor(
  set: StatefulSet,
  ordinal: number,
  volumes: readonly Volume[] | undefined,
): { readonly volumes?: readonly Volume[] } {
  const names = claimTemplates(set).map((template) => template.metadata.name);
  const claims = names.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(set, name, ordinal) },
  }));
  const all = [...claims, ...(volumes ?? []).filter((volume) => !names.includes(volume.name))];
  return all.length === 0 ? {} : { volumes: all };
}
