/** Models missing from Kubernetes' OpenAPI because CRDs define them: those of external-snapshotter v8.6 and gateway-api v1. */
interface ExtraModel {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly {
    name: string;
    type: string;
    format: string;
    required: boolean;
    description: string;
  }[];
}

const field = (
  name: string,
  type: string,
  required = false,
  description = "",
): ExtraModel["fields"][number] => ({ name, type, format: "", required, description });
const meta = [
  field("apiVersion", "string"),
  field("kind", "string"),
  field("metadata", "ObjectMeta"),
];

export const extraModels: readonly ExtraModel[] = [
  {
    name: "VolumeSnapshot",
    description:
      "VolumeSnapshot is a user's request for either creating a point-in-time snapshot of a persistent volume, or binding to a pre-existing snapshot.",
    fields: [
      ...meta,
      field("spec", "VolumeSnapshotSpec", true),
      field("status", "VolumeSnapshotStatus"),
    ],
  },
  {
    name: "VolumeSnapshotSpec",
    description: "spec defines the desired characteristics of a snapshot requested by a user.",
    fields: [
      field("source", "VolumeSnapshotSource", true),
      field("volumeSnapshotClassName", "string"),
    ],
  },
  {
    name: "VolumeSnapshotSource",
    description: "source specifies where a snapshot will be created from.",
    fields: [
      field("persistentVolumeClaimName", "string"),
      field("volumeSnapshotContentName", "string"),
    ],
  },
  {
    name: "VolumeSnapshotStatus",
    description: "status represents the current information of a snapshot.",
    fields: [
      field("boundVolumeSnapshotContentName", "string"),
      field("creationTime", "time"),
      field("error", "VolumeSnapshotError"),
      field("readyToUse", "boolean"),
      field("restoreSize", "string"),
      field("volumeGroupSnapshotName", "string"),
    ],
  },
  {
    name: "VolumeSnapshotError",
    description: "The last observed error during snapshot creation.",
    fields: [field("message", "string"), field("time", "time")],
  },
  {
    name: "VolumeSnapshotClass",
    description:
      "VolumeSnapshotClass specifies parameters that a underlying storage system uses when creating a volume snapshot.",
    fields: [
      ...meta,
      field("deletionPolicy", "string", true),
      field("driver", "string", true),
      field("parameters", "map[]string"),
    ],
  },
  {
    name: "VolumeSnapshotContent",
    description:
      'VolumeSnapshotContent represents the actual "on-disk" snapshot object in the underlying storage system.',
    fields: [
      ...meta,
      field("spec", "VolumeSnapshotContentSpec", true),
      field("status", "VolumeSnapshotContentStatus"),
    ],
  },
  {
    name: "VolumeSnapshotContentSpec",
    description:
      "spec defines properties of a VolumeSnapshotContent created by the underlying storage system.",
    fields: [
      field("deletionPolicy", "string", true),
      field("driver", "string", true),
      field("source", "VolumeSnapshotContentSource", true),
      field("sourceVolumeMode", "string"),
      field("volumeSnapshotClassName", "string"),
      field("volumeSnapshotRef", "ObjectReference", true),
    ],
  },
  {
    name: "VolumeSnapshotContentSource",
    description:
      "source specifies whether the snapshot is (or should be) dynamically provisioned or already exists.",
    fields: [field("snapshotHandle", "string"), field("volumeHandle", "string")],
  },
  {
    name: "VolumeSnapshotContentStatus",
    description: "status represents the current information of a snapshot.",
    fields: [
      field("creationTime", "int64"),
      field("error", "VolumeSnapshotError"),
      field("readyToUse", "boolean"),
      field("restoreSize", "int64"),
      field("snapshotHandle", "string"),
      field("volumeGroupSnapshotHandle", "string"),
    ],
  },
  {
    name: "ReferenceGrant",
    description:
      "ReferenceGrant identifies kinds of resources in other namespaces that are trusted to reference the specified kinds of resources in the same namespace as the policy.",
    fields: [...meta, field("spec", "ReferenceGrantSpec", true)],
  },
  {
    name: "ReferenceGrantSpec",
    description: "Spec defines the desired state of ReferenceGrant.",
    fields: [field("from", "[]ReferenceGrantFrom", true), field("to", "[]ReferenceGrantTo", true)],
  },
  {
    name: "ReferenceGrantFrom",
    description: "ReferenceGrantFrom describes trusted namespaces and kinds.",
    fields: [
      field("group", "string", true),
      field("kind", "string", true),
      field("namespace", "string", true),
    ],
  },
  {
    name: "ReferenceGrantTo",
    description: "ReferenceGrantTo describes what kinds are allowed as targets of the references.",
    fields: [
      field("group", "string", true),
      field("kind", "string", true),
      field("name", "string"),
    ],
  },
];
