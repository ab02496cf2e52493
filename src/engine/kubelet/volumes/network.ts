/**
 * In-tree network storage: NFS, iSCSI, Fibre Channel. Servers and targets are taken to answer.
 * Upstream: pkg/volume/nfs, pkg/volume/iscsi, pkg/volume/fc v1.36. Not modelled: multipath.
 */

import type { Pod } from "../../api/types.ts";
import { kubeletRoot } from "../../node/machine.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import { fcVolumeName, iscsiVolumeName } from "../../volume/volume-names.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { blockDirectory, podVolumeDirectory } from "./paths.ts";
import {
  type BlockPlugin,
  final,
  immediately,
  type MountRequest,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
  type VolumeSpec,
} from "./plugin.ts";

function bindMount(
  host: VolumeHost,
  plugin: string,
  { spec, pod }: MountRequest,
  source: string,
  fsType: string,
  readOnly: boolean,
): VolumeResult {
  const target = podVolumeDirectory(pod.metadata.uid, plugin, spec.name);
  host.machine.files.makeDirectories(target, 0o750);
  const options = [
    ...(spec.persistentVolume?.spec.mountOptions ?? []),
    ...(readOnly ? ["ro"] : []),
  ];
  host.machine.mounts.mount({ source, target, fsType, options });
  const group = pod.spec.securityContext?.fsGroup;
  if (group !== undefined && !readOnly && fsType !== "nfs")
    host.machine.files.setGroup(target, group);
  return undefined;
}

const nfsName = "kubernetes.io/nfs";

function nfsSource(
  spec: VolumeSpec,
): { readonly server: string; readonly path: string; readonly readOnly?: boolean } | undefined {
  return spec.persistentVolume === undefined ? spec.volume?.nfs : spec.persistentVolume.spec.nfs;
}

export const nfsPlugin: VolumePlugin = {
  name: nfsName,
  supportsMountOptions: true,
  supports: (spec) => nfsSource(spec) !== undefined,
  volumeName: (spec) => `${nfsSource(spec)?.server ?? ""}/${nfsSource(spec)?.path ?? ""}`,
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => false,
  setUp: (host, request) => {
    const { server = "", path = "", readOnly = false } = nfsSource(request.spec) ?? {};
    const isReadOnly =
      request.spec.persistentVolume === undefined ? readOnly : request.spec.readOnly;
    return immediately(bindMount(host, nfsName, request, `${server}:${path}`, "nfs", isReadOnly));
  },
  tearDown: (host, request) => immediately(tearDownDirectory(host, nfsName, request)),
};

const iscsiName = "kubernetes.io/iscsi";

interface IscsiSource {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly fsType?: string;
  readonly iscsiInterface?: string;
  readonly readOnly?: boolean;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: { readonly name?: string; readonly namespace?: string };
}

function iscsiSource(spec: VolumeSpec): IscsiSource | undefined {
  return spec.persistentVolume === undefined
    ? spec.volume?.iscsi
    : spec.persistentVolume.spec.iscsi;
}

function iscsiDevicePath(source: IscsiSource): string {
  const portal = /:\d+$/.test(source.targetPortal)
    ? source.targetPortal
    : `${source.targetPortal}:3260`;
  const disk = `${portal}-${source.iqn}-lun-${source.lun}`;
  return `${kubeletRoot}/plugins/kubernetes.io/iscsi/iface-${source.iscsiInterface ?? "default"}/${disk}`;
}

export const iscsiPlugin: VolumePlugin = {
  name: iscsiName,
  supportsMountOptions: true,
  supports: (spec) => iscsiSource(spec) !== undefined,
  volumeName: (spec) => {
    const source = iscsiSource(spec);
    return source === undefined ? "" : iscsiVolumeName(source);
  },
  requiresRemount: () => false,
  isAttachable: () => true,
  isDeviceMountable: () => true,
  newMounterError: (_, { spec, pod }) => chapSecretError(iscsiSource(spec), pod),
  waitForAttach: (host) =>
    immediately(
      host.machine.hasTool("iscsiadm") ? undefined : final("executable file not found in $PATH"),
    ),
  mountDevice: mountIscsi,
  setUp: (host, request) => {
    const source = iscsiSource(request.spec);
    if (source === undefined)
      return immediately(final("spec does not reference an ISCSI volume type"));
    const { fsType = "ext4", readOnly = false } = source;
    const isReadOnly =
      request.spec.persistentVolume === undefined ? readOnly : request.spec.readOnly;
    const device = iscsiDevicePath(source);
    return immediately(bindMount(host, iscsiName, request, device, fsType, isReadOnly));
  },
  tearDown: (host, request) => immediately(tearDownDirectory(host, iscsiName, request)),
  unmountDevice: (host, device) => {
    for (const { source, target } of host.machine.mounts.entries) {
      if (source === device.uniqueName) {
        host.machine.mounts.unmount(target);
        host.machine.removeAll(target);
      }
    }
    return immediately();
  },
  block: asAttached(iscsiName),
};

/** The attach has made the device; nothing else has to be done to hand it out. */
function asAttached(plugin: string): BlockPlugin {
  return {
    globalMapDirectory: (spec) => `${blockDirectory(plugin)}/${spec.name}`,
    setUpDevice: () => immediately(),
    mapPodDevice: () => immediately(),
    unmapPodDevice: () => immediately(),
    tearDownDevice: () => immediately(),
  };
}

/** The secret that authenticates has to be there, be it needed for the discovery or the session. Upstream: createSecretMap. */
function* chapSecretError(
  source: IscsiSource | undefined,
  { metadata }: Pod,
): Task<string | undefined> {
  const { chapAuthDiscovery, chapAuthSession, secretRef = {} } = source ?? {};
  const { name = "", namespace = metadata.namespace ?? "" } = secretRef;
  if (name === "" || (chapAuthDiscovery !== true && chapAuthSession !== true)) return undefined;
  const secret = yield* getLive("Secret", namespace, name);
  if (secret.ok) return undefined;
  return `couldn't get secret ${namespace}/${name} error: ${secret.error.message}`;
}

function* mountIscsi(host: VolumeHost, { spec }: MountRequest): Task<VolumeResult> {
  const source = iscsiSource(spec);
  if (source === undefined) return final("spec does not reference an ISCSI volume type");
  const target = iscsiDevicePath(source);
  host.machine.files.makeDirectories(target, 0o750);
  host.machine.mounts.mount({
    source: `${iscsiName}/${iscsiVolumeName(source)}`,
    target,
    fsType: source.fsType ?? "ext4",
    options: spec.persistentVolume?.spec.mountOptions ?? [],
  });
  return undefined;
}

function fcSource(spec: VolumeSpec):
  | {
      readonly targetWWNs?: readonly string[];
      readonly lun?: number;
      readonly wwids?: readonly string[];
    }
  | undefined {
  return spec.persistentVolume === undefined ? spec.volume?.fc : spec.persistentVolume.spec.fc;
}

const fcName = "kubernetes.io/fc";

export const fcPlugin: VolumePlugin = {
  name: fcName,
  supportsMountOptions: true,
  supports: (spec) => fcSource(spec) !== undefined,
  volumeName: (spec) => fcVolumeName(fcSource(spec) ?? {}),
  requiresRemount: () => false,
  isAttachable: () => true,
  isDeviceMountable: () => true,
  // The assumed machines have no Fibre Channel adapter.
  waitForAttach: () => immediately(final("no fc disk found")),
  setUp: () => immediately(),
  tearDown: () => immediately(),
  block: asAttached(fcName),
};
