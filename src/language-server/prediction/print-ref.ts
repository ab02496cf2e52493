/** Objects as people call them. */
import type { Ref } from "../../engine/api/meta.ts";
import { own } from "../own.ts";

const shortKinds: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: "Claim",
  PersistentVolume: "Volume",
  StorageClass: "Class",
  VolumeAttachment: "Attachment",
  VolumeSnapshot: "Snapshot",
};

/** `Claim data`, `Pod shop/web-0`; the namespace is left out where it is `default`. */
export function printRef(ref: Ref): string {
  const [kind = "", namespace = "", ...rest] = ref.split("/");
  const name = rest.join("/");
  const short = own(shortKinds, kind) ?? kind;
  return namespace === "" || namespace === "default"
    ? `${short} ${name}`
    : `${short} ${namespace}/${name}`;
}
