/**
 * Ceph images and shares by the provisioners from before Ceph had CSI drivers. Their volumes are of in-tree plugins that
 * Kubernetes removed in 1.31, so nothing mounts them. Upstream: kubernetes-retired/external-storage
 * ceph/rbd/pkg/provision/provision.go, ceph/cephfs/cephfs-provisioner.go, Provision and parseParameters of each. Not modeled:
 * that they read the administrator's Secret, refuse unknown parameters and round sizes up to MiB, and the Secret that the one
 * for CephFS makes.
 */
import type { PathRequest, PathVolumes } from "./path-volumes.ts";

export const cephRbd: PathVolumes = {
  supportsBlock: true,
  plan: (request) => {
    const { claim, storageClass } = request;
    const { accessModes = [], volumeMode } = claim.spec;
    if (accessModes.some((mode) => !modesOfImages.includes(mode)))
      return `invalid AccessModes ${goList(accessModes)}: only AccessModes ${goList(modesOfImages)} are supported`;
    const settings = settingsOf(request);
    if (typeof settings === "string") return settings;
    const { mountOptions } = storageClass;
    const fsType = settings.get("fstype");
    const namespace = settings.get("usersecretnamespace");
    return {
      metadata: {},
      spec: {
        rbd: {
          monitors: monitorsIn(settings),
          image: `kubernetes-dynamic-pvc-${claim.metadata.uid}`,
          pool: settings.get("pool") || "rbd",
          user: settings.get("userid") || settings.get("adminid") || "admin",
          secretRef: {
            name: settings.get("usersecretname") ?? "",
            ...(namespace !== undefined && { namespace }),
          },
          ...(fsType !== undefined && { fsType }),
        },
        ...(mountOptions !== undefined && { mountOptions }),
        ...(volumeMode !== undefined && { volumeMode }),
      },
    };
  },
};

export const cephFs: PathVolumes = {
  supportsBlock: false,
  plan: (request) => {
    const settings = settingsOf(request);
    if (typeof settings === "string") return settings;
    const monitors = monitorsIn(settings);
    if (monitors.length === 0) return "missing Ceph monitors";
    const { uid } = request.claim.metadata;
    const path = `/volumes/kubernetes/kubernetes-dynamic-pvc-${uid}`;
    const user = `kubernetes-dynamic-user-${uid}`;
    return { metadata: {}, spec: { cephfs: { monitors, path, user } } };
  },
};

const modesOfImages: readonly string[] = ["ReadWriteOnce", "ReadOnlyMany"];

/** Returns the class's parameters by their lower-case names, or the error of both provisioners. */
function settingsOf({ claim, storageClass }: PathRequest): ReadonlyMap<string, string> | string {
  if (claim.spec.selector !== undefined) return "claim Selector is not supported";
  const parameters = Object.entries(storageClass.parameters ?? {});
  const settings = new Map(parameters.map(([key, value]) => [key.toLowerCase(), value]));
  return (settings.get("adminsecretname") ?? "") === ""
    ? "missing Ceph admin secret name"
    : settings;
}

function monitorsIn(settings: ReadonlyMap<string, string>): readonly string[] {
  return settings.get("monitors")?.split(",") ?? [];
}

/** As Go prints a slice with %v. */
function goList(texts: readonly string[]): string {
  return `[${texts.join(" ")}]`;
}
