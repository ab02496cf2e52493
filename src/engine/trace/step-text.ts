/** Describes what a step does: in the trace, on the simulation page, in a saved scenario's title. */
import type { DriverFault, ObjectName, Step } from "../scenario.ts";

export function stepText(step: Step): string {
  switch (step.type) {
    case "apply":
      return `Apply ${step.manifests.length} object${step.manifests.length === 1 ? "" : "s"}`;
    case "settle":
      return "Wait until the cluster is at rest";
    case "advance":
      return `Let ${step.ms / 1000} s pass`;
    case "delete":
      return `Delete ${step.objects.map(objectText).join(", ")}`;
    case "patch":
      return `Patch ${objectText(step.object)}: ${JSON.stringify(step.patch)}`;
    case "scale":
      return `Scale ${objectText(step.object)} to ${step.replicas}`;
    case "createJob": {
      const { namespace, name, from } = step;
      return `Create ${objectText({ kind: "Job", namespace: namespace ?? "", name })} from CronJob ${from}`;
    }
    case "fault":
      return faultText(step.fault);
    case "driver": {
      const { name, controller, node, nodeName = "" } = step;
      return controller === undefined
        ? `${node === "up" ? "Start" : "Stop"} the plugin of ${name} on ${nodeName}`
        : `${controller === "up" ? "Start" : "Stop"} the controller of ${name}`;
    }
    case "node":
      return `${verbs[step.kubelet]} the kubelet of ${step.name}`;
    case "cordon":
      return `Cordon ${step.name}`;
    case "uncordon":
      return `Uncordon ${step.name}`;
    case "drain":
      return `Drain ${step.name}`;
  }
}

const verbs = { up: "Start", down: "Stop", restart: "Restart" } as const;

function faultText({
  driver,
  call = "every call",
  code,
  delayMs,
  times = 1,
  clear,
}: DriverFault): string {
  const of = `${call} of ${driver}`;
  if (clear === true) return `Let ${of} succeed again`;
  const count = times === 0 ? "every time" : times === 1 ? "once" : `${times} times`;
  const what = code === undefined ? `take ${(delayMs ?? 0) / 1000} s` : "fail";
  return `Make ${of} ${what} ${count}${code === undefined ? "" : `: ${code}`}`;
}

function objectText({ kind, namespace = "", name }: ObjectName): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
