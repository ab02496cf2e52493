/** Where each kind of class names its driver. */
export const classDriverFields: Readonly<Record<string, string>> = {
  StorageClass: "provisioner",
  VolumeSnapshotClass: "driver",
  VolumeAttributesClass: "driverName",
};
