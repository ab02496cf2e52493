/**
 * Pods whose volumes are being bound. Upstream checks each once a second for ten minutes. Here a pod is checked in the same
 * second in which upstream would see a change, and not at all while nothing changes.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go BindPodVolumes.
 */
import { deepEqual } from "../../api/json.ts";
import { makeRef, type Ref, refOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "../../api/types.ts";
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/instant.ts";
import { type BindingView, checkBindings } from "./binding-check.ts";
import type { PodVolumes } from "./pod-volume-plan.ts";
import type { VolumeCaches } from "./volume-caches.ts";

const pollMs = 1_000;
const timeoutMs = 600_000;

interface Wait {
  readonly pod: Pod;
  readonly node: string;
  readonly volumes: PodVolumes;
  readonly since: Instant;
  /** The objects whose changes trigger a check. */
  readonly topics: readonly Ref[];
  readonly done: (error: string | undefined) => void;
  readonly cancelTimeout: CancelTimer;
  poll: CancelTimer | undefined;
}

export class BindingWaits {
  readonly #context: ComponentContext;
  readonly #view: BindingView;
  readonly #byTopic = new Map<Ref, Set<Wait>>();
  readonly #byPod = new Map<string, Wait>();

  constructor(context: ComponentContext, caches: VolumeCaches) {
    this.#context = context;
    const nodes = context.informer("Node");
    const pods = context.informer("Pod");
    this.#view = {
      version: context.version,
      caches,
      node: (name) => nodes.get(name),
      pod: (key) => pods.get(key),
    };
    const claimChanged = (claim: PersistentVolumeClaim): void => this.#tell(refOf(claim));
    context.informer("PersistentVolumeClaim").on({
      update: (_, claim) => claimChanged(claim),
      delete: claimChanged,
    });
    const volumeChanged = (volume: PersistentVolume): void => {
      const { claimRef } = volume.spec;
      this.#tell(refOf(volume));
      if (claimRef !== undefined && this.#byTopic.size > 0)
        this.#tell(makeRef("PersistentVolumeClaim", claimRef.namespace, claimRef.name ?? ""));
    };
    context.informer("PersistentVolume").on({
      add: volumeChanged,
      update: (_, volume) => volumeChanged(volume),
      delete: volumeChanged,
    });
    nodes.on({
      update: (before, node) => {
        if (!deepEqual(before.metadata.labels, node.metadata.labels)) this.#tell(refOf(node));
      },
      delete: (node) => this.#tell(refOf(node)),
    });
    pods.on({ delete: (pod) => this.#tell(refOf(pod)) });
  }

  /** Calls `done` once all volumes, given as written, are bound, or with the error that ends the wait. */
  wait(
    pod: Pod,
    node: string,
    volumes: PodVolumes,
    done: (error: string | undefined) => void,
  ): void {
    const wait: Wait = {
      pod,
      node,
      volumes,
      since: this.#context.now,
      topics: topicsOf(pod, node, volumes),
      done,
      cancelTimeout: this.#context.after(timeoutMs, () => {
        this.#end(wait, "context deadline exceeded");
      }),
      poll: undefined,
    };
    for (const topic of wait.topics) {
      const waits = this.#byTopic.get(topic);
      if (waits === undefined) this.#byTopic.set(topic, new Set([wait]));
      else waits.add(wait);
    }
    this.#byPod.set(pod.metadata.uid, wait);
    this.#arm(wait);
  }

  isWaiting(uid: string): boolean {
    return this.#byPod.has(uid);
  }

  cancel(uid: string): void {
    const wait = this.#byPod.get(uid);
    if (wait !== undefined) this.#end(wait, "context canceled");
  }

  #tell(topic: Ref): void {
    if (this.#byTopic.size === 0) return;
    for (const wait of this.#byTopic.get(topic) ?? []) this.#arm(wait);
  }

  /** Schedules a check at the next whole second since the wait began. */
  #arm(wait: Wait): void {
    if (wait.poll !== undefined) return;
    const delayMs = pollMs - ((this.#context.now - wait.since) % pollMs);
    wait.poll = this.#context.after(delayMs, () => {
      wait.poll = undefined;
      const finding = checkBindings(this.#view, wait.pod, wait.node, wait.volumes);
      if (finding.type === "bound") this.#end(wait, undefined);
      else if (finding.type === "failed") this.#end(wait, finding.error);
    });
  }

  #end(wait: Wait, error: string | undefined): void {
    wait.cancelTimeout();
    wait.poll?.();
    this.#byPod.delete(wait.pod.metadata.uid);
    for (const topic of wait.topics) {
      const waits = this.#byTopic.get(topic);
      waits?.delete(wait);
      if (waits?.size === 0) this.#byTopic.delete(topic);
    }
    wait.done(error);
  }
}

function topicsOf(pod: Pod, node: string, { bindings, provisions }: PodVolumes): readonly Ref[] {
  const topics = [refOf(pod), makeRef("Node", undefined, node)];
  for (const { claim, volume } of bindings) topics.push(refOf(claim), refOf(volume));
  for (const claim of provisions) topics.push(refOf(claim));
  return topics;
}
