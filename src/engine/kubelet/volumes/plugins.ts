/** The kubelet's volume plugins. Upstream: cmd/kubelet/app/plugins.go, pkg/volume/plugins.go FindPluginBySpec v1.36. */
import { uniqueVolumeName, uniqueVolumeNameWithPod } from "../../volume/volume-names.ts";
import { apiDataPlugins } from "./api-data.ts";
import { csiPlugin } from "./csi.ts";
import { emptyDirPlugin } from "./empty-dir.ts";
import { flexVolumePlugin } from "./flex-volume.ts";
import { hostPathPlugin } from "./host-path.ts";
import { localPlugin } from "./local.ts";
import { fcPlugin, iscsiPlugin, nfsPlugin } from "./network.ts";
import { gitRepoPlugin, imagePlugin } from "./other.ts";
import type { VolumeHost, VolumePlugin, VolumeSpec } from "./plugin.ts";

const plugins: readonly VolumePlugin[] = [
  emptyDirPlugin,
  gitRepoPlugin,
  hostPathPlugin,
  nfsPlugin,
  iscsiPlugin,
  fcPlugin,
  flexVolumePlugin,
  ...apiDataPlugins,
  localPlugin,
  csiPlugin,
  imagePlugin,
];

export function pluginFor(spec: VolumeSpec): VolumePlugin | undefined {
  return plugins.find((plugin) => plugin.supports(spec));
}

/** The plugin that a directory below `pods/UID/volumes` is named after. */
export function pluginNamed(name: string): VolumePlugin | undefined {
  return plugins.find((plugin) => plugin.name === name);
}

/** Pods share a volume that is attached or mounted as a device; any other volume is the pod's own. */
export function uniqueNameOf(
  host: VolumeHost,
  plugin: VolumePlugin,
  spec: VolumeSpec,
  podUid: string,
): string {
  const isShared = plugin.isAttachable(host, spec) || plugin.isDeviceMountable(spec);
  return isShared
    ? uniqueVolumeName(plugin.name, plugin.volumeName(spec))
    : uniqueVolumeNameWithPod(plugin.name, podUid, spec.name);
}
