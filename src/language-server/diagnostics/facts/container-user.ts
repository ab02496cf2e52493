/** As which user a container runs, from the pod's and its own securityContext. */
import { type Fields, fieldsAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

export interface ContainerUser {
  /** Undefined where the image decides. */
  readonly uid: number | undefined;
  /** `image`: whoever the image names, root perhaps. */
  readonly is: "root" | "other" | "image";
}

export function userOf(object: ManifestObject, container: Fields): ContainerUser {
  const own = fieldsAt(container, "securityContext");
  const ofPod = fieldsAt(podSpecOf(object)?.fields ?? {}, "securityContext");
  const setting = (field: string): unknown => own[field] ?? ofPod[field];
  const uid = setting("runAsUser");
  if (typeof uid === "number") return { uid, is: uid === 0 || mayBypass(own) ? "root" : "other" };
  const isOther = setting("runAsNonRoot") === true && !mayBypass(own);
  return { uid: undefined, is: isOther ? "other" : "image" };
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
