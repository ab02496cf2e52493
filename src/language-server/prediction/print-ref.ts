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

/** `Claim data stays Pending`. An attachment is called by a hash: what is said of it has its volume for a subject. */
export function printOutcome(ref: Ref, headline: string): string {
  return `${printRef(ref)}${namesItself(ref) ? ":" : ""} ${headline}`;
}

/** Whether what is said of the object begins with what people know it by. */
export function namesItself(ref: Ref): boolean {
  return ref.startsWith("VolumeAttachment/");
}
