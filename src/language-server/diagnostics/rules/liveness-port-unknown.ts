/**
 * A liveness probe of a port that the container does not name. What cannot be asked says nothing of the container, which then
 * runs on whatever becomes of it. Upstream: pkg/kubelet/prober/worker.go doProbe, pkg/probe/util.go ResolveContainerPort v1.36.
 */
import { nearestName } from "../../nearest-name.ts";
import { containersOf, type Fields, fieldsAt, itemsOf } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { type FieldReport, objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const livenessPortUnknown: DocumentRule = objectRule(
  "liveness-port-unknown",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of containersOf(object)) {
      const ports = itemsOf(fields["ports"], []).map((port) => port.fields);
      for (const action of ["httpGet", "tcpSocket"]) {
        const { port } = fieldsAt(fields, "livenessProbe", action);
        if (typeof port !== "string" || ports.some(({ name }) => name === port)) continue;
        const at = [...path, "livenessProbe", action, "port"];
        yield {
          path: at,
          message: `The container has no port that is named “${port}”: the probe is never made, and a container that hangs is left as it is`,
          ...otherPort(port, ports, at),
        };
      }
    }
  },
);

/** One with a name like it, or the only one there is. */
function otherPort(
  asked: string,
  ports: readonly Fields[],
  path: Path,
): Pick<FieldReport, "meant" | "fix"> {
  const names = ports.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  const [only] = ports;
  const meant = nearestName(asked, names) ?? (ports.length === 1 ? names[0] : undefined);
  if (meant !== undefined) return { meant };
  const value = ports.length === 1 ? only?.["containerPort"] : undefined;
  return typeof value === "number" ? { fix: { title: `Change to ${value}`, path, value } } : {};
}
