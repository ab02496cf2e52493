/** Local disks of nodes: TopoLVM, OpenEBS, and the example driver. */
import { allAccessModes } from "../../api/access-modes.ts";
import { type CatalogueEntry, readWriteOnce } from "./entry.ts";
import { mayastor } from "./mayastor.ts";

const openEbsSidecars = {
  isProvisionerBeforeV6: true,
  strictTopology: true,
  defaultFsType: "ext4",
};

const badSnapSize = "failed to parse csi volume params: ";
/** Numbers below 1 and above 100. */
const beyondPercents = String.raw`-\d+(\.\d*)?|0+(\.\d*)?|0*([1-9]\d{3,}|[2-9]\d\d|1(0[1-9]|[1-9]\d))(\.\d*)?`;

/** Its keys begin with its name, which is the older one if it runs with USE_LEGACY. Upstream: constants.go GetPluginName. */
function topolvm(name: string): CatalogueEntry {
  return {
    name,
    title: "TopoLVM",
    traits: {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      hasExactKeys: true,
      topologyKey: `topology.${name}/node`,
      accessModes: readWriteOnce,
      capabilityRefusal: "unsupported access mode: <MODE>",
      mountRefusals: [
        {
          modes: ["MULTI_NODE_READER_ONLY", "MULTI_NODE_MULTI_WRITER"],
          code: "FailedPrecondition",
          text: "unsupported access mode: <MODE> (<NUMBER>)",
        },
      ],
      newAttributes: {},
      stageUnstage: false,
      concurrency: "wait",
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      clone: true,
      roundUpTo: "4096",
      sizesWhere: [
        { volumeMode: "Block", minSize: "8Mi" },
        { fsTypes: ["ext4"], minSize: "32Mi" },
        { fsTypes: ["btrfs"], minSize: "200Mi" },
        { fsTypes: ["xfs"], minSize: "300Mi" },
      ],
      noRoom: {
        create: {
          code: "ResourceExhausted",
          text: "no enough space left on VG: free=<FREE>, requested=<NEEDED>",
        },
        grow: { code: "Internal", text: "not enough space" },
      },
      singleNodeMultiWriter: false,
      sidecars: { extraCreateMetadata: false },
    },
    parameters: [`${name}/device-class`, `${name}/lvcreate-option-class`],
    source: {
      repository: "topolvm/topolvm",
      commit: "83e3dce",
      files: [
        "internal/driver/controller.go",
        "internal/driver/node.go",
        "cmd/topolvm-controller",
        "charts/topolvm",
      ],
    },
  };
}

export const localDrivers: readonly CatalogueEntry[] = [
  topolvm("topolvm.io"),
  topolvm("topolvm.cybozu.com"),
  {
    name: "zfs.csi.openebs.io",
    title: "OpenEBS ZFS LocalPV",
    reportsNodeLabels: true,
    traits: {
      attachRequired: false,
      storageCapacity: true,
      equalSourceSize: {
        snapshot: { code: "Internal", text: "clone volume size is not matching" },
        volume: { code: "Internal", text: "clone: volume size is not matching" },
      },
      topologyKey: "openebs.io/nodeid",
      extraTopologyKeys: ["openebs.io/nodename", "kubernetes.io/hostname"],
      topologyFrom: "node",
      // CreateVolume of 00fe7e0 does not check them.
      accessModes: allAccessModes,
      creationRefusals: [
        {
          gives: ["poolname", "poolpattern"],
          text: "poolname and poolpattern are mutually exclusive, set only one of them",
        },
        {
          where: [{ key: "poolpattern", values: [""] }],
          lacks: "poolname",
          text: "either poolname or poolpattern must be set",
        },
      ],
      volumeHandle: "<NAME>",
      newAttributes: {
        "openebs.io/cas-type": "localpv-zfs",
        "openebs.io/poolname": "<@poolname>",
      },
      snapshots: true,
      clone: true,
      roundUpTo: "1Mi",
      roundLargeUpTo: "1Gi",
      singleNodeMultiWriter: false,
      sidecars: openEbsSidecars,
    },
    parameters: [
      "poolname",
      "poolpattern",
      "fstype",
      "recordsize",
      "volblocksize",
      "compression",
      "dedup",
      "atime",
      "logbias",
      "encryption",
      "keyformat",
      "keylocation",
      "thinprovision",
      "shared",
      "scheduler",
      "quotatype",
      "wait",
      "node",
    ],
    parameterValues: {
      fstype: ["zfs", "ext2", "ext3", "ext4", "xfs", "btrfs"],
      thinprovision: ["yes", "no"],
      shared: ["yes", "no"],
      scheduler: ["SpaceWeighted", "CapacityWeighted", "VolumeWeighted"],
    },
    source: {
      repository: "openebs/zfs-localpv",
      commit: "d52f9a9",
      files: ["pkg/driver/", "docs/storageclasses.md", "deploy/"],
    },
  },
  {
    name: "local.csi.openebs.io",
    title: "OpenEBS LVM LocalPV",
    traits: {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      topologyKey: "openebs.io/nodename",
      extraTopologyKeys: ["kubernetes.io/hostname"],
      topologyFrom: "node",
      accessModes: readWriteOnce,
      // CreateVolume wraps the error of validateVolumeCreateReq.
      capabilityRefusal:
        "rpc error: code = InvalidArgument desc = only ReadwriteOnce access mode is supported",
      volumeHandle: "<NAME>",
      newAttributes: {
        "openebs.io/cas-type": "localpv-lvm",
        "openebs.io/volgroup": "<@volgroup>",
      },
      // It takes snapshots but restores none.
      creationRefusals: [{ source: "snapshot", code: "Unimplemented", text: "" }],
      snapshotsKeepSize: {
        code: "Internal",
        text: "ControllerExpandVolume: unable to resize volume <ID> with <COUNT> active snapshots",
      },
      snapshots: true,
      // pkg/driver/params.go NewSnapshotParams of 1c66263
      snapshotRefusals: [
        {
          valueUnlike: { key: "snapsize", pattern: `^(?!(${beyondPercents})%$)` },
          text: `${badSnapSize}snapSize percentage should be between 1 and 100, found <VALUE>`,
        },
        {
          valueUnlike: { key: "snapsize", pattern: "%$" },
          unreadable: { key: "snapsize", as: "quantity" },
          text: `${badSnapSize}<ERROR>`,
        },
        {
          valueUnlike: { key: "snapsize", pattern: "^(?!(-.*|0+[A-Za-z]*)$)|%$" },
          text: `${badSnapSize}absolute snapSize should greater than 0, found <VALUE>`,
        },
      ],
      roundUpTo: "1Mi",
      roundLargeUpTo: "1Gi",
      singleNodeMultiWriter: false,
      sidecars: openEbsSidecars,
    },
    parameters: [
      "volgroup",
      "vgpattern",
      "storage",
      "fsType",
      "shared",
      "thinProvision",
      "scheduler",
      "raidtype",
      "integrity",
      "mirrors",
      "nosync",
      "stripecount",
      "stripesize",
      "lvcreateoptions",
    ],
    parameterValues: { shared: ["yes", "no"], thinProvision: ["yes", "no"] },
    source: {
      repository: "openebs/lvm-localpv",
      commit: "f3276f4",
      files: ["pkg/driver/", "docs/storageclasses.md", "deploy/"],
    },
  },
  mayastor,
  {
    name: "hostpath.csi.k8s.io",
    title: "CSI host path example driver",
    traits: {
      fsGroupPolicy: "File",
      lifecycleModes: ["Persistent", "Ephemeral"],
      podInfoOnMount: true,
      topologyKey: "topology.hostpath.csi/node",
      accessModes: allAccessModes,
      snapshots: true,
      listSnapshots: true,
      clone: true,
      // With --enable-controller-modify-volume only; --accepted-mutable-parameter-names is empty.
      modify: true,
      modifyParameters: "any",
      maxSize: "1Ti",
      maxSizeRefusal: "Requested capacity <BYTES> exceeds maximum allowed <MAX>",
    },
    parameters: ["kind"],
    source: {
      repository: "kubernetes-csi/csi-driver-host-path",
      commit: "1f2b2e6",
      files: ["pkg/hostpath/", "cmd/hostpathplugin/main.go"],
    },
  },
];
