/** What is mounted where, by the node calls that drivers answered: nobody may take a volume from a node that still uses it. */
import type { AnswerEntry, CallEntry, LifecycleEntry } from "../../src/engine/trace/entry.ts";

const mounting = new Set(["NodeStageVolume", "NodePublishVolume"]);
const unmounting = new Set(["NodeUnstageVolume", "NodeUnpublishVolume"]);

export class StagedVolumes {
  readonly #calls = new Map<number, CallEntry>();
  /** Paths by driver, node and volume. */
  readonly #paths = new Map<string, Set<string>>();
  /**
   * Once a kubelet has been down or its Node has gone, its volumes may be taken by force, mounted or not: a node that is not
   * there is not healthy. Upstream: attachdetach reconciler.go, nodeIsHealthy.
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
