/**
 * Volumes that a program on the node mounts. Upstream: pkg/volume/flexvolume v1.36. Kubernetes finds the program in a directory
 * of the node and has no plugin for the volume without it. Who installs a provisioner also installs its program, so nodes are
 * assumed to have that of each volume that a provisioner made, and no other. Not modeled: attaching, growth, and that the
 * directory is named after the driver.
 */
import { annotation } from "../../matching/annotations.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { bindMount } from "./network.ts";
import { immediately, type VolumePlugin, type VolumeSpec } from "./plugin.ts";

const name = "flexvolume";

function driverOf({ persistentVolume }: VolumeSpec): string | undefined {
  const isMade = persistentVolume?.metadata?.annotations?.[annotation.provisionedBy] !== undefined;
  return isMade ? persistentVolume?.spec.flexVolume?.driver : undefined;
}

export const flexVolumePlugin: VolumePlugin = {
  name,
  supportsMountOptions: false,
  supports: (spec) => driverOf(spec) !== undefined,
  volumeName: (spec) => spec.name,
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => false,
  setUp: (host, request) => {
    const { spec } = request;
    const source = driverOf(spec) ?? "";
    const fsType = spec.persistentVolume?.spec.flexVolume?.fsType ?? name;
    const { readOnly } = spec;
    return immediately(bindMount(host, request, { plugin: name, source, fsType, readOnly }));
  },
  tearDown: (host, request) => immediately(tearDownDirectory(host, name, request)),
};
