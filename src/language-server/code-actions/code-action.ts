/** The type of a code action, what it is made from, and what several actions share. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import type { Diagnostic, EnvironmentContext } from "../diagnostics/rule.ts";
import { classesInOrder } from "../names/known-classes.ts";
import { asking } from "../nearest-name.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { type Fields, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";

/** Offsets in the file; a file that does not exist yet counts as empty. */
export interface FileEdit extends Span {
  readonly uri: string;
  readonly text: string;
}

export type ActionKind = "quickfix" | "refactor.rewrite" | "source.fixAll";

export interface CodeAction {
  readonly title: string;
  readonly kind: ActionKind;
  readonly edits: readonly FileEdit[];
  /** The finding that it fixes. */
  readonly diagnostic?: Diagnostic;
  /** One of several alternatives, of which none is likelier to be meant than the others. */
  readonly isChoice?: boolean;
  /** Applied by an editor's "auto fix", which does not ask which fix to take. */
  readonly isPreferred?: boolean;
  /** URIs of files that the edits create. */
  readonly creates?: readonly string[];
  /** A command of the extension that runs instead of the edits, because it asks the user first. */
  readonly command?: string;
}

export interface ActionContext {
  readonly analysis: Analysis;
  /** Of the present state; undefined while it is still being computed. */
  readonly prediction: Prediction | undefined;
  readonly file: WorkspaceFile;
  /** All findings of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** The selection; offsets in the file. */
  readonly range: Span;
  readonly findFile: (uri: string) => WorkspaceFile | undefined;
}

/** One action with all the edits; nothing if one of them cannot be made. A quick fix if it is for a finding, else a rewrite. */
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

/** The message of a finding without a "did you mean" question. */
export function statementOf({ message, meant }: Diagnostic): string {
  return message.slice(0, message.length - asking("", meant).length);
}

/** The findings that touch the selection. */
export function touched({ diagnostics, range }: ActionContext): readonly Diagnostic[] {
  return diagnostics.filter(({ start, end }) => start <= range.end && end >= range.start);
}

/** The context in which rules compare the environment's objects. */
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

// Kept per analysis, because the indexes of rules are cached by context.
const contexts = new WeakMap<Analysis, EnvironmentContext>();

/** All classes of a kind: those in files, and those of the cluster that no file redefines. */
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
