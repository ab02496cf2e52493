/** What a pod may say to need besides its containers. Upstream: plugin/pkg/admission/runtimeclass validateOverhead, v1.36. */
import type { ApiError } from "../meta.ts";
import type { Pod } from "../types.ts";
import { forbidden } from "./forbidden.ts";

/** RuntimeClasses are not served, so none has defined an overhead. */
export function checkOverhead(pod: Pod): ApiError | undefined {
  if (pod.spec.overhead === undefined) return undefined;
  return forbidden(
    pod,
    "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
  );
}
