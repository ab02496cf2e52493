/** The user that a container runs as, from the securityContext of the pod and the container, and from known images. */
import { type Fields, fieldsAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { knownImageOf } from "./known-images.ts";

export interface ContainerUser {
  /** Undefined if the image decides and is unknown. */
  readonly uid: number | undefined;
  /** The known image whose user it is, if the manifest sets none. */
  readonly image?: string;
  /** `image`: the user of an unknown image, possibly root. */
  readonly is: "root" | "other" | "image";
}

export function userOf(object: ManifestObject, container: Fields): ContainerUser {
  const own = fieldsAt(container, "securityContext");
  const ofPod = fieldsAt(podSpecOf(object)?.fields ?? {}, "securityContext");
  const setting = (field: string): unknown => own[field] ?? ofPod[field];
  const uid = setting("runAsUser");
  if (typeof uid === "number") return { uid, is: uid === 0 || mayBypass(own) ? "root" : "other" };
  if (mayBypass(own)) return { uid: undefined, is: "image" };
  const image = knownImageOf(container);
  if (image?.uid !== undefined) return { uid: image.uid, image: image.name, is: "other" };
  return { uid: undefined, is: setting("runAsNonRoot") === true ? "other" : "image" };
}

/** A user that is not root, in the words of a sentence. */
export function nameOfUser({ uid, image }: ContainerUser): string {
  if (uid === undefined) return "a user other than root";
  return image === undefined ? `user ${uid}` : `user ${uid} of the image ${image}`;
}

/** True if file modes and owners do not apply to the container. */
function mayBypass(context: Fields): boolean {
  const { add } = fieldsAt(context, "capabilities");
  const added: readonly unknown[] = Array.isArray(add) ? add : [];
  return (
    context["privileged"] === true ||
    added.some((name) => name === "DAC_OVERRIDE" || name === "CAP_DAC_OVERRIDE" || name === "ALL")
  );
}

export function isWindows(object: ManifestObject): boolean {
  const pod = podSpecOf(object)?.fields ?? {};
  return (
    fieldsAt(pod, "os")["name"] === "windows" ||
    fieldsAt(pod, "nodeSelector")["kubernetes.io/os"] === "windows"
  );
}
