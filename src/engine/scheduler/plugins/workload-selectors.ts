/**
 * The selector that tells which pods belong together: that of a pod's services and of the workload that owns it.
 * Upstream: kube-scheduler v1.36 plugins/helper/spread.go DefaultSelector.
 */
import { compareText } from "../../api/go/text-order.ts";
import { controllerOf, makeKey } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { LabelSelector, Pod } from "../../api/types.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";
import { anchorOf } from "../cache/pod-counts.ts";

/** The index of services by one label of their selector. */
const byFirstLabel = "first label of the selector";

export interface WorkloadSelector {
  readonly selector: LabelSelector;
  /** The selector as text, to compare selectors by. */
  readonly signature: string;
}

export interface WorkloadSelectors {
  /** Undefined if neither a service nor a workload selects the pod. */
  selectorOf(pod: Pod): WorkloadSelector | undefined;
}

export function workloadSelectors(context: ComponentContext): WorkloadSelectors {
  const services = context.informer("Service");
  services.index(byFirstLabel, ({ metadata, spec }) => {
    const anchor = anchorOf({ matchLabels: spec.selector ?? {} });
    return anchor === undefined ? [] : [`${metadata.namespace ?? ""} ${anchor}`];
  });
  const replicaSets = context.informer("ReplicaSet");
  const statefulSets = context.informer("StatefulSet");
  const replicationControllers = context.informer("ReplicationController");
  const ownersSelector = (pod: Pod): LabelSelector | undefined => {
    const owner = controllerOf(pod);
    if (owner === undefined) return undefined;
    const key = makeKey(pod.metadata.namespace, owner.name);
    switch (`${owner.apiVersion} ${owner.kind}`) {
      case "apps/v1 ReplicaSet":
        return replicaSets.get(key)?.spec.selector;
      case "apps/v1 StatefulSet":
        return statefulSets.get(key)?.spec.selector;
      case "v1 ReplicationController": {
        const matchLabels = replicationControllers.get(key)?.spec.selector;
        return matchLabels === undefined ? undefined : { matchLabels };
      }
      default:
        return undefined;
    }
  };
  return {
    selectorOf: (pod) => selector(servicesLabels(services, pod), ownersSelector(pod)),
  };
}

/** The merged selectors of the services that select the pod. */
function servicesLabels(
  services: Informer<"Service">,
  { metadata }: Pod,
): Readonly<Record<string, string>> {
  const { namespace = "", labels = {} } = metadata;
  let selected: Record<string, string> = {};
  for (const [key, value] of Object.entries(labels)) {
    const anchor = anchorOf({ matchLabels: { [key]: value } }) ?? "";
    for (const { spec } of services.byIndex(byFirstLabel, `${namespace} ${anchor}`)) {
      const matchLabels = spec.selector ?? {};
      if (labelSelectorMatches({ matchLabels }, labels)) selected = { ...selected, ...matchLabels };
    }
  }
  return selected;
}

function selector(
  labels: Readonly<Record<string, string>>,
  owner: LabelSelector | undefined,
): WorkloadSelector | undefined {
  const matchLabels = { ...labels, ...owner?.matchLabels };
  const whole: LabelSelector = { ...owner, matchLabels };
  const isEmpty =
    Object.keys(matchLabels).length === 0 && (whole.matchExpressions ?? []).length === 0;
  if (isEmpty) return undefined;
  const names = Object.keys(matchLabels).sort(compareText);
  return {
    selector: whole,
    signature: JSON.stringify([
      names.map((name) => [name, matchLabels[name]]),
      whole.matchExpressions,
    ]),
  };
}
