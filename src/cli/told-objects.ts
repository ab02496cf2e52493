/**
 * Of which objects a command tells: not of those of an imported cluster that no file has to do with, and with `--namespace`
 * as `kubectl get --namespace` does, of those in it and of what is in none. What is in none and serves another namespace,
 * the volume of another's claim say, is left out, too. All are judged whatever is told.
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

/** With the verdicts and findings of one namespace; those of text that holds no object stay. */
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

/** Where nothing is in the namespace: which ones there are. Objects that name none are in `default`, as with kubectl. */
export function otherNamespaces(results: readonly ClusterResult[]): readonly string[] | undefined {
  const there = new Set<string>();
  for (const { environment, namespace } of results)
    for (const { object } of environment.objects) {
      if (object.namespace === namespace) return undefined;
      if (object.namespace !== "") there.add(object.namespace);
    }
  return [...there].sort();
}

/** `pvc/data` of a namespace is `pvc/shop/data`; what is in none is called as it was. */
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
