/** A probe of a named port that the container does not have. Upstream: pkg/probe/util.go ResolveContainerPort v1.36. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import type { Fix, Place } from "../verdict.ts";
import { containerPlaces, containerText } from "./ended-container.ts";

type Pod = KubeObject<"Pod">;

interface UnmadeProbe {
  readonly what: string;
  readonly root: Place;
  readonly fixes: readonly Fix[];
}

/** The probe that failed; undefined if the message is about something else. `name` is the container's. */
export function unmadeProbe(
  pod: Pod,
  name: string | undefined,
  message: string,
): UnmadeProbe | undefined {
  const found = containerPlaces(pod).find(({ c }) => c.name === name);
  const told = /^(Readiness|Startup) probe errored.*: strconv\.Atoi: parsing "(.*)": /.exec(
    message,
  );
  if (found === undefined || told === null) return undefined;
  const [, type = "", port = ""] = told;
  const { c: container, path } = found;
  const kind = type === "Startup" ? "startup" : "readiness";
  const probe = kind === "startup" ? container.startupProbe : container.readinessProbe;
  const action = probe?.httpGet === undefined ? "tcpSocket" : "httpGet";
  const at = (field: string): Place => ({ ref: refOf(pod), field: `${path}.${field}` });
  const root = at(`${kind}Probe.${action}.port`);
  const { ports = [] } = container;
  const [only] = ports;
  const lacks = `has no port "${port}", which its ${kind} probe asks`;
  const what = `${containerText(pod, container.name)} ${lacks}`;
  if (only === undefined || ports.length > 1)
    return { what, root, fixes: [{ text: portsText(port, ports), at: root }] };
  const { containerPort: number, name: known = number } = only;
  const naming = { text: `name port ${number} "${port}"`, at: at("ports[0].name"), value: port };
  const asking = { text: `ask port ${known}`, at: root, value: known };
  return { what, root, fixes: only.name === undefined ? [naming, asking] : [asking] };
}

type Port = NonNullable<Pod["spec"]["containers"][number]["ports"]>[number];

function portsText(port: string, ports: readonly Port[]): string {
  if (ports.length === 0)
    return `ask the port by its number, or add a port that is named "${port}"`;
  const known = ports.map(({ name, containerPort }) => name ?? containerPort);
  return `ask one of the container's ports: ${known.join(", ")}`;
}
