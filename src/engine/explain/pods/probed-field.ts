/**
 * Which probe of a pod a kubelet's message is about: it names the kind of probe and usually its target. Upstream:
 * pkg/kubelet/prober/prober.go probe, kuberuntime_manager.go computePodActions, pkg/probe http, tcp and grpc v1.36.
 */
import type { PodSpec, Probe } from "../../api/types.ts";
import { containerPlaces } from "./ended-container.ts";

type Container = PodSpec["containers"][number];

const kinds = ["readiness", "liveness", "startup"] as const;

/** The field of the pod; undefined if the message is about no probe, or if not exactly one container has a matching probe. */
export function probedField(spec: PodSpec, message: string): string | undefined {
  const told = toldIn(message);
  if (told === undefined) return undefined;
  const key = `${told.kind}Probe` as const;
  const asked = containerPlaces({ spec }).flatMap(({ c, path }) => {
    const probe = c[key];
    if (probe === undefined || !isAsked(c, probe, told)) return [];
    return [{ probe, field: `${path}.${key}` }];
  });
  const alike = asked.filter(
    ({ probe }) => told.path !== undefined && probe.httpGet?.path === told.path,
  );
  const [found, ...others] = alike.length > 0 ? alike : asked;
  if (found === undefined || others.length > 0) return undefined;
  const action = actionOf(found.probe);
  return told.portName === undefined || action === undefined
    ? found.field
    : `${found.field}.${action}.port`;
}

/** True if the message tells more about the probe than its kind. */
export function tellsProbe(message: string): boolean {
  const { container, portName, port } = toldIn(message) ?? {};
  return (container ?? portName ?? port) !== undefined;
}

interface Told {
  readonly kind: (typeof kinds)[number];
  readonly container: string | undefined;
  readonly portName: string | undefined;
  readonly port: string | undefined;
  readonly path: string | undefined;
  readonly isHttp: boolean;
}

/** `Get "http://10.0.0.7:8080/healthz": …`, `dial tcp 10.0.0.7:5432: …`, `failed to connect service "10.0.0.7:9090" …` */
const asks = /(?:https?:\/\/|\bdial tcp |\bservice ")(?:\[[^\]\s]*\]|[^\s:/"]+):(\d+)(\/[^\s"]*)?/;

function toldIn(message: string): Told | undefined {
  const [, container, killed] =
    /^(?:Init c|C)ontainer (\S+) failed (\w+) probe\b/.exec(message) ?? [];
  const said = killed ?? /^(\w+) probe (?:failed|errored|warning)\b/.exec(message)?.[1];
  const kind = kinds.find((one) => one === said?.toLowerCase());
  if (kind === undefined) return undefined;
  const portName = /: strconv\.Atoi: parsing "([^"]*)"/.exec(message)?.[1];
  const [, port, path] = asks.exec(message) ?? [];
  const isHttp = message.includes(" probe failed: HTTP probe failed with statuscode: ");
  return { kind, container, portName, port, path, isHttp };
}

function isAsked(
  { name, ports = [] }: Container,
  probe: Probe,
  { container, portName, port, isHttp }: Told,
): boolean {
  if (container !== undefined && container !== name) return false;
  if (isHttp && probe.httpGet === undefined) return false;
  const action = actionOf(probe);
  const asked = action === undefined ? undefined : probe[action]?.port;
  if (portName !== undefined) return asked === portName;
  if (port === undefined) return true;
  const number = ports.find((one) => one.name === asked)?.containerPort ?? asked;
  return String(number) === port;
}

function actionOf(probe: Probe): "httpGet" | "tcpSocket" | "grpc" | undefined {
  return (["httpGet", "tcpSocket", "grpc"] as const).find((action) => probe[action] !== undefined);
}
