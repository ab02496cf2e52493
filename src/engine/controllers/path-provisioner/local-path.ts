/**
 * Rancher's local-path-provisioner (kind, k3s): directories of one node, or of a file system that all nodes mount.
 * Upstream: rancher/local-path-provisioner provisioner.go provisionFor, createPersistentVolumeSource, deleteFor,
 * getPathAndNodeForPV, refreshConfig. Not modeled: that it reads its configuration only every half minute.
 */

import { requestedStorage } from "../../api/claim-size.ts";
import { joinFilePath } from "../../api/go/file-path.ts";
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { hostnameLabel } from "../../api/well-known-labels.ts";
import { localPathConfigFile, localPathConfigMap } from "../../csi/catalogue/path-provisioners.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, isNotFound, type Task } from "../../runtime/effects.ts";
import type { PathProvisioner } from "../../scenario.ts";
import { nodeLabelsOf, runHelperPod } from "./helper-pod.ts";
import {
  basePathOn,
  type ClassConfig,
  configOfClass,
  isShared,
  type LocalPathConfig,
  readLocalPathConfig,
  sizeRefusal,
} from "./local-path-config.ts";
import { patternedFolder } from "./path-pattern.ts";
import {
  nodeAffinityTo,
  type PathRequest,
  type PathVolume,
  type PathVolumes,
  volumeNameFor,
} from "./path-volumes.ts";

export interface LocalPathSettings {
  /** Parent directory if there is no configuration. */
  readonly usualPath: string;
  /** Absent if the cluster does not show how it is configured. */
  readonly config?: LocalPathConfig;
  readonly from?: Ref;
  /** Why it does not start. */
  readonly error?: string;
}

/** Reads the latest ConfigMap of that name. An invalid one keeps it from starting; once it runs, it ignores invalid ones. */
export function localPath(
  context: ComponentContext,
  { path: usualPath = "/opt/local-path-provisioner" }: PathProvisioner,
): PathVolumes {
  let settings: LocalPathSettings = { usualPath };
  const take = (map: KubeObject<"ConfigMap">): void => {
    const text = map.data?.[localPathConfigFile];
    if (map.metadata.name !== localPathConfigMap || text === undefined) return;
    const read = readLocalPathConfig(text);
    if (typeof read !== "string") settings = { usualPath, config: read, from: refOf(map) };
    else if (settings.config === undefined) settings = { usualPath, error: read, from: refOf(map) };
  };
  context.informer("ConfigMap").on({ add: take, update: (_, map) => take(map) });
  return localPathVolumes(() => settings);
}

export function localPathVolumes(settings: () => LocalPathSettings): PathVolumes {
  return {
    supportsBlock: false,
    configuredBy: () => settings().from,
    outage: () => settings().error,
    plan: (request) => plan(settings(), request),
    makeDirectory: (context, request, { spec }) =>
      makeDirectory(context, settings().config, request, pathOf(spec)),
    removeDirectory: (context, volume) => removeDirectory(context, settings().config, volume),
  };
}

function plan({ config, usualPath }: LocalPathSettings, request: PathRequest): PathVolume | string {
  const { claim, storageClass, node } = request;
  const ofClass = config && configOfClass(config, storageClass.metadata.name);
  if (typeof ofClass === "string") return ofClass;
  const shared = ofClass === undefined ? false : isShared(ofClass);
  if (typeof shared === "string") return shared;
  const refused = shared ? undefined : refusalOfOneNode(request);
  if (refused !== undefined) return refused;
  const base = basePath(ofClass, usualPath, request);
  if (typeof base === "string") return base;
  const patterned = patternedFolder(storageClass, claim, volumeNameFor(claim));
  if (typeof patterned === "string") return patterned;
  const source = sourceOf(request, joinFilePath(base.path, patterned.folder));
  if (typeof source === "string") return source;
  const nodeName = node?.metadata.name ?? "";
  const hostname = node?.metadata.labels?.[hostnameLabel] ?? nodeName;
  return {
    metadata: { annotations: { "local.path.provisioner/selected-node": nodeName } },
    spec: {
      ...source,
      ...(!shared && { nodeAffinity: nodeAffinityTo({ [hostnameLabel]: hostname }) }),
    },
  };
}

function refusalOfOneNode({ claim, node }: PathRequest): string | undefined {
  if (claim.spec.selector !== undefined) return "claim.Spec.Selector is not supported";
  const others = (claim.spec.accessModes ?? []).filter(
    (mode) => mode !== "ReadWriteOnce" && mode !== "ReadWriteOncePod",
  );
  if (others.length > 0)
    return "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes";
  return node === undefined ? "configuration error, no node was specified" : undefined;
}

/** Without a known configuration, the path in the class's parameters is assumed to be configured. */
function basePath(
  config: ClassConfig | undefined,
  usualPath: string,
  { claim, storageClass, node }: PathRequest,
): { readonly path: string } | string {
  const { parameters = {} } = storageClass;
  const refused = sizeRefusal(config, parameters, requestedStorage(claim) ?? "");
  if (refused !== undefined) return refused;
  const wanted = parameters["nodePath"] ?? "";
  if (config !== undefined) return basePathOn(config, node?.metadata.name ?? "", wanted);
  return { path: wanted === "" ? usualPath : wanted };
}

function sourceOf(
  { claim, storageClass }: PathRequest,
  path: string,
): Pick<PathVolume["spec"], "hostPath" | "local"> | string {
  const type =
    claim.metadata.annotations?.["volumeType"] ??
    storageClass.metadata.annotations?.["defaultVolumeType"] ??
    "hostPath";
  switch (type.toLowerCase()) {
    case "local":
      return { local: { path } };
    case "hostpath":
      return { hostPath: { path, type: "DirectoryOrCreate" } };
    default:
      return `failed to create persistent volume source: "${type}" is not a recognised volume type`;
  }
}

function pathOf({ hostPath, local }: PathVolume["spec"]): string {
  return hostPath?.path ?? local?.path ?? "";
}

function* makeDirectory(
  context: ComponentContext,
  config: LocalPathConfig | undefined,
  { claim, node }: PathRequest,
  path: string,
): Task<string | undefined> {
  const error = path.startsWith("/")
    ? yield* runHelperPod(context, {
        node: node?.metadata.name,
        timeoutSeconds: config?.timeoutSeconds,
        act: ({ files }) => files.makeDirectories(path, 0o777),
      })
    : `volume path ${path} is not absolute`;
  return error && `failed to create volume ${volumeNameFor(claim)}: ${error}`;
}

/** Removes nothing if the node is gone. */
function* removeDirectory(
  context: ComponentContext,
  config: LocalPathConfig | undefined,
  volume: KubeObject<"PersistentVolume">,
): Task<string | undefined> {
  const { spec, metadata } = volume;
  const ofClass = config && configOfClass(config, spec.storageClassName ?? "");
  if (typeof ofClass === "string") return ofClass;
  const failed = `failed to delete volume ${metadata.name}`;
  const shared = ofClass === undefined ? spec.nodeAffinity === undefined : isShared(ofClass);
  if (typeof shared === "string") return `${failed}: ${failed}: ${shared}`;
  const node = shared ? undefined : nodeLabelsOf(volume)[hostnameLabel];
  if (!shared && node === undefined) return `${failed}: ${failed}: no NodeAffinity set`;
  if (node !== undefined) {
    const found = yield* getLive("Node", undefined, node);
    if (!found.ok && isNotFound(found.error)) return undefined;
  }
  const error = yield* runHelperPod(context, {
    node,
    timeoutSeconds: config?.timeoutSeconds,
    act: ({ files }) => files.remove(pathOf(spec)),
  });
  return error && `${failed}: ${failed}: ${error}`;
}
