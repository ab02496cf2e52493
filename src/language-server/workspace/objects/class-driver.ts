/** Which field of each kind of class names the driver. */
export const classDriverFields: Readonly<Record<string, string>> = {
  StorageClass: "provisioner",
  VolumeSnapshotClass: "driver",
  VolumeAttributesClass: "driverName",
};
