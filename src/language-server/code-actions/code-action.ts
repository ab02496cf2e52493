/** What a code action is, and the place it is asked for. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import type { Diagnostic, EnvironmentContext } from "../diagnostics/rule.ts";
import { classesInOrder } from "../names/known-classes.ts";
import { asking } from "../nearest-name.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { type Fields, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";

/** Offsets are those of the file; a file that does not exist yet is empty. */
export interface FileEdit extends Span {
  readonly uri: string;
  readonly text: string;
}

export type ActionKind = "quickfix" | "refactor.rewrite" | "source.fixAll";

export interface CodeAction {
  readonly title: string;
  readonly kind: ActionKind;
  readonly edits: readonly FileEdit[];
  /** The finding that it mends. */
  readonly diagnostic?: Diagnostic;
  /** One of several, of which none is likelier to be meant than the others. */
  readonly isChoice?: boolean;
  /** What an editor does that is told to mend the finding without asking how. */
  readonly isPreferred?: boolean;
  /** Files that the edits make. */
  readonly creates?: readonly string[];
  /** Of the extension, in place of edits: what asks the person first. */
  readonly command?: string;
}

export interface ActionContext {
  readonly analysis: Analysis;
  /** Of the present state; undefined while it is being made. */
  readonly prediction: Prediction | undefined;
  readonly file: WorkspaceFile;
  /** All findings of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is selected; offsets are the file's. */
  readonly range: Span;
  readonly findFile: (uri: string) => WorkspaceFile | undefined;
}

/** By all of the edits; nothing where one of them cannot be made. What mends a finding is a fix. */
export function offer(
  title: string,
  edits: readonly (FileEdit | undefined)[],
  diagnostic?: Diagnostic,
): readonly CodeAction[] {
  const made = edits.filter((edit) => edit !== undefined);
  if (made.length === 0 || made.length < edits.length) return [];
  return [
    diagnostic === undefined
      ? { title, kind: "refactor.rewrite", edits: made }
      : { title, kind: "quickfix", edits: made, diagnostic },
  ];
}

/** What a finding says, without the question what was meant. */
export function statementOf({ message, meant }: Diagnostic): string {
  return message.slice(0, message.length - asking("", meant).length);
}

/** The findings that touch the selection. */
export function touched({ diagnostics, range }: ActionContext): readonly Diagnostic[] {
  return diagnostics.filter(({ start, end }) => start <= range.end && end >= range.start);
}

/** What rules compare the environment's objects in. */
export function ruleContext({ analysis }: ActionContext): EnvironmentContext {
  const { environment, version, assumed, profileFrom, names } = analysis;
  const context = contexts.get(analysis) ?? {
    environment,
    version,
    cluster: assumed.cluster,
    profileFrom,
    names,
  };
  contexts.set(analysis, context);
  return context;
}

// What has been found in one state is found once.
const contexts = new WeakMap<Analysis, EnvironmentContext>();

/** The classes of a kind: those of the files, and those of the cluster that no file holds. */
export function classesOfKind(context: ActionContext, kind: Kind): readonly Fields[] {
  const { environment, assumed } = context.analysis;
  const own = environment.objects
    .filter(({ object }) => object.kind === kind && object.served)
    .map(({ object }) => object.value);
  const names = new Set(own.map((value) => textAt(value, "metadata", "name")));
  const { manifests, state = [] } = assumed.cluster;
  const others = [...manifests, ...state].filter(
    (value) => value["kind"] === kind && !names.has(textAt(value, "metadata", "name")),
  );
  return classesInOrder(ruleContext(context), kind, [...own, ...others]);
}
