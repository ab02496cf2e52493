/**
 * The two volume plugins that remain in the controller manager: host-path and nfs.
 * Upstream: pkg/volume/hostpath/host_path.go, pkg/volume/nfs/nfs.go v1.36. Not modeled: provisioning of host-path volumes,
 * which only a test flag of the controller manager switches on.
 */
import { sleep } from "../../runtime/effects.ts";
import type { VolumePlugin } from "./volume-plugins.ts";

/** Assumed time to remove a directory. */
const removalMs = 1;

export const hostPathPlugin: VolumePlugin = {
  name: "kubernetes.io/host-path",
  supports: (volume) => volume.spec.hostPath !== undefined,
  supportsMountOptions: false,
  newProvisioner: () => ({
    ok: false,
    error: 'provisioning in volume plugin "kubernetes.io/host-path" is disabled',
  }),
  newDeleter: (volume) => {
    const path = volume.spec.hostPath?.path;
    if (path === undefined)
      return { ok: false, error: "spec.PersistentVolumeSource.HostPath is nil" };
    return {
      ok: true,
      remove: function* () {
        yield* sleep(removalMs);
        // The expression is not anchored: /var/tmp/x passes too.
        if (/\/tmp\/.+/.test(path)) return { ok: true };
        return {
          ok: false,
          error: `host_path deleter only supports /tmp/.+ but received provided ${path}`,
        };
      },
    };
  },
  recycle: (volume, recycler) =>
    recycler.run(
      { hostPath: { path: volume.spec.hostPath?.path ?? "" } },
      { minimumSeconds: 60, secondsPerGibibyte: 30 },
    ),
};

export const nfsPlugin: VolumePlugin = {
  name: "kubernetes.io/nfs",
  supports: (volume) => volume.spec.nfs !== undefined,
  supportsMountOptions: true,
  recycle: (volume, recycler) => {
    const { server = "", path = "" } = volume.spec.nfs ?? {};
    return recycler.run({ nfs: { server, path } }, { minimumSeconds: 300, secondsPerGibibyte: 30 });
  },
};
