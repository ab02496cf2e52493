/** Probes and hooks that the kubelet cannot perform, such as those on a port that the container does not name. */
import { isUnknownPort } from "../../../engine/matching/container-port.ts";
import { nearestName } from "../../nearest-name.ts";
import { containersOf, type Fields, fieldsAt, itemsOf } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { type FieldReport, objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/**
 * A probe that cannot be performed has no result, so the container runs on whatever happens to it. Upstream: pkg/kubelet/prober
 * worker.go doProbe v1.36.
 */
export const livenessPortUnknown: DocumentRule = objectRule(
  "liveness-port-unknown",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of containersOf(object)) {
      const ports = portsOf(fields);
      for (const action of ["httpGet", "tcpSocket"]) {
        const { port } = fieldsAt(fields, "livenessProbe", action);
        if (!isUnknownPort(port, ports)) continue;
        const at = [...path, "livenessProbe", action, "port"];
        yield {
          path: at,
          message: `The container has no port that is named “${port}”: the probe is never made, and a container that hangs is not restarted`,
          ...otherPort(port, ports, at),
        };
      }
    }
  },
);

/** Upstream: pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer, executePreStopHook v1.36. */
const consequences: Readonly<Record<string, string>> = {
  postStart: "the hook fails each time, and the container is killed because of that",
  preStop: "the hook fails, and the container is stopped without it",
};

export const hookAlwaysFails: DocumentRule = objectRule(
  "hook-always-fails",
  "warning",
  {},
  function* (object) {
    for (const { fields, path } of containersOf(object)) {
      const ports = portsOf(fields);
      for (const [hook, consequence] of Object.entries(consequences)) {
        const { exec, httpGet, tcpSocket } = fieldsAt(fields, "lifecycle", hook);
        const place = [...path, "lifecycle", hook];
        const { port } = fieldsAt({ httpGet }, "httpGet");
        const at = [...place, "httpGet", "port"];
        if (isUnknownPort(port, ports))
          yield {
            path: at,
            message: `The container has no port that is named “${port}”: ${consequence}`,
            ...otherPort(port, ports, at),
          };
        // The API server accepts it for the sake of old manifests.
        if (tcpSocket !== undefined && exec === undefined && httpGet === undefined)
          yield {
            path: [...place, "tcpSocket"],
            message: `The kubelet does not support tcpSocket hooks: ${consequence}. Use exec or httpGet`,
            atKey: true,
          };
      }
    }
  },
);

function portsOf(container: Fields): readonly Fields[] {
  return itemsOf(container["ports"], []).map(({ fields }) => fields);
}

/** A port with a similar name, or the only one. */
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
