/** The fields of the form for a step: which an action asks for, and what can be chosen in them. */
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";
import { grpcCodes } from "../../engine/csi/grpc-codes.ts";
import { driverCalls } from "../../engine/scenario.ts";
import { refText } from "./entry-text.ts";
import { type Action, type Draft, workloadKinds } from "./what-if.ts";

export interface Choice {
  readonly value: string;
  readonly text: string;
}

const asChoice = (value: string): Choice => ({ value, text: value });

const states: readonly Choice[] = [
  { value: "down", text: "Stop" },
  { value: "up", text: "Start" },
];

export interface Field {
  readonly name: keyof Draft;
  readonly label: string;
  /** Absent where it is typed. */
  readonly choices?: readonly Choice[];
  readonly isLong?: boolean;
}

const failures: readonly Choice[] = grpcCodes.filter((code) => code !== "OK").map(asChoice);

/** What a cluster has that something can be done to. */
export interface Cluster {
  readonly targets: readonly Ref[];
  /** Names of CSI drivers. */
  readonly drivers: readonly string[];
}

/** The fields of each action, in their order. */
export function fieldsOf(action: Action, { targets, drivers }: Cluster): readonly Field[] {
  const ofKinds = (kinds: readonly string[]): readonly Choice[] =>
    targets
      .filter((ref) => kinds.includes(kindOfRef(ref)))
      .map((ref) => ({ value: ref, text: refText(ref) }));
  const objects = targets.map((ref) => ({ value: ref, text: refText(ref) }));
  const nodes = ofKinds(["Node"]).map(({ value }) => asChoice(nameOfRef(value)));
  const node: Field = { name: "node", label: "Node", choices: nodes };
  const driver: Field = { name: "driver", label: "Driver", choices: drivers.map(asChoice) };
  switch (action) {
    case "delete":
      return [{ name: "object", label: "Object", choices: objects }];
    case "scale":
      return [
        { name: "workload", label: "Workload", choices: ofKinds(workloadKinds) },
        { name: "replicas", label: "Replicas" },
      ];
    case "patch":
      return [
        { name: "object", label: "Object", choices: objects },
        { name: "patch", label: "Merge patch (JSON)", isLong: true },
      ];
    case "kubelet":
      return [{ name: "state", label: "Stop or start", choices: states }, node];
    case "drain":
    case "cordon":
    case "uncordon":
      return [node];
    case "controller":
      return [{ name: "state", label: "Stop or start", choices: states }, driver];
    case "fault":
      return [
        driver,
        { name: "call", label: "Call", choices: driverCalls.map(asChoice) },
        { name: "code", label: "gRPC code", choices: failures },
        { name: "times", label: "Times (0: always)" },
      ];
    case "advance":
      return [{ name: "seconds", label: "Seconds" }];
  }
}

/** A list without an entry leaves nothing to say. */
export function lackText(lacks: string, fields: readonly Field[]): string {
  const empty = fields.find(({ choices }) => choices?.length === 0);
  return empty === undefined
    ? `Say ${lacks}.`
    : `This cluster has no ${empty.label.toLowerCase()} to choose.`;
}

/** What a list shows is what is chosen: the first where nothing else is, or the chosen one is gone. */
export function chosen(draft: Draft, fields: readonly Field[]): Partial<Draft> {
  const found: Partial<Record<keyof Draft, string>> = {};
  for (const { name, choices } of fields) {
    if (choices === undefined || choices.some(({ value }) => value === draft[name])) continue;
    found[name] = choices[0]?.value ?? "";
  }
  return found as Partial<Draft>;
}
