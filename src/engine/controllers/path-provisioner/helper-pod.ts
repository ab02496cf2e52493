/**
 * The pod that a path provisioner sends to a node to make or remove a directory there. It is not in the trace: what is told
 * of it is how long it takes, and that it does not run where no kubelet does.
 * Upstream: rancher/local-path-provisioner provisioner.go createHelperPod; openebs/dynamic-localpv-provisioner
 * cmd/provisioner-localpv/app/helper_hostpath.go launchPod, exitPod.
 */
import type { KubeObject } from "../../api/meta.ts";
import type { Machine } from "../../node/machine.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { sleep, type Task } from "../../runtime/effects.ts";

const pollMs = 1000;
/** Upstream: CmdTimeoutCounts, cmdTimeoutSeconds. */
const pollCountMax = 120;

const timeout = `create process timeout after ${pollCountMax} seconds`;

/** Does something on a node once its kubelet runs the pod; answers what went wrong. */
export function* runHelperPod(
  context: ComponentContext,
  node: string,
  act: (machine: Machine) => void,
): Task<string | undefined> {
  // The first look comes before any pod can have run.
  for (let poll = 1; poll < pollCountMax; poll++) {
    yield* sleep(pollMs);
    const machine = context.machine(node);
    if (machine?.kubeletUp !== true) continue;
    act(machine);
    return undefined;
  }
  yield* sleep(pollMs);
  return timeout;
}

/** The node that runs the pod, by the labels that a volume's nodeAffinity asks for; each with its first value. */
export function nodeLabelsOf(
  volume: KubeObject<"PersistentVolume">,
): Readonly<Record<string, string>> {
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return Object.fromEntries(
    terms
      .flatMap(({ matchExpressions = [] }) => matchExpressions)
      .map(({ key, values }) => [key, values?.[0] ?? ""]),
  );
}
