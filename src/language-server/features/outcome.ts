/** The outcome of every storage object, by kind, worst first. */
import { push } from "../../engine/api/go/multi-map.ts";
import { compareText } from "../../engine/api/go/text-order.ts";
import { kindOfRef, nameOfRef, namespaceOfRef, type Ref } from "../../engine/api/meta.ts";
import { objectStatus } from "../../engine/explain/object-status.ts";
import {
  isOfDeployment,
  isOutcomeKind,
  listedName,
  type OutcomeKind,
  outcomeKinds,
} from "../../engine/explain/outcome-kinds.ts";
import { refusedText } from "../../engine/explain/refused-object.ts";
import { touchedObjects } from "../../engine/explain/touched-objects.ts";
import { isGood, type Place, type Verdict, verdictKinds } from "../../engine/explain/verdict.ts";
import type { RequestEntry } from "../../engine/trace/entry.ts";
import type { OutcomeGroup, OutcomeReply, OutcomeRow } from "../../protocol/messages.ts";
import { type OutcomeMark, outcomeMarks } from "../../protocol/outcome-words.ts";
import { visibleText } from "../../protocol/visible-text.ts";
import { escapedRef, escapeMarkdown } from "../markdown.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { namesItself } from "../prediction/print-ref.ts";
import { chainTexts, changeTexts, saidTexts } from "./explanation.ts";
import { isMadeUpName } from "./provisioned-name.ts";

/** More than anybody reads; the page can search for the others by name. */
const rowCountMax = 500;

const marks: readonly OutcomeMark[] = ["refused", ...verdictKinds];

/** The words for each bad outcome in a summary; good outcomes are not counted. */
const counted: Readonly<Partial<Record<OutcomeMark, string>>> = {
  refused: "refused",
  fails: "failing",
  stuck: "stuck",
  "depends-on-order": "depending on order",
  "waits-for-you": "waiting for you",
};

interface Listed {
  readonly ref: Ref;
  readonly kind: OutcomeKind;
  readonly name: string;
  readonly mark: OutcomeMark | undefined;
}

export function outcome(prediction: Prediction): OutcomeReply {
  const refs = listedRefs(prediction);
  const hasNamespaces = new Set(refs.map(namespaceOfRef).filter((name) => name !== "")).size > 1;
  const all = refs.map((ref) => listed(prediction, ref, hasNamespaces));
  const byKind = new Map<OutcomeKind, Listed[]>();
  for (const one of all) push(byKind, one.kind, one);
  return {
    trouble: troubleText(all),
    groups: outcomeKinds.flatMap((kind): readonly OutcomeGroup[] => {
      const own = byKind.get(kind) ?? [];
      if (own.length === 0) return [];
      own.sort((a, b) => rank(a) - rank(b) || compareText(a.name, b.name));
      const rows = own.slice(0, rowCountMax).map((one) => rowOf(prediction, one));
      return [{ kind, count: own.length, trouble: troubleText(own), rows }];
    }),
  };
}

/** Objects that exist at the end, or were refused. With an imported cluster, only those that the run has touched, if any. */
function listedRefs(prediction: Prediction): readonly Ref[] {
  const { facts, environment } = prediction;
  const there = [...facts.objects].flatMap(([ref, object]) =>
    isOutcomeKind(object.kind) && !isOfDeployment(object) ? [ref] : [],
  );
  const refused = [...facts.refused.keys()].filter(
    (ref) => !facts.objects.has(ref) && isOutcomeKind(kindOfRef(ref)) && nameOfRef(ref) !== "",
  );
  const all = [...there, ...refused];
  if (environment.imported === undefined) return all;
  const touched = touchedObjects(prediction.trace);
  const own = all.filter((ref) => touched.has(ref));
  return own.length === 0 ? all : own;
}

function listed({ facts, verdictOf }: Prediction, ref: Ref, hasNamespaces: boolean): Listed {
  const namespace = namespaceOfRef(ref);
  const label = listedName(ref, facts.objects.get(ref));
  return {
    ref,
    kind: kindOfRef(ref) as OutcomeKind,
    name: hasNamespaces && namespace !== "" ? `${namespace}/${label}` : label,
    mark: facts.refused.has(ref) ? "refused" : verdictOf.get(ref)?.kind,
  };
}

function rank({ mark }: Listed): number {
  return mark === undefined ? marks.length : marks.indexOf(mark);
}

function troubleText(all: readonly Listed[]): string {
  const counts = marks.flatMap((mark) => {
    const words = counted[mark];
    const count = words === undefined ? 0 : all.filter((one) => one.mark === mark).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return counts.join(", ");
}

function rowOf(prediction: Prediction, { ref, name, mark }: Listed): OutcomeRow {
  const { facts, verdictOf } = prediction;
  const verdict = verdictOf.get(ref);
  const refusal = facts.refused.get(ref);
  const headline = verdict?.headline ?? (refusal && refusedText);
  const subject = verdict !== undefined && namesItself(ref) ? "" : `${name} `;
  const text = headline === undefined ? name : subject + headline;
  return {
    ref,
    name: visibleText(name),
    ...(mark !== undefined && { mark }),
    state: visibleText(stateText(prediction, ref)),
    headline: visibleText(text),
    details: detailsOf(text, refusal, verdict),
    place: placeOf(ref, refusal, verdict),
  };
}

/** Returns Markdown. */
function detailsOf(
  headline: string,
  refusal: RequestEntry | undefined,
  verdict: Verdict | undefined,
): string {
  const parts = [`**${escapeMarkdown(headline)}**`];
  if (refusal?.message !== undefined) parts.push(escapeMarkdown(refusal.message));
  if (verdict !== undefined)
    parts.push(...saidTexts(verdict), ...chainTexts(verdict, escapedRef), ...changeTexts(verdict));
  return parts.join("\n\n");
}

function placeOf(ref: Ref, refusal: RequestEntry | undefined, verdict: Verdict | undefined): Place {
  const field = refusal?.causes?.[0]?.field;
  if (field !== undefined) return { ref, field };
  return verdict === undefined || isGood(verdict) ? { ref } : (verdict.root ?? { ref });
}

/** The object's phase and target; a generated volume name is not shown. */
function stateText({ facts, environment }: Prediction, ref: Ref): string {
  const object = facts.objects.get(ref);
  if (object === undefined) return outcomeMarks.refused.words;
  const { phase, target, targetRef } = objectStatus(object);
  if (targetRef === undefined) return phase;
  return `${phase} · ${isMadeUpName(environment, target) ? "a new volume" : target}`;
}
