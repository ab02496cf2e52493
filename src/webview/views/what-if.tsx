/** What is done to the cluster once it has come to rest: the steps so far, and a form for the next. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { driverCalls, grpcCodes } from "../../engine/scenario.ts";
import { stepText } from "../../engine/trace/step-text.ts";
import { refText } from "../model/entry-text.ts";
import {
  type Action,
  actions,
  actionTitles,
  type Draft,
  readDraft,
  workloadKinds,
} from "../model/what-if.ts";
import type { PageState } from "../state.ts";

export function WhatIf({ state }: { readonly state: PageState }): JSX.Element {
  const steps = state.steps.value;
  return (
    <div id="what-if">
      <p class="dim">
        What is done here happens once the manifests are applied and the cluster has come to rest.
      </p>
      {steps.length === 0 ? null : <Steps state={state} />}
      <Form state={state} />
      <p>
        <vscode-button
          id="save-scenario"
          secondary
          icon="save"
          title="A file of the workspace that does the same and expects what has come of it"
          onClick={() => state.saveSteps()}
        >
          Save as Scenario
        </vscode-button>
      </p>
    </div>
  );
}

function Steps({ state }: { readonly state: PageState }): JSX.Element {
  return (
    <ol id="done" aria-label="Done so far">
      {state.steps.value.map((step, index) => (
        <li key={index}>
          <span>{stepText(step)}</span>
          <vscode-toolbar-button
            icon="discard"
            label={`Take Back: ${stepText(step)}`}
            title="Take Back"
            onClick={() => state.takeBack(index)}
          />
        </li>
      ))}
    </ol>
  );
}

interface Choice {
  readonly value: string;
  readonly text: string;
}

const asChoice = (value: string): Choice => ({ value, text: value });

const states: readonly Choice[] = [
  { value: "down", text: "Stop" },
  { value: "up", text: "Start" },
];

interface FieldProperties {
  readonly name: keyof Draft;
  readonly label: string;
  /** Absent where it is typed. */
  readonly choices?: readonly Choice[];
  readonly isLong?: boolean;
}

const failures: readonly Choice[] = grpcCodes.filter((code) => code !== "OK").map(asChoice);

/** The fields of each action, in their order. */
function fieldsOf(action: Action, state: PageState): readonly FieldProperties[] {
  const targets = state.summary.value?.targets ?? [];
  const ofKinds = (kinds: readonly string[]): readonly Choice[] =>
    targets
      .filter((ref) => kinds.includes(ref.slice(0, ref.indexOf("/"))))
      .map((ref) => ({ value: ref, text: refText(ref) }));
  const objects = targets.map((ref) => ({ value: ref, text: refText(ref) }));
  const nodes = ofKinds(["Node"]).map(({ value }) => asChoice(value.split("/")[2] ?? ""));
  const drivers = (state.reply.value?.scenario.cluster.drivers ?? []).map(({ name }) =>
    asChoice(name),
  );
  const node: FieldProperties = { name: "node", label: "Node", choices: nodes };
  const driver: FieldProperties = { name: "driver", label: "Driver", choices: drivers };
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

const firstDraft: Draft = {
  action: "kubelet",
  object: "",
  workload: "",
  node: "",
  driver: "",
  replicas: "1",
  patch: '{"spec": {}}',
  state: "down",
  call: "ControllerPublishVolume",
  code: "Internal",
  times: "0",
  seconds: "300",
};

function Form({ state }: { readonly state: PageState }): JSX.Element {
  const typed = useSignal<Draft>(firstDraft);
  const fields = fieldsOf(typed.value.action, state);
  const draft = { ...typed.value, ...chosen(typed.value, fields) };
  const read = readDraft(draft);
  const change = (part: Partial<Draft>): void => {
    typed.value = { ...typed.value, ...part };
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if ("step" in read) state.act(read.step);
      }}
    >
      <label for="action">
        Action
        <select
          id="action"
          class="control"
          value={draft.action}
          onChange={(event) => change({ action: event.currentTarget.value as Action })}
        >
          {actions.map((action) => (
            <option key={action} value={action}>
              {actionTitles[action]}
            </option>
          ))}
        </select>
      </label>
      {fields.map((field) => (
        <Field key={field.name} field={field} value={draft[field.name]} change={change} />
      ))}
      <vscode-button id="do" type="submit" disabled={!("step" in read)}>
        Do
      </vscode-button>
      <span class="dim" role="status">
        {"lacks" in read ? lackText(read.lacks, fields) : ""}
      </span>
    </form>
  );
}

/** A list without an entry leaves nothing to say. */
function lackText(lacks: string, fields: readonly FieldProperties[]): string {
  const empty = fields.find(({ choices }) => choices?.length === 0);
  return empty === undefined
    ? `Say ${lacks}.`
    : `This cluster has no ${empty.label.toLowerCase()} to choose.`;
}

/** What a list shows is what is chosen: the first where nothing else is, or the chosen one is gone. */
function chosen(draft: Draft, fields: readonly FieldProperties[]): Partial<Draft> {
  const found: Partial<Record<keyof Draft, string>> = {};
  for (const { name, choices } of fields) {
    if (choices === undefined || choices.some(({ value }) => value === draft[name])) continue;
    found[name] = choices[0]?.value ?? "";
  }
  return found as Partial<Draft>;
}

function Field(properties: {
  readonly field: FieldProperties;
  readonly value: string;
  readonly change: (part: Partial<Draft>) => void;
}): JSX.Element {
  const { field, value, change } = properties;
  const { name, label, choices, isLong } = field;
  return (
    <label for={`what-if-${name}`} class={isLong === true ? "long" : ""}>
      {label}
      {choices === undefined ? (
        <input
          id={`what-if-${name}`}
          class="control"
          value={value}
          onInput={(event) => change({ [name]: event.currentTarget.value })}
        />
      ) : (
        <select
          id={`what-if-${name}`}
          class="control"
          value={value}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}
