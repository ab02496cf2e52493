/** Finds where a name is defined: the object itself, or for derived names a StatefulSet's template or a pod's volume. */
import type { Analysis } from "../analysis.ts";
import type { Environment } from "../workspace/environment.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import { isSame, makerOf } from "./derived-names.ts";
import { placesInCluster } from "./names-in-cluster.ts";
import { type Named, type NamePlace, podScope } from "./object-names.ts";

/** Empty if no file defines the name, as for objects of the assumed cluster. */
export function definitionsOfName(
  { environment }: Analysis,
  named: Named,
): readonly (NamePlace & Span)[] {
  const own = entriesThatMayDefine(environment, named).flatMap((entry) =>
    [...placesInCluster(environment, entry)].filter(
      (place) => place.isDefinition && isSame(place, named),
    ),
  );
  if (own.length > 0) return own.flatMap(withSpan);
  const maker = makerOf(named, environment.objects);
  if (maker === undefined) return [];
  const { entry, volume } = maker;
  const { kind, namespace, name } = entry.object;
  return [...placesInCluster(environment, entry)]
    .filter((place) => {
      if (!place.isDefinition) return false;
      if (volume === undefined)
        return place.kind === kind && place.name === name && place.namespace === namespace;
      return isSame(place, { kind: "PodVolume", namespace: podScope(entry), name: volume });
    })
    .flatMap(withSpan);
}

/** Asking every object for its names would be too slow for each cursor move. */
function entriesThatMayDefine(
  { objects, byRef }: Environment,
  { kind, namespace, name }: Named,
): readonly WorkspaceObject[] {
  if (kind === "PodVolume")
    return objects.filter(
      (entry) => namespace.startsWith(entry.file.uri) && podScope(entry) === namespace,
    );
  const own = byRef.get(`${kind}/${namespace}/${name}`);
  if (own !== undefined) return own;
  return kind === "ConfigMap" || kind === "Secret"
    ? objects.filter(({ object }) => object.kind === "Kustomization")
    : [];
}

export function withSpan(place: NamePlace): readonly (NamePlace & Span)[] {
  const span = place.span();
  return span === undefined ? [] : [{ ...place, ...span }];
}
