/**
 * Which objects a command prints. Objects of an imported cluster that no file concerns are left out. With `--namespace` only
 * those in it are printed, and cluster-scoped objects unless they serve another namespace, such as the volume of a claim there.
 * All objects are judged, printed or not.
 */
import { isNamespaced, type Ref } from "../engine/api/meta.ts";
import type { Verdict } from "../engine/explain/verdict.ts";
import { kindOfResource } from "../language-server/events/resource-names.ts";
import { isAbout } from "../language-server/findings/kept-out.ts";
import { isOthers, userOf } from "../language-server/prediction/predictor.ts";
import { calledOf } from "../language-server/yaml/manifest.ts";
import type { ClusterResult } from "./cluster-result.ts";

export function isTold({ prediction, namespace }: ClusterResult, ref: Ref): boolean {
  return !isOthers(prediction, ref) && isWithin(prediction, ref, namespace);
}

/** The result with only the verdicts and findings of one namespace. Findings that are about no object stay. */
export function withinNamespace(
  result: ClusterResult,
  namespace: string | undefined,
): ClusterResult {
  if (namespace === undefined) return result;
  const { environment, prediction } = result;
  const { trials } = prediction;
  const isToldOf = ({ ref }: Verdict): boolean => isWithin(prediction, ref, namespace);
  const verdicts = prediction.verdicts.filter(isToldOf);
  const ofTrials = { ...trials, verdicts: trials.verdicts.filter(isToldOf) };
  const diagnostics = result.diagnostics.filter((diagnostic) => {
    const about = environment.objects.filter((entry) => isAbout(diagnostic, entry));
    return (
      about.length === 0 ||
      about.some(({ object }) => isWithin(prediction, calledOf(object), namespace))
    );
  });
  return {
    ...result,
    prediction: { ...prediction, verdicts, trials: ofTrials },
    diagnostics,
    namespace,
  };
}

/** The namespaces that have objects; undefined if the requested one has. Objects that name none are in `default`. */
export function otherNamespaces(results: readonly ClusterResult[]): readonly string[] | undefined {
  const there = new Set<string>();
  for (const { environment, namespace } of results)
    for (const { object } of environment.objects) {
      if (object.namespace === namespace) return undefined;
      if (object.namespace !== "") there.add(object.namespace);
    }
  return [...there].sort();
}

/** Adds the namespace: `pvc/data` becomes `pvc/shop/data`. Cluster-scoped objects stay as they are. */
export function objectIn(object: string, namespace: string | undefined): string {
  const [kind = "", ...rest] = object.split("/");
  const known = kindOfResource(kind);
  if (namespace === undefined || known === undefined || !isNamespaced(known)) return object;
  return rest.length === 1 ? [kind, namespace, ...rest].join("/") : object;
}

export function isWithin(
  prediction: ClusterResult["prediction"],
  ref: Ref,
  namespace: string | undefined,
): boolean {
  const [, own = ""] = ref.split("/");
  if (namespace === undefined || own === namespace) return true;
  if (own !== "") return false;
  const user = userOf(prediction, ref);
  return user === undefined || isWithin(prediction, user, namespace);
}
