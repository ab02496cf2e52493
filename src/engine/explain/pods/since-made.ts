/** Whether a ConfigMap or Secret that a kubelet missed exists by now. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";

/** Upstream: pkg/volume configmap, secret and projected SetUpAt; kubelet_pods.go makeEnvironmentVariables v1.36. */
const lacksObject = /(?:^|: )(configmap|secret) "([^"]+)" not found$/;

/** True if the object that the message misses exists by now: the kubelet's next try will find it. */
export function hasSinceBeenMade(
  facts: RunFacts,
  { metadata: { namespace } }: KubeObject<"Pod">,
  message: string,
): boolean {
  const [, kind, name = ""] = lacksObject.exec(message) ?? [];
  if (kind === undefined) return false;
  return facts.get(kind === "secret" ? "Secret" : "ConfigMap", namespace, name) !== undefined;
}
