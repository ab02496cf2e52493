/** OpenStack and vSphere. */
import { allAccessModes } from "../../api/access-modes.ts";
import { type CatalogueEntry, readWriteOnce } from "./entry.ts";

const vSphereParameters: readonly string[] = ["storagepolicyname", "datastoreurl", "fstype"];

export const virtualisationDrivers: readonly CatalogueEntry[] = [
  {
    name: "cinder.csi.openstack.org",
    title: "OpenStack Cinder",
    keepsRootOwner: true,
    traits: {
      podInfoOnMount: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      topologyKey: "topology.cinder.csi.openstack.org/zone",
      accessModes: allAccessModes,
      snapshots: true,
      clone: true,
      maxVolumesPerNode: 256,
      roundUpTo: "1Gi",
      answersGrowthAsAsked: "when-it-grows",
      singleNodeMultiWriter: false,
      sidecars: {
        provisionTimeoutMs: 180_000,
        defaultFsType: "ext4",
        handlesInUseError: false,
      },
    },
    parameters: ["type", "availability"],
    source: {
      repository: "kubernetes/cloud-provider-openstack",
      commit: "c453fb7",
      files: ["pkg/csi/cinder/", "docs/cinder-csi-plugin/", "manifests/cinder-csi-plugin"],
    },
  },
  {
    name: "csi.vsphere.vmware.com",
    title: "VMware vSphere",
    keepsRootOwner: true,
    traits: {
      accessModes: allAccessModes,
      blockAccessModes: readWriteOnce,
      capabilityRefusal:
        "block volume mode is not supported for ReadWriteMany or ReadOnlyMany volume creation",
      creationRefusals: [
        {
          // Parameters of the in-tree plugin are taken where a class of it has been translated.
          where: [{ key: "csimigration", values: ["", "false"] }],
          keyOtherThan: [...vSphereParameters, "csimigration"],
          text: "parsing storage class parameters failed with error: invalid parameters :map[<OTHERS>]",
        },
      ],
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      equalSourceSize: {
        snapshot: {
          code: "InvalidArgument",
          text: "snapshot size mismatch, requested volume size: <SIZE> but source snapshot size: <SOURCE>",
        },
      },
      snapshotsKeepSize: {
        code: "FailedPrecondition",
        text: "volume: <ID> with existing snapshots <SNAPSHOTS> cannot be expanded. Please delete snapshots before expanding the volume",
      },
      maxVolumesPerNode: 59,
      roundUpTo: "1Mi",
      defaultSize: "10Gi",
      singleNodeMultiWriter: false,
      sidecars: {
        isProvisionerBeforeV6: true,
        provisionTimeoutMs: 300_000,
        defaultFsType: "ext4",
        extraCreateMetadata: false,
        handlesInUseError: false,
      },
    },
    parameters: vSphereParameters,
    source: {
      repository: "kubernetes-sigs/vsphere-csi-driver",
      commit: "bf80902",
      files: ["pkg/csi/service/", "manifests/vanilla/vsphere-csi-driver.yaml"],
    },
  },
];
