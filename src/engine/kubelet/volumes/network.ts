/**
 * In-tree network storage: NFS, iSCSI, Fibre Channel. Servers and targets are assumed to answer; a Fibre Channel disk exists if
 * the machine has one of its paths.
 * Upstream: pkg/volume/nfs, pkg/volume/iscsi, pkg/volume/fc v1.36. Not modeled: multipath.
 */
import { kubeletRoot } from "../../node/machine.ts";
import { getLive, type Task } from "../../runtime/effects.ts";
import { type FcSource, fcDevicePaths } from "../../volume/fc-devices.ts";
import { fcVolumeName, iscsiVolumeName } from "../../volume/volume-names.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { mountOptions } from "./mount-options.ts";
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

/** What is mounted into a pod's directory. */
interface MountSource {
  readonly plugin: string;
  readonly source: string;
  readonly fsType: string;
  readonly readOnly: boolean;
}

/** Mounts a source into the pod's directory. */
export function bindMount(
  host: VolumeHost,
  { spec, pod }: MountRequest,
  { plugin, source, fsType, readOnly }: MountSource,
): VolumeResult {
  const target = podVolumeDirectory(pod.metadata.uid, plugin, spec.name);
  host.machine.files.makeDirectories(target, 0o750);
  const options = mountOptions(spec, readOnly ? ["ro"] : []);
  host.machine.mounts.mount({ source, target, fsType, options });
  const group = pod.spec.securityContext?.fsGroup;
  if (group !== undefined && !readOnly && fsType !== "nfs")
    host.machine.files.setGroup(target, group);
  return undefined;
}

/** Ignores readOnly in a PersistentVolume's source; there only the pod's reference counts. */
function isReadOnly({ spec }: MountRequest, inline: boolean): boolean {
  return spec.persistentVolume === undefined ? inline : spec.readOnly;
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
    return immediately(
      bindMount(host, request, {
        plugin: nfsName,
        source: `${server}:${path}`,
        fsType: "nfs",
        readOnly: isReadOnly(request, readOnly),
      }),
    );
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
  readonly initiatorName?: string;
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

/** A volume with its own initiator gets its own interface. Upstream: makePDNameInternal, makeVDPDNameInternal. */
function iscsiDirectory(
  { targetPortal, iqn, lun, iscsiInterface = "default", initiatorName = "" }: IscsiSource,
  specName: string,
): string {
  const portal = targetPortal.includes(":") ? targetPortal : `${targetPortal}:3260`;
  const ownInterface = initiatorName === "" ? iscsiInterface : `${portal}:${specName}`;
  return `iface-${ownInterface}/${portal}-${iqn}-lun-${lun}`;
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
  newMounterError: chapSecretError,
  waitForAttach: (host) =>
    immediately(
      host.machine.hasTool("iscsiadm") ? undefined : final("executable file not found in $PATH"),
    ),
  ...mountedDisk(iscsiName, iscsiDisk),
  block: { ...asAttached(iscsiName, iscsiDisk), newMapperError: chapSecretError },
};

/** A block plugin whose device the attach has made, so that there is nothing left to do. */
function asAttached(
  plugin: string,
  diskOf: (spec: VolumeSpec) => NetworkDisk | undefined,
): BlockPlugin {
  return {
    globalMapDirectory: (spec) => `${blockDirectory(plugin)}/${diskOf(spec)?.directory ?? ""}`,
    setUpDevice: () => immediately(),
    mapPodDevice: () => immediately(),
    unmapPodDevice: () => immediately(),
    tearDownDevice: () => immediately(),
  };
}

/**
 * Returns why the CHAP secret, for discovery or session, cannot be read; undefined if it can or is not needed. Upstream:
 * createSecretMap.
 */
function* chapSecretError(_: VolumeHost, { spec, pod }: MountRequest): Task<string | undefined> {
  const { chapAuthDiscovery, chapAuthSession, secretRef = {} } = iscsiSource(spec) ?? {};
  const { name = "", namespace = pod.metadata.namespace ?? "" } = secretRef;
  if (name === "" || (chapAuthDiscovery !== true && chapAuthSession !== true)) return undefined;
  const secret = yield* getLive("Secret", namespace, name);
  if (secret.ok) return undefined;
  return `couldn't get secret ${namespace}/${name} error: ${secret.error.message}`;
}

/** A network disk that the attach has made a device of. */
interface NetworkDisk {
  readonly uniqueName: string;
  /** Its own directory below its plugin's. */
  readonly directory: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

function iscsiDisk(spec: VolumeSpec): NetworkDisk | undefined {
  const source = iscsiSource(spec);
  if (source === undefined) return undefined;
  const { fsType, readOnly } = source;
  return {
    uniqueName: iscsiVolumeName(source),
    directory: iscsiDirectory(source, spec.name),
    ...(fsType !== undefined && { fsType }),
    ...(readOnly !== undefined && { readOnly }),
  };
}

type DiskMethods = "mountDevice" | "setUp" | "tearDown" | "unmountDevice" | "block";

/** Mounts the disk once for all pods of a node, and from there into each of them. */
function mountedDisk(
  plugin: string,
  diskOf: (spec: VolumeSpec) => NetworkDisk | undefined,
): Pick<VolumePlugin, DiskMethods> {
  const none = `spec does not reference a volume of ${plugin}`;
  const mountPath = ({ directory }: NetworkDisk): string =>
    `${kubeletRoot}/plugins/${plugin}/${directory}`;
  return {
    mountDevice: (host, { spec }) => {
      const disk = diskOf(spec);
      if (disk === undefined) return immediately(final(none));
      const target = mountPath(disk);
      host.machine.files.makeDirectories(target, 0o750);
      host.machine.mounts.mount({
        source: `${plugin}/${disk.uniqueName}`,
        target,
        fsType: disk.fsType ?? "ext4",
        options: mountOptions(spec),
      });
      return immediately();
    },
    setUp: (host, request) => {
      const disk = diskOf(request.spec);
      if (disk === undefined) return immediately(final(none));
      const { fsType = "ext4", readOnly = false } = disk;
      return immediately(
        bindMount(host, request, {
          plugin,
          source: mountPath(disk),
          fsType,
          readOnly: isReadOnly(request, readOnly),
        }),
      );
    },
    tearDown: (host, request) => immediately(tearDownDirectory(host, plugin, request)),
    unmountDevice: (host, device) => {
      for (const { source, target } of host.machine.mounts.entries) {
        if (source === device.uniqueName) {
          host.machine.mounts.unmount(target);
          host.machine.removeAll(target);
        }
      }
      return immediately();
    },
    block: asAttached(plugin, diskOf),
  };
}

const fcName = "kubernetes.io/fc";

function fcSource(
  spec: VolumeSpec,
): (FcSource & Pick<NetworkDisk, "fsType" | "readOnly">) | undefined {
  return spec.persistentVolume === undefined ? spec.volume?.fc : spec.persistentVolume.spec.fc;
}

/** Upstream: makePDNameInternal. */
function fcDisk(spec: VolumeSpec): NetworkDisk | undefined {
  const source = fcSource(spec);
  if (source === undefined) return undefined;
  const { targetWWNs = [], lun = 0, wwids = [], fsType, readOnly } = source;
  const directory = targetWWNs[0] === undefined ? (wwids[0] ?? "") : `${targetWWNs[0]}-lun-${lun}`;
  return {
    uniqueName: fcVolumeName(source),
    directory,
    ...(fsType !== undefined && { fsType }),
    ...(readOnly !== undefined && { readOnly }),
  };
}

export const fcPlugin: VolumePlugin = {
  name: fcName,
  supportsMountOptions: true,
  supports: (spec) => fcSource(spec) !== undefined,
  volumeName: (spec) => fcVolumeName(fcSource(spec) ?? {}),
  requiresRemount: () => false,
  isAttachable: () => true,
  isDeviceMountable: () => true,
  waitForAttach: ({ machine }, spec) =>
    immediately(
      fcDevicePaths(fcSource(spec) ?? {}).some((path) => machine.files.exists(path))
        ? undefined
        : final("no fc disk found"),
    ),
  ...mountedDisk(fcName, fcDisk),
};
