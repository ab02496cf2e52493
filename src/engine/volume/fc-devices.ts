/**
 * Device paths of Fibre Channel disks on a machine. Upstream: pkg/volume/fc/fc_util.go searchDisk, findDisk, findDiskWWIDs
 * v1.36.
 */

export interface FcSource {
  readonly targetWWNs?: readonly string[];
  readonly lun?: number;
  readonly wwids?: readonly string[];
}

/** Returns paths each of which leads to the disk; none if the source names no disk. */
export function fcDevicePaths({
  targetWWNs = [],
  lun = 0,
  wwids = [],
}: FcSource): readonly string[] {
  return targetWWNs.length > 0
    ? targetWWNs.map((wwn) => `/dev/disk/by-path/fc-0x${wwn}-lun-${lun}`)
    : wwids.map((wwid) => `/dev/disk/by-id/scsi-${wwid}`);
}
