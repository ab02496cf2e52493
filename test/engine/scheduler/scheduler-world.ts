/** A cluster with a scheduler, but without kubelets and volume controllers: tests do what those would have done. */
import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import type { Kind, KubeObject } from "../../../src/engine/api/meta.ts";
import type { Node, Pod } from "../../../src/engine/api/types.ts";
import { Runtime } from "../../../src/engine/runtime/runtime.ts";
import type { KubernetesVersion, Manifest } from "../../../src/engine/scenario.ts";
import { scheduler } from "../../../src/engine/scheduler/scheduler.ts";
import type { DecisionEntry, EventEntry } from "../../../src/engine/trace/entry.ts";

export interface NodeGiven {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: NonNullable<Node["spec"]["taints"]>;
  readonly unschedulable?: boolean;
  readonly allocatable?: Readonly<Record<string, string>>;
}

const allocatableDefault = { cpu: "4", memory: "8Gi", "ephemeral-storage": "100Gi", pods: "110" };

export class SchedulerWorld {
  readonly runtime: Runtime;

  constructor(version: KubernetesVersion = "1.36", seed = 1) {
    const cluster = { name: "test", nodes: [], drivers: [], manifests: [] };
    this.runtime = new Runtime({ version, seed, cluster, steps: [] });
    this.runtime.start(scheduler);
    this.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}");
  }

  /** Adds a node that is ready when the scheduler first sees it. */
  node(name: string, given: NodeGiven = {}): this {
    const { api } = this.runtime;
    const { labels, taints, unschedulable, allocatable } = given;
    const node: Node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name,
        uid: `uid of ${name}`,
        resourceVersion: "",
        creationTimestamp: api.timestamp,
        labels: { "kubernetes.io/hostname": name, ...labels },
      },
      spec: { ...(taints && { taints }), ...(unschedulable && { unschedulable }) },
      status: { allocatable: { ...allocatableDefault, ...allocatable } },
    };
    this.runtime.as("test", undefined, () => api.restore(node));
    return this.run(5);
  }

  /** Creates the objects of several YAML documents, a millisecond apart. */
  apply(text: string): this {
    for (const document of parseAllDocuments(text)) {
      const manifest = document.toJS() as Manifest | null;
      if (manifest === null) continue;
      const object = {
        ...manifest,
        metadata: { namespace: "default", ...(manifest["metadata"] as object) },
      };
      this.#as(() => this.runtime.api.create(object));
      this.run(1);
    }
    return this;
  }

  /** Creates a pod with one container and the fields of `spec`. */
  pod(
    name: string,
    spec: Partial<Pod["spec"]> = {},
    metadata: Partial<Pod["metadata"]> = {},
  ): this {
    const containers = [{ name: "main", image: "busybox" }];
    this.#as(() =>
      this.runtime.api.create<"Pod">({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: "default", ...metadata },
        spec: { containers, ...spec },
      }),
    );
    return this;
  }

  /** Changes an object as a component would. */
  change<K extends Kind>(
    kind: K,
    name: string,
    change: (object: KubeObject<K>) => KubeObject<K>,
    subresource: "" | "status" = "",
  ): this {
    const object = this.get(kind, name);
    this.#as(() => this.runtime.api.update(change(object) as KubeObject, subresource));
    return this;
  }

  delete(kind: Kind, name: string): this {
    const namespace = this.#namespaceOf(kind, name);
    this.#as(() => this.runtime.api.delete(kind, namespace, name, { gracePeriodSeconds: 0 }));
    return this;
  }

  /** Lets virtual time pass. */
  run(ms: number): this {
    const { loop } = this.runtime;
    const end = loop.now + ms;
    for (let next = loop.next; next !== undefined && next <= end; next = loop.next) loop.step();
    loop.now = Math.max(loop.now, end);
    return this;
  }

  get<K extends Kind>(kind: K, name: string): KubeObject<K> {
    const object = this.runtime.api.store.get(kind, this.#namespaceOf(kind, name), name);
    assert.ok(object, `${kind} ${name} exists`);
    return object;
  }

  nodeOf(pod: string): string | undefined {
    return this.get("Pod", pod).spec.nodeName;
  }

  /** Returns the message of the pod's PodScheduled condition. */
  messageOf(pod: string): string | undefined {
    const { status } = this.get("Pod", pod);
    return status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;
  }

  events(reason: string): readonly EventEntry[] {
    return this.runtime.trace.entries.filter(
      (entry): entry is EventEntry => entry.type === "event" && entry.reason === reason,
    );
  }

  lastDecision(name: string, kind: Kind = "Pod"): DecisionEntry["decision"] | undefined {
    return this.runtime.trace.entries
      .filter((entry): entry is DecisionEntry => entry.type === "decision")
      .filter((entry) => entry.about === `${kind}/default/${name}`)
      .at(-1)?.decision;
  }

  #namespaceOf(kind: Kind, name: string): string {
    return this.runtime.api.store.get(kind, "default", name) === undefined ? "" : "default";
  }

  #as<K extends Kind>(
    action: () => { ok: true; object: KubeObject<K> } | { ok: false; error: { message: string } },
  ): KubeObject<K> {
    const answer = this.runtime.as("test", undefined, action);
    if (!answer.ok) assert.fail(answer.error.message);
    return answer.object;
  }
}
