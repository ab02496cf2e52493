/**
 * Registers the Node and updates its status: conditions and volumesInUse. Upstream: pkg/kubelet/kubelet_node_status.go
 * tryRegisterWithAPIServer, updateNodeStatus v1.36. Heartbeats that change nothing are not sent.
 */
import { withFields } from "../api/json.ts";
import type { Node } from "../api/types.ts";
import type { Machine } from "../node/machine.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { create, patch, sleep, type Task } from "../runtime/effects.ts";
import type { NodeProfile } from "../scenario.ts";
import {
  defaultLabels,
  initialNode,
  initialStatus,
  managedAttachAnnotation,
  reportedConditions,
} from "./node-registration.ts";

const updateMs = 10_000;
const jitter = 0.04;
const registerRetryMs = 100;

export interface NodeStatusHost {
  readonly context: ComponentContext;
  readonly machine: Machine;
  readonly address: string;
  /** Undefined if not known yet. */
  readonly volumesInUse: () => readonly string[] | undefined;
  readonly markReportedInUse: (names: readonly string[]) => void;
  readonly registered: (node: Node) => void;
}

export class NodeStatusUpdater {
  readonly #kubelet: NodeStatusHost;
  #isRegistered = false;
  #isDue = false;
  #isSending = false;

  constructor(kubelet: NodeStatusHost) {
    this.#kubelet = kubelet;
  }

  register(): void {
    this.#kubelet.context.go(this.#register());
  }

  /** Sends the changed status with the next update. */
  wanted(): void {
    if (!this.#isRegistered || this.#isDue) return;
    this.#isDue = true;
    const { context, machine } = this.#kubelet;
    const period = machine.profile.statusUpdateMs ?? updateMs * (1 + jitter * context.fraction());
    // Updates run periodically; how far off the next one is when a change comes is random.
    const delay = period * context.fraction();
    context.after(Math.max(1, Math.round(delay)), () => {
      this.#isDue = false;
      this.#send();
    });
  }

  /** If the Node differs from what this kubelet would report, the next update corrects it. */
  seen(node: Node): void {
    const { context, machine, volumesInUse } = this.#kubelet;
    const told = updated(node, machine.profile, volumesInUse(), context.now);
    if (nodeStatusHasChanged(node, told)) this.wanted();
  }

  *#register(): Task {
    const { context, machine, address, registered } = this.#kubelet;
    const { profile } = machine;
    let node: Node | undefined;
    while (node === undefined) {
      const draft = initialNode(profile, context.version, address, context.now);
      const created = yield* create<"Node">(draft);
      const known = created.ok
        ? created
        : yield* patch("Node", undefined, profile.name, labelled(profile));
      if (known.ok) node = known.object;
      else yield* sleep(registerRetryMs);
    }
    if (node.status?.allocatable === undefined) {
      const status = initialStatus(profile, context.version, address, context.now);
      const change = (known: Node): Node => ({ ...known, status: { ...status, ...known.status } });
      yield* patch("Node", undefined, profile.name, change, "status");
    }
    this.#isRegistered = true;
    registered(node);
    this.wanted();
  }

  #send(): void {
    if (this.#isSending) {
      this.wanted();
      return;
    }
    this.#isSending = true;
    this.#kubelet.context.go(this.#update(), () => {
      this.#isSending = false;
    });
  }

  *#update(): Task {
    const { context, machine, volumesInUse, markReportedInUse } = this.#kubelet;
    const names = volumesInUse();
    const written = yield* patch(
      "Node",
      undefined,
      machine.name,
      (node) => updated(node, machine.profile, names, context.now),
      "status",
    );
    if (written.ok && names !== undefined) markReportedInUse(names);
    // Tries again if the write failed, or if volumesInUse has changed meanwhile.
    if (!written.ok || names !== volumesInUse()) this.wanted();
  }
}

/** Upstream: updateDefaultLabels, reconcileCMADAnnotationWithExistingNode. */
function labelled(profile: NodeProfile): (known: Node) => Node {
  return (known) => ({
    ...known,
    metadata: {
      ...known.metadata,
      labels: { ...known.metadata.labels, ...defaultLabels(profile) },
      annotations: { ...known.metadata.annotations, [managedAttachAnnotation]: "true" },
    },
  });
}

/** Compares only what a kubelet reports more than once here. Upstream: nodeStatusHasChanged. */
function nodeStatusHasChanged({ status: before }: Node, { status: after }: Node): boolean {
  return (
    before?.volumesInUse !== after?.volumesInUse ||
    after?.conditions?.some((condition, index) => condition !== before?.conditions?.[index]) ===
      true
  );
}

/** The Node with this kubelet's conditions and volumesInUse; values that are unchanged or unknown stay as they are. */
function updated(
  node: Node,
  profile: NodeProfile,
  inUse: readonly string[] | undefined,
  now: number,
): Node {
  const { volumesInUse, ...status } = node.status ?? {};
  const names = inUse ?? volumesInUse ?? [];
  const known = node.status?.conditions ?? [];
  const reported = reportedConditions(profile, now);
  const conditions = [
    ...known.map((condition) => {
      const own = reported.find(({ type }) => type === condition.type);
      return own === undefined || own.status === condition.status ? condition : own;
    }),
    ...reported.filter(({ type }) => !known.some((condition) => condition.type === type)),
  ];
  const isSame =
    names.length === volumesInUse?.length && names.every((n) => volumesInUse.includes(n));
  return {
    ...node,
    status: withFields(status, {
      conditions,
      ...(names.length > 0 && { volumesInUse: isSame ? volumesInUse : names }),
    }),
  };
}
