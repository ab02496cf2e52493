/**
 * Volumes of FlexVolume drivers, of iSCSI targets and of GlusterFS, and those of provisioners of which nothing is known but that
 * their name is not that of a CSI driver. FlexVolumes stand in for the last, because their drivers, too, are whatever somebody
 * has installed. Upstream: see csi/catalogue/other-volumes.ts, Provision of each. Not modeled: their parameters, their rounding
 * of sizes, and what most of them refuse.
 */
import { flexDriverOf, refusesSharing } from "../../csi/catalogue/other-volumes.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { PathProvisioner } from "../../scenario.ts";
import { type PathVolumes, volumeNameFor } from "./path-volumes.ts";

export function flexVolumes(_: ComponentContext, { name }: PathProvisioner): PathVolumes {
  return flexVolumesOf(name);
}

export function flexVolumesOf(provisioner: string): PathVolumes {
  return {
    supportsBlock: false,
    plan: ({ claim, storageClass: { mountOptions } }) => {
      const shared = claim.spec.accessModes?.find((mode) => mode !== "ReadWriteOnce");
      if (shared !== undefined && refusesSharing.has(provisioner))
        return `invalid access mode ${shared} specified. Only ReadWriteOnce is supported`;
      return {
        metadata: {},
        spec: {
          flexVolume: { driver: flexDriverOf(provisioner) ?? provisioner },
          ...(mountOptions !== undefined && { mountOptions }),
        },
      };
    },
  };
}

export const iscsiVolumes: PathVolumes = {
  supportsBlock: true,
  plan: ({ claim }) => {
    const { volumeMode } = claim.spec;
    const iqn = `iqn.2016-09.com.example:${volumeNameFor(claim)}`;
    return {
      metadata: {},
      spec: {
        iscsi: { targetPortal: "iscsi-target:3260", iqn, lun: 0 },
        ...(volumeMode !== undefined && { volumeMode }),
      },
    };
  },
};

export const glusterVolumes: PathVolumes = {
  supportsBlock: false,
  plan: ({ claim }) => ({
    metadata: {},
    spec: {
      glusterfs: {
        endpoints: `glusterfile-dynamic-${claim.metadata.name}`,
        path: `vol_${claim.metadata.uid}`,
      },
    },
  }),
};
