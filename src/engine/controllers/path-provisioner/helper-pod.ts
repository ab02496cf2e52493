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
/** Upstream: CmdTimeoutCounts, defaultCmdTimeoutSeconds. */
const usualTimeoutSeconds = 120;

export interface HelperPod {
  /** Where it runs; on any node where absent, with what all nodes have. */
  readonly node?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** What it does to a machine's files. */
  act(machine: Machine): void;
}

/** Does something on a node once its kubelet runs the pod; answers what went wrong. */
export function* runHelperPod(
  context: ComponentContext,
  { node, timeoutSeconds = usualTimeoutSeconds, act }: HelperPod,
): Task<string | undefined> {
  // The first look comes before any pod can have run.
  for (let poll = 1; poll < timeoutSeconds; poll++) {
    yield* sleep(pollMs);
    const machines = node === undefined ? context.machines : [context.machine(node)];
    if (!machines.some((machine) => machine?.kubeletUp === true)) continue;
    for (const machine of machines) if (machine !== undefined) act(machine);
    return undefined;
  }
  yield* sleep(pollMs);
  return `create process timeout after ${timeoutSeconds} seconds`;
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
