/** Checks that no volume is detached from a node where it is still mounted, judged by the node calls that drivers answered. */
import type { AnswerEntry, CallEntry, LifecycleEntry } from "../../src/engine/trace/entry.ts";

const mounting = new Set(["NodeStageVolume", "NodePublishVolume"]);
const unmounting = new Set(["NodeUnstageVolume", "NodeUnpublishVolume"]);

export class StagedVolumes {
  readonly #calls = new Map<number, CallEntry>();
  /** The paths where a volume is mounted, by driver, node and volume. */
  readonly #paths = new Map<string, Set<string>>();
  /**
   * Nodes whose kubelet was once down or whose Node was deleted. Their volumes may be detached by force even if mounted, as
   * such a node is not healthy. Upstream: attachdetach reconciler.go, nodeIsHealthy.
   */
  readonly #disturbed = new Set<string>();

  call(entry: CallEntry): readonly string[] {
    this.#calls.set(entry.id, entry);
    if (entry.call !== "ControllerUnpublishVolume") return [];
    const node = text(entry.request["node_id"]);
    if (this.#disturbed.has(node)) return [];
    const volume = text(entry.request["volume_id"]);
    const paths = this.#paths.get(`${entry.driver} ${node} ${volume}`);
    return paths === undefined || paths.size === 0
      ? []
      : [`${volume} is taken from ${node}, where it is at ${[...paths].join(" and ")}`];
  }

  answer({ id, code }: AnswerEntry): void {
    const entry = this.#calls.get(id);
    if (entry === undefined || code !== "OK") return;
    const { call, driver, node, request } = entry;
    const key = `${driver} ${node} ${text(request["volume_id"])}`;
    const path = text(request["target_path"] ?? request["staging_target_path"]);
    const paths = this.#paths.get(key) ?? new Set();
    if (mounting.has(call)) this.#paths.set(key, paths.add(path));
    else if (unmounting.has(call)) paths.delete(path);
  }

  disturbed({ what, state }: LifecycleEntry): void {
    const kubelet = /^kubelet (.+)$/.exec(what)?.[1];
    if (kubelet !== undefined && state !== "up") this.#disturbed.add(kubelet);
  }

  removed(node: string): void {
    this.#disturbed.add(node);
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
