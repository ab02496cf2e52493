/** Names objects the way people do. */
import type { Ref } from "../../engine/api/meta.ts";
import { own } from "../own.ts";

const shortKinds: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: "Claim",
  PersistentVolume: "Volume",
  StorageClass: "Class",
  VolumeAttachment: "Attachment",
  VolumeSnapshot: "Snapshot",
};

/** `Claim data`, `Pod shop/web-0`; the namespace `default` is left out. */
export function printRef(ref: Ref): string {
  const [kind = "", namespace = "", ...rest] = ref.split("/");
  const name = rest.join("/");
  const short = own(shortKinds, kind) ?? kind;
  return namespace === "" || namespace === "default"
    ? `${short} ${name}`
    : `${short} ${namespace}/${name}`;
}

/** `Claim data stays Pending`. An attachment's name is a hash, so its headline has its volume as the subject. */
export function printOutcome(ref: Ref, headline: string): string {
  return `${printRef(ref)}${namesItself(ref) ? ":" : ""} ${headline}`;
}

/** True if the headline about an object begins with a name that people know. */
export function namesItself(ref: Ref): boolean {
  return ref.startsWith("VolumeAttachment/");
}
