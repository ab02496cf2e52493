/**
 * Errors from making, growing and unmounting a volume's file system on a node, as kubelets and drivers pass them on.
 * Upstream: k8s.io/mount-utils v0.36 mount_linux.go, resizefs_linux.go, mount_helper_common.go.
 */
import type { MessagePattern } from "./message-pattern.ts";
import { foreignMessagesOf } from "./messages-of.ts";

const said = foreignMessagesOf("mount command", "what the program prints, behind Output");

/** Messages that enclose the output of mount-utils' programs. */
export const fileSystemMessages: readonly MessagePattern[] = [
  said({
    id: "unmount-command-failed",
    texts: [
      "unmount failed: exit status {exitCode} Unmounting arguments: {target} Output: {detail}",
      "unmount failed: exit status {exitCode}",
    ],
    cause:
      "The node's umount command failed (exit status {exitCode}); what it printed stands behind Output.",
    change: ["read what stands behind Output, and look with findmnt and lsof on the node"],
    rule: "mount_linux.go checkUmountError",
  }),
  said({
    id: "unmount-in-vain",
    texts: ["failed to cleanup mount point {target}"],
    cause:
      "{target} was unmounted on the node and still is a mount point: something is mounted there twice, or has mounted it again.",
    change: ["look with findmnt on the node what is mounted there, and unmount it"],
    rule: "mount_helper_common.go doCleanupMountPoint",
  }),
  said({
    id: "file-system-not-made",
    texts: [
      'format of disk "{device}" failed: type:("{type}") {options}output:({detail})',
      'format of disk "{device}" failed: type:("{type}")',
      'format of disk "{device}" failed',
    ],
    cause: "The volume's empty disk {device} could not be formatted on the node.",
    change: [
      "read what the program printed, behind output; where there is nothing, mkfs of that fsType is not installed where the driver runs",
    ],
    rule: "mount_linux.go formatAndMountSensitive",
  }),
  said({
    id: "disk-not-readable",
    texts: [
      "failed to get disk format of disk {device}: {detail}",
      "ResizeFS.Resize - error checking format for device {device}: {detail}",
    ],
    cause:
      "What is on {device} could not be found out on the node (blkid): it has gone, or does not answer.",
    change: [
      "look at the VolumeAttachment, at the volume's health in the storage system, and at dmesg on the node",
    ],
    rule: "mount_linux.go getDiskFormat",
  }),
  said({
    id: "file-system-cannot-grow",
    texts: ["ResizeFS.Resize - resize of format {type} is not supported for device {device}"],
    cause:
      "The volume's disk holds {type}, which is not grown: ext3, ext4, xfs and btrfs are. The disk is larger by now, its file system stays as it was.",
    change: ["copy the data to a new volume with an fsType that can grow"],
    rule: "resizefs_linux.go Resize",
  }),
  said({
    id: "file-system-not-grown",
    texts: ["resize of device {device} failed: {error}. {program} output: {detail}"],
    cause:
      "{program} could not grow the file system on {device}; what it printed stands behind output.",
    change: [
      "read what stands behind output, and run the program on the node where the volume is mounted",
    ],
    rule: "resizefs_linux.go extResize, xfsResize, btrfsResize",
  }),
];
