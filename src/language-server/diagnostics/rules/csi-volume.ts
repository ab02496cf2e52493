/** CSI volumes whose driver name or secrets the API server takes and no driver will. */
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

/** Where kinds name a driver without the API server looking at the name; in volumes and pods it does. */
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
