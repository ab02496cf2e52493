/** Reads a pod's containers: what to call one, its place, what it waits for, how it ended, and whether it runs again. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { isSidecar } from "../../api/pod-containers.ts";
import { isRestarted } from "../../matching/restart-policy.ts";
import type { Place } from "../verdict.ts";

type Pod = KubeObject<"Pod">;
type Container = Pod["spec"]["containers"][number];
type ContainerStatus = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

/** `container "main"`, `init container "schema"`, `sidecar "proxy"`. */
export function containerText({ spec }: Pod, name: string): string {
  const init = spec.initContainers?.find((container) => container.name === name);
  if (init === undefined) return `container "${name}"`;
  return `${isSidecar(init) ? "sidecar" : "init container"} "${name}"`;
}

/** A pod's containers with their field paths: init containers first. */
export function containerPlaces({ spec }: Pick<Pod, "spec">): readonly {
  readonly c: Container;
  readonly path: string;
}[] {
  return [
    ...(spec.initContainers ?? []).map((c, i) => ({ c, path: `spec.initContainers[${i}]` })),
    ...spec.containers.map((c, i) => ({ c, path: `spec.containers[${i}]` })),
  ];
}

/** The place of the named container; the pod itself if it has none of that name. */
export function containerPlace(pod: Pod, name: string | undefined): Place {
  const found = containerPlaces(pod).find(({ c }) => c.name === name);
  return { ref: refOf(pod), ...(found !== undefined && { field: found.path }) };
}

/** ` with exit code 1`; empty if no end of the container is recorded. */
export function lastExit(pod: Pod, name: string): string {
  const status = statusesOf(pod).find((s) => s.name === name);
  const ended = status?.state?.terminated ?? status?.lastState?.terminated;
  return ended === undefined ? "" : ` with exit code ${ended.exitCode}`;
}

/** The first container that ended with an error; undefined if none did. */
export function failedContainer(pod: Pod): string | undefined {
  return statusesOf(pod).find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)?.name;
}

/** The first container that ended for good, one that failed if possible; undefined if none did. */
export function finishedContainer(
  pod: Pod,
): { readonly name: string; readonly failed: boolean } | undefined {
  const finished = (pod.status?.containerStatuses ?? []).flatMap(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode;
    const container = pod.spec.containers.find((c) => c.name === name);
    if (exitCode === undefined || container === undefined) return [];
    return isRestarted(container, pod.spec, exitCode) ? [] : [{ name, failed: exitCode !== 0 }];
  });
  return finished.find(({ failed }) => failed) ?? finished[0];
}

/** Waiting reasons of containers that only wait for their pod to start. */
const startingReasons: ReadonlySet<string> = new Set(["ContainerCreating", "PodInitializing"]);

/** The first container that something keeps from running, with the reason; undefined if there is none. */
export function waitingStatus(
  pod: Pod,
):
  | { readonly name: string; readonly reason: string; readonly message: string | undefined }
  | undefined {
  for (const { name, state } of statusesOf(pod)) {
    const { reason, message } = state?.waiting ?? {};
    if (reason !== undefined && !startingReasons.has(reason)) return { name, reason, message };
  }
  return undefined;
}

export function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}
