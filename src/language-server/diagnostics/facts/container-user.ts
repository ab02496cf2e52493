/** As which user a container runs, from the pod's and its own securityContext, and from what is known of its image. */
import { type Fields, fieldsAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { knownImageOf } from "./known-images.ts";

export interface ContainerUser {
  /** Undefined where the image decides, of which nothing is known. */
  readonly uid: number | undefined;
  /** The image's own, where the manifest names no user. */
  readonly image?: string;
  /** `image`: whoever the image names, root perhaps. */
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

/** Of one that is not root, for a sentence. */
export function nameOfUser({ uid, image }: ContainerUser): string {
  if (uid === undefined) return "a user other than root";
  return image === undefined ? `user ${uid}` : `user ${uid} of the image ${image}`;
}

/** Modes and owners do not count for it. */
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
