/** CSI volumes whose driver name, handle or attributes the API server accepts, but no driver will. */
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["PersistentVolume"] as const;
const driverPath = ["spec", "csi", "driver"];

export const csiDriverCase: DocumentRule = objectRule(
  "csi-driver-case",
  "warning",
  { kinds },
  function* ({ value }) {
    const driver = textAt(value, ...driverPath) ?? "";
    const lower = driver.toLowerCase();
    if (driver === lower) return;
    yield {
      path: driverPath,
      message: "Driver names are matched exactly; the server only checks the lower-cased form",
      fix: { title: `Change to ${lower}`, path: driverPath, value: lower },
    };
  },
);

export const csiNodeStageSecret: DocumentRule = objectRule(
  "csi-node-stage-secret",
  "error",
  { kinds },
  function* ({ value }) {
    const secret = fieldsAt(value, "spec", "csi")["nodeStageSecretRef"];
    if (secret === undefined || secret === null) return;
    const fields = fieldsAt(value, "spec", "csi", "nodeStageSecretRef");
    const missing = ["name", "namespace"].filter((field) => (textAt(fields, field) ?? "") === "");
    if (missing.length === 0) return;
    yield {
      path: ["spec", "csi", "nodeStageSecretRef"],
      message: `Without ${missing.join(" and ")}, which the server does not check, staging fails`,
      atKey: true,
    };
  },
);

const cephDriver = /(?:^|\.)(?:rbd|cephfs)\.csi\.ceph\.com$/;
/** Version, length of the cluster id, cluster id, pool or file system, image: ceph-csi internal/util/volid.go. */
const cephHandle = /^[0-9a-f]{4}-[0-9a-f]{4}-.+-[0-9a-f]{16}-[0-9a-f-]{36}$/;

export const csiCephStatic: DocumentRule = objectRule(
  "csi-ceph-static",
  "warning",
  { kinds },
  function* ({ value }) {
    const csi = fieldsAt(value, "spec", "csi");
    const handle = textAt(csi, "volumeHandle") ?? "";
    const attributes = fieldsAt(csi, "volumeAttributes");
    if (!cephDriver.test(textAt(csi, "driver") ?? "") || cephHandle.test(handle)) return;
    // Before version 2 of the driver, monitors had this role.
    if (attributes["staticVolume"] === "true" || attributes["monitors"] !== undefined) return;
    const path = ["spec", "csi", "volumeAttributes", "staticVolume"];
    yield {
      path: ["spec", "csi", "volumeHandle"],
      message: `“${handle}” is not an id that the driver assigned. For an image or path created manually, set the attribute staticVolume: "true"`,
      fix: { title: "Set staticVolume to true", path, value: "true" },
    };
  },
);

/**
 * Upstream: aws-fsx-csi-driver pkg/driver/node.go NodePublishVolume; for mount names, AWS's API, LustreFileSystemConfiguration.
 */
export const csiFsxStatic: DocumentRule = objectRule(
  "csi-fsx-static",
  "warning",
  { kinds },
  function* ({ value }) {
    const csi = fieldsAt(value, "spec", "csi");
    if (textAt(csi, "driver") !== "fsx.csi.aws.com") return;
    const attributes = fieldsAt(csi, "volumeAttributes");
    if ((textAt(attributes, "dnsname") ?? "") === "")
      yield {
        path: ["spec", "csi", "volumeAttributes", "dnsname"],
        message: "The driver mounts nothing without dnsname: dnsname is not provided",
      };
    else if ((textAt(attributes, "mountname") ?? "") === "")
      yield {
        path: ["spec", "csi", "volumeAttributes", "mountname"],
        severity: "information",
        message:
          "Without mountname the driver mounts /fsx, a name that only SCRATCH_1 file systems have. `aws fsx describe-file-systems` shows MountName",
      };
  },
);

/** Fields with a driver name that the API server does not check, unlike those of volumes and pods. */
const driverFields: Readonly<Record<string, Path>> = {
  VolumeSnapshotClass: ["driver"],
  VolumeSnapshotContent: ["spec", "driver"],
  VolumeAttributesClass: ["driverName"],
};

export const csiReservedDriverPrefix: DocumentRule = objectRule(
  "csi-reserved-driver-prefix",
  "warning",
  { kinds: ["VolumeSnapshotClass", "VolumeSnapshotContent", "VolumeAttributesClass"] },
  function* ({ kind, value }) {
    const path = driverFields[kind] ?? [];
    const driver = textAt(value, ...path.map(String)) ?? "";
    if (driver.includes("/")) yield { path, message: `“${driver}” is not a CSI driver name` };
  },
);
