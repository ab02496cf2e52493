/** Whether a ConfigMap or Secret is there by now that a kubelet missed. */
import type { KubeObject } from "../../api/meta.ts";
import type { RunFacts } from "../run-facts.ts";

/** Upstream: pkg/volume configmap, secret and projected SetUpAt; kubelet_pods.go makeEnvironmentVariables v1.36. */
const lacksObject = /(?:^|: )(configmap|secret) "([^"]+)" not found$/;

/** What the message tells of is tried again, and nothing is in its way any more. */
export function hasSinceBeenMade(
  facts: RunFacts,
  { metadata: { namespace } }: KubeObject<"Pod">,
  message: string,
): boolean {
  const [, kind, name = ""] = lacksObject.exec(message) ?? [];
  if (kind === undefined) return false;
  return facts.get(kind === "secret" ? "Secret" : "ConfigMap", namespace, name) !== undefined;
}
