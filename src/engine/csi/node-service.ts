/** A driver's Node service on one node. Only the plugin knows what is mounted where. */
import type { Backend, NodeState } from "./backend.ts";
import { growthError } from "./controller-service.ts";
import type { CsiRequest, VolumeCapability } from "./messages.ts";
import { isInline, mountRefusal } from "./mount-refusal.ts";
import { isMissing, isRefusal, type Refusal, type Reply, refuse, unimplemented } from "./rpc.ts";
import { modeName, publishError } from "./volume-capability.ts";

export type NodeHandler = (backend: Backend, node: string, request: CsiRequest) => Reply;

export const nodeService: Readonly<Record<string, NodeHandler>> = {
  // A plugin's id and capabilities are known without a call: only its errors matter.
  NodeGetInfo: () => ({}),
  NodeGetCapabilities: () => ({}),
  NodeStageVolume: stageVolume,
  NodeUnstageVolume: unstageVolume,
  NodePublishVolume: publishVolume,
  NodeUnpublishVolume: unpublishVolume,
  NodeExpandVolume: expandVolume,
};

/** What must be equal if a call is repeated. */
function kindOf(capability: VolumeCapability): string {
  const block = capability.block === undefined ? "mount" : "block";
  return `${block} ${modeName(capability)} ${capability.mount?.fs_type ?? ""}`;
}

function stateOf(backend: Backend, node: string): NodeState {
  return backend.nodeState(node) ?? { staged: new Map(), published: new Map() };
}

function stageVolume(backend: Backend, node: string, request: CsiRequest): Reply {
  if (!backend.profile.stageUnstage) return unimplemented("NodeStageVolume");
  const { volume_id: id = "", staging_target_path: target = "" } = request;
  const capability = request.volume_capability;
  if (id === "") return isMissing("volume id");
  if (target === "") return isMissing("staging target path");
  if (capability === undefined) return isMissing("volume capability");
  const refused = mountRefusal(backend.profile.stageRefusals, backend.profile, request);
  if (refused !== undefined) return refused;
  const volume = backend.volume(id);
  if (isRefusal(volume)) return volume;
  const { staged } = stateOf(backend, node);
  const key = `${id}\n${target}`;
  const known = staged.get(key);
  if (known !== undefined && known.kind !== kindOf(capability)) {
    return refuse(
      "AlreadyExists",
      `volume ${id} is already staged at ${target} with another capability`,
    );
  }
  staged.set(key, { kind: kindOf(capability) });
  return {};
}

function unstageVolume(backend: Backend, node: string, request: CsiRequest): Reply {
  if (!backend.profile.stageUnstage) return unimplemented("NodeUnstageVolume");
  const { volume_id: id = "", staging_target_path: target = "" } = request;
  if (id === "") return isMissing("volume id");
  if (target === "") return isMissing("staging target path");
  stateOf(backend, node).staged.delete(`${id}\n${target}`);
  return {};
}

function publishVolume(backend: Backend, node: string, request: CsiRequest): Reply {
  const {
    volume_id: id = "",
    target_path: target = "",
    staging_target_path: staging = "",
  } = request;
  const capability = request.volume_capability;
  if (id === "") return isMissing("volume id");
  if (target === "") return isMissing("target path");
  if (capability === undefined) return isMissing("volume capability");
  const refused = publishRefusal(backend, request, capability);
  if (refused !== undefined) return refused;
  const { staged, published } = stateOf(backend, node);
  if (!isInline(request)) {
    const volume = backend.volume(id);
    if (isRefusal(volume)) return volume;
    if (backend.profile.stageUnstage) {
      if (staging === "") return isMissing("staging target path");
      if (!staged.has(`${id}\n${staging}`)) {
        return refuse("FailedPrecondition", `volume ${id} is not staged on ${node}`);
      }
    }
  }
  const known = published.get(target);
  const kind = `${kindOf(capability)} ${request.readonly === true ? "ro" : "rw"}`;
  if (known !== undefined && (known.volume !== id || known.kind !== kind)) {
    return refuse(
      "AlreadyExists",
      `${target} is already used for volume ${known.volume} with another capability`,
    );
  }
  const exclusive = modeName(capability) === "SINGLE_NODE_SINGLE_WRITER";
  if (known === undefined && exclusive && isPublished(published, id)) {
    return refuse("FailedPrecondition", `volume ${id} is already published on ${node}`);
  }
  published.set(target, { volume: id, kind });
  return {};
}

function publishRefusal(
  { profile }: Backend,
  request: CsiRequest,
  capability: VolumeCapability,
): Refusal | undefined {
  const text = profile.attachRequired ? undefined : publishError(profile, capability);
  return text === undefined
    ? mountRefusal(profile.mountRefusals, profile, request)
    : refuse("InvalidArgument", text);
}

function isPublished(published: NodeState["published"], id: string): boolean {
  for (const { volume } of published.values()) if (volume === id) return true;
  return false;
}

function unpublishVolume(backend: Backend, node: string, request: CsiRequest): Reply {
  const { volume_id: id = "", target_path: target = "" } = request;
  if (id === "") return isMissing("volume id");
  if (target === "") return isMissing("target path");
  stateOf(backend, node).published.delete(target);
  return {};
}

/** Called while the volume is staged and published, so drivers that expand only offline do it too. */
function expandVolume(backend: Backend, _node: string, request: CsiRequest): Reply {
  const { expansion } = backend.profile;
  if (!expansion.node) return unimplemented("NodeExpandVolume");
  const volume = backend.volume(request.volume_id);
  if (isRefusal(volume)) return volume;
  if ((request.volume_path ?? "") === "") return isMissing("volume path");
  const asked = { ...request, volume_context: volume.parameters };
  const told = expansion.nodeRefusals?.filter(({ isSilent }) => isSilent !== true);
  const refused = mountRefusal(told, backend.profile, asked);
  if (refused !== undefined) return refused;
  const range = request.capacity_range;
  // Without controller expansion, the node makes the volume larger itself.
  if (!expansion.controller && range !== undefined) {
    const { volume_capability: capability } = request;
    const size = backend.sizes.inRange(range, 0n, { capability, parameters: volume.parameters });
    if (isRefusal(size)) return size;
    const full = growthError(backend, volume, size);
    if (full !== undefined) return full;
    if (size > volume.size) backend.grow(volume, size);
  }
  const required = BigInt(range?.required_bytes ?? 0);
  return { capacity_bytes: String(volume.size === 0n ? required : volume.size) };
}
