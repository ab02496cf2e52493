/** The fields of the step form: which ones an action needs, and what can be chosen in them. */
import { t } from "@vscode/l10n";
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";
import { grpcCodes } from "../../engine/csi/grpc-codes.ts";
import { driverCalls } from "../../engine/scenario.ts";
import { refText } from "./entry-text.ts";
import { type Action, type Draft, freeJobName, workloadKinds } from "./what-if.ts";

export interface Choice {
  readonly value: string;
  readonly text: string;
}

const asChoice = (value: string): Choice => ({ value, text: value });

const states = (): readonly Choice[] => [
  { value: "down", text: t("Stop") },
  { value: "up", text: t("Start") },
];

export interface Field {
  readonly name: keyof Draft;
  readonly label: string;
  /** Absent if the value is typed. */
  readonly choices?: readonly Choice[];
  /** The width of a typed value: a whole line or a name. */
  readonly width?: "line" | "name";
  /** The value until something else is typed. */
  readonly suggest?: (draft: Draft) => string;
}

const failures: readonly Choice[] = grpcCodes.filter((code) => code !== "OK").map(asChoice);

/** What steps can act on in a cluster. */
export interface Cluster {
  readonly targets: readonly Ref[];
  /** Names of CSI drivers. */
  readonly drivers: readonly string[];
}

/** The fields of an action, in order. */
export function fieldsOf(action: Action, { targets, drivers }: Cluster): readonly Field[] {
  const ofKinds = (kinds: readonly string[]): readonly Choice[] =>
    targets
      .filter((ref) => kinds.includes(kindOfRef(ref)))
      .map((ref) => ({ value: ref, text: refText(ref) }));
  const objects = targets.map((ref) => ({ value: ref, text: refText(ref) }));
  const nodes = ofKinds(["Node"]).map(({ value }) => asChoice(nameOfRef(value)));
  // The field's label names the kind already.
  const cronJobs = ofKinds(["CronJob"]).map(({ value, text }) => {
    return { value, text: text.slice("CronJob ".length) };
  });
  const node: Field = { name: "node", label: t("Node"), choices: nodes };
  const driver: Field = { name: "driver", label: t("Driver"), choices: drivers.map(asChoice) };
  switch (action) {
    case "delete":
      return [{ name: "object", label: t("Object"), choices: objects }];
    case "scale":
      return [
        { name: "workload", label: t("Workload"), choices: ofKinds(workloadKinds) },
        { name: "replicas", label: t("Replicas") },
      ];
    case "patch":
      return [
        { name: "object", label: t("Object"), choices: objects },
        { name: "patch", label: t("Merge patch (JSON)"), width: "line" },
      ];
    case "createJob":
      return [
        { name: "cronJob", label: t("CronJob"), choices: cronJobs },
        {
          name: "job",
          label: t("Job name"),
          width: "name",
          suggest: ({ cronJob }) => (cronJob === "" ? "" : freeJobName(cronJob, targets)),
        },
      ];
    case "kubelet":
      return [{ name: "state", label: t("Stop or start"), choices: states() }, node];
    case "drain":
    case "cordon":
    case "uncordon":
      return [node];
    case "controller":
      return [{ name: "state", label: t("Stop or start"), choices: states() }, driver];
    case "fault":
      return [
        driver,
        { name: "call", label: t("Call"), choices: driverCalls.map(asChoice) },
        { name: "code", label: t("gRPC code"), choices: failures },
        { name: "times", label: t("Times (0: always)") },
      ];
    case "advance":
      return [{ name: "seconds", label: t("Seconds") }];
  }
}

/** The text about a missing value; for an empty list, it says that there is nothing to choose. */
export function lackText(lacks: string, fields: readonly Field[]): string {
  const empty = fields.find(({ choices }) => choices?.length === 0);
  return empty === undefined
    ? t("Specify {0}.", lacks)
    : t("This cluster has no {0} to choose.", noun(empty.label));
}

/** The label in lower case, unless it is a kind. */
function noun(label: string): string {
  return /[a-z][A-Z]/.test(label) ? label : label.toLowerCase();
}

/**
 * The effective values of the fields. A list without a valid choice takes the object selected on the page, else its first
 * entry; a field in which nothing was typed takes its suggestion.
 */
export function chosen(draft: Draft, fields: readonly Field[], selected?: Ref): Partial<Draft> {
  let found: Partial<Draft> = {};
  for (const { name, choices, suggest } of fields) {
    if (suggest !== undefined && draft[name] === undefined)
      found = { ...found, [name]: suggest({ ...draft, ...found }) };
    const isAmong = (wanted: string | undefined): boolean =>
      choices?.some(({ value }) => value === wanted) === true;
    if (choices === undefined || isAmong(draft[name])) continue;
    const first = isAmong(selected) ? selected : choices[0]?.value;
    found = { ...found, [name]: first ?? "" };
  }
  return found;
}
