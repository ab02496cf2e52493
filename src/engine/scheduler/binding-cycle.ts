/**
 * Binds a pod's volumes and then the pod to the chosen node, while the scheduler goes on with other pods.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/schedule_one.go bindingCycle, handleBindingCycleError.
 */
import type { Node } from "../api/types.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { bindPod, eventInSeries, type Task } from "../runtime/effects.ts";
import { nominatesBeforeBinding } from "../version-differences.ts";
import type { FailureReport } from "./failure-report.ts";
import type { QueuedPod } from "./queue/scheduling-queue.ts";
import type { BindingWaits } from "./volume/binding-waits.ts";
import type { PodVolumes } from "./volume/pod-volume-plan.ts";
import { writeVolumes } from "./volume/write-volumes.ts";

export interface BindingParts {
  readonly context: ComponentContext;
  readonly waits: BindingWaits;
  readonly report: FailureReport;
  /** Undoes the assumptions about the pod and its volumes, and requeues the pod. */
  readonly failed: (queued: QueuedPod, volumes: PodVolumes | undefined, error: string) => Task;
}

const preBindFailed = 'running PreBind plugin "VolumeBinding": ';

/** `volumes` are bound before the pod; undefined if all its claims are bound already. */
export function* bindToNode(
  parts: BindingParts,
  queued: QueuedPod,
  node: Node,
  volumes: PodVolumes | undefined,
): Task {
  if (volumes === undefined) {
    yield* bind(parts, queued, node, undefined);
    return;
  }
  const { context, waits, report, failed } = parts;
  const { info } = queued;
  const { name } = node.metadata;
  if (nominatesBeforeBinding(context.version)) yield* report.nominate(info, name);
  const written = yield* writeVolumes(volumes);
  if (!written.ok) {
    yield* failed(queued, volumes, `${preBindFailed}${written.error}`);
    return;
  }
  waits.wait(info.pod, name, written.volumes, (error) => {
    const rest =
      error === undefined
        ? bind(parts, queued, node, volumes)
        : failed(queued, volumes, `${preBindFailed}binding volumes: ${error}`);
    context.go(rest);
  });
}

function* bind(
  { failed }: BindingParts,
  queued: QueuedPod,
  node: Node,
  volumes: PodVolumes | undefined,
): Task {
  const { info } = queued;
  const { namespace = "", name } = info.pod.metadata;
  const nodeName = node.metadata.name;
  const bound = yield* bindPod(namespace, name, info.uid, nodeName);
  if (bound.ok) {
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    yield* eventInSeries(
      { ref: info.ref, metadata: info.pod.metadata },
      "Normal",
      "Scheduled",
      message,
    );
  } else {
    const error = `running Bind plugin "DefaultBinder": ${bound.error.message}`;
    yield* failed(queued, volumes, error);
  }
}
