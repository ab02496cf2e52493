/** The binding subresource of pods. Upstream: pkg/registry/core/pod/storage/storage.go BindingREST.assignPod v1.36. */
import { withTopologyLabels } from "../api/admission/pod-topology-labels.ts";
import { withFields } from "../api/json.ts";
import type { ApiError } from "../api/meta.ts";
import type { RequestContext } from "../api/request-context.ts";
import type { Pod, PodStatus } from "../api/types.ts";
import { nominatesBeforeBinding } from "../version-differences.ts";

/** Returns why the pod cannot be assigned to a node; undefined if it can. */
export function bindingRefusal({ metadata, spec }: Pod): ApiError | undefined {
  const { name } = metadata;
  const cause =
    metadata.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : spec.nodeName !== undefined
        ? `pod ${name} is already assigned to node "${spec.nodeName}"`
        : undefined;
  if (cause === undefined) return undefined;
  const message = `Operation cannot be fulfilled on pods/binding "${name}": ${cause}`;
  return { code: 409, reason: "Conflict", message };
}

export function boundPod(pod: Pod, node: string, context: RequestContext): Pod {
  const { version, cluster, now } = context;
  const labels = withTopologyLabels(pod.metadata.labels, node, cluster, version);
  const { status = {} } = pod;
  const conditions = [
    ...(status.conditions ?? []).filter(({ type }) => type !== "PodScheduled"),
    { type: "PodScheduled", status: "True", lastTransitionTime: now },
  ];
  return {
    ...pod,
    metadata: labels === undefined ? pod.metadata : withFields(pod.metadata, { labels }),
    spec: withFields(pod.spec, { nodeName: node }),
    status: withFields(nominatesBeforeBinding(version) ? withoutNomination(status) : status, {
      conditions,
    }),
  };
}

/** A bound pod no longer needs a nominated node (gate ClearingNominatedNodeNameAfterBinding). */
function withoutNomination(status: PodStatus): PodStatus {
  const { nominatedNodeName: _, ...rest } = status;
  return rest;
}
