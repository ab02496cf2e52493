/**
 * The pod with which a path provisioner creates or removes a directory on a node. It is no object here: all that is modeled
 * is its duration, and that it needs a running kubelet.
 * Upstream: rancher/local-path-provisioner provisioner.go createHelperPod; openebs/dynamic-localpv-provisioner
 * cmd/provisioner-localpv/app/helper_hostpath.go launchPod, exitPod.
 */
import type { PersistentVolumeSpec } from "../../api/types.ts";
import type { Machine } from "../../node/machine.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { sleep, type Task } from "../../runtime/effects.ts";

/** Upstream: CmdTimeoutCounts, defaultCmdTimeoutSeconds. */
const usualTimeoutSeconds = 120;

export interface HelperPod {
  /** Where it runs; if absent, on any node, and `act` is called for all, since they share the directory. */
  readonly node?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Time between two looks at the pod; one second if absent. */
  readonly pollSeconds?: number;
  /** What it does to a machine's files. */
  act(machine: Machine): void;
}

/** Calls `act` once the node's kubelet can run the pod; returns an error if that takes too long. */
export function* runHelperPod(
  context: ComponentContext,
  { node, timeoutSeconds = usualTimeoutSeconds, pollSeconds = 1, act }: HelperPod,
): Task<string | undefined> {
  // The first look is one period after the start: upstream's comes before any pod can have run, or after such a pause.
  for (let waited = pollSeconds; waited < timeoutSeconds; waited += pollSeconds) {
    yield* sleep(pollSeconds * 1000);
    const machines = node === undefined ? context.machines : [context.machine(node)];
    if (!machines.some((machine) => machine?.kubeletUp === true)) continue;
    for (const machine of machines) if (machine !== undefined) act(machine);
    return undefined;
  }
  yield* sleep(pollSeconds * 1000);
  return `create process timeout after ${timeoutSeconds} seconds`;
}

interface VolumeWithNodes {
  readonly spec: Pick<PersistentVolumeSpec, "nodeAffinity">;
}

/** The labels that a volume's nodeAffinity requires of its node, each with its first value. */
export function nodeLabelsOf({
  spec: { nodeAffinity },
}: VolumeWithNodes): Readonly<Record<string, string>> {
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return Object.fromEntries(
    terms
      .flatMap(({ matchExpressions = [] }) => matchExpressions)
      .map(({ key, values }) => [key, values?.[0] ?? ""]),
  );
}
