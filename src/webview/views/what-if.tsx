/** The steps done so far to the cluster at rest, and a form for the next one. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { stepText } from "../../engine/trace/step-text.ts";
import {
  type Action,
  actions,
  actionTitles,
  type Draft,
  noteOn,
  readDraft,
} from "../model/what-if.ts";
import { chosen, type Field, fieldsOf, lackText } from "../model/what-if-fields.ts";
import type { PageState } from "../state.ts";
import { RefLink } from "./ref-link.tsx";

export function WhatIf({ state }: { readonly state: PageState }): JSX.Element {
  const steps = state.steps.value;
  const hasResult = steps.length > 0 && state.stage.value.type !== "failed";
  return (
    <div id="what-if">
      <p class="dim">
        {t(
          "What is done here happens once the manifests are applied and the cluster has come to rest.",
        )}
      </p>
      <Form state={state} />
      {/* Below the form, which stays where it is for the next step. */}
      <p role="status">{hasResult ? <Result state={state} /> : null}</p>
      {steps.length === 0 ? null : <Steps state={state} />}
      <p>
        <vscode-button
          id="save-scenario"
          secondary
          icon="save"
          title={t("A file in the workspace that repeats these steps and expects the same results")}
          onClick={() => state.saveSteps()}
        >
          {t("Save as Scenario")}
        </vscode-button>
      </p>
    </div>
  );
}

function Steps({ state }: { readonly state: PageState }): JSX.Element {
  return (
    <ol id="done" aria-label={t("Done so far")}>
      {state.steps.value.map((step, index) => (
        <li key={index}>
          <span>{stepText(step)}</span>
          <vscode-toolbar-button
            icon="discard"
            label={t("Undo: {0}", stepText(step))}
            title={t("Undo")}
            onClick={() => state.takeBack(index)}
          />
        </li>
      ))}
    </ol>
  );
}

/** The result of the last step. */
function Result({ state }: { readonly state: PageState }): JSX.Element {
  const worsened = state.summary.value?.worsened;
  if (worsened === undefined) return <>{t("The last step has made nothing worse.")}</>;
  return (
    <>
      {t("The effect of the last step is seen at")} <RefLink state={state} target={worsened} />
    </>
  );
}

function Form({ state }: { readonly state: PageState }): JSX.Element {
  const typed = state.draft.value;
  const fields = fieldsOf(typed.action, {
    targets: state.summary.value?.targets ?? [],
    drivers: (state.reply.value?.scenario.cluster.drivers ?? []).map(({ name }) => name),
  });
  const draft = { ...typed, ...chosen(typed, fields, state.selection.value) };
  const read = readDraft(draft);
  const change = (part: Partial<Draft>): void => {
    state.draft.value = { ...state.draft.value, ...part };
  };
  const form = useRef<HTMLFormElement>(null);
  const proposed = state.proposed.value;
  useEffect(() => {
    const typedIn = proposed > 0 ? form.current?.querySelector("input") : undefined;
    typedIn?.focus();
    typedIn?.select();
  }, [proposed]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!("step" in read)) return;
        state.act(read.step);
        // The name is taken now, so a new one is suggested.
        change({ job: undefined });
      }}
    >
      <label for="action">
        {t("Action")}
        <select
          id="action"
          class="control"
          value={draft.action}
          onChange={(event) => change({ action: event.currentTarget.value as Action })}
        >
          {actions.map((action) => (
            <option key={action} value={action}>
              {actionTitles()[action]}
            </option>
          ))}
        </select>
      </label>
      {fields.map((field) => (
        <FormField key={field.name} field={field} value={draft[field.name] ?? ""} change={change} />
      ))}
      <vscode-button id="do" type="submit" disabled={!("step" in read)}>
        {t("Do")}
      </vscode-button>
      <span class="dim" role="status">
        {"lacks" in read ? lackText(read.lacks, fields) : noteOn(read.step)}
      </span>
    </form>
  );
}

function FormField(properties: {
  readonly field: Field;
  readonly value: string;
  readonly change: (part: Partial<Draft>) => void;
}): JSX.Element {
  const { field, value, change } = properties;
  const { name, label, choices, width } = field;
  return (
    <label for={`what-if-${name}`} class={width}>
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
