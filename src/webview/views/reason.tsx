/** Why the selected object is as it is: the verdict, the chain to the root cause, the candidates, the fixes. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { ruleWords } from "../../engine/explain/rule-words.ts";
import { dueText, type Fix, type Link, type Verdict } from "../../engine/explain/verdict.ts";
import type { Candidate } from "../../engine/trace/decision.ts";
import type { PageState } from "../state.ts";
import { RefLink } from "./ref-link.tsx";
import { VerdictMark } from "./verdict-mark.tsx";
import { hasShortWords, Words } from "./words.tsx";

interface Properties {
  readonly state: PageState;
  readonly verdict: Verdict;
}

export function Reason({ state, verdict }: Properties): JSX.Element {
  const due = dueText(verdict);
  const [first, ...causes] = verdict.chain;
  const isTold = first?.ref === verdict.ref && first.text === verdict.headline;
  return (
    <section id="reason" aria-label={t("Reason")}>
      <h3>{t("Why")}</h3>
      <p class="headline">
        <VerdictMark kind={verdict.kind} /> {verdict.headline}
      </p>
      {verdict.message === undefined ? null : (
        <blockquote>
          {verdict.reason === undefined ? null : <strong>{verdict.reason}: </strong>}
          {verdict.message}
        </blockquote>
      )}
      {due === undefined ? null : <p>{due}</p>}
      {causes.length > 0 ? <Chain state={state} chain={isTold ? causes : verdict.chain} /> : null}
      <Candidates state={state} verdict={verdict} />
      {verdict.fixes.length === 0 ? null : <Fixes state={state} fixes={verdict.fixes} />}
    </section>
  );
}

function Chain(properties: {
  readonly state: PageState;
  readonly chain: readonly Link[];
}): JSX.Element {
  const { state, chain } = properties;
  return (
    <ol class="chain">
      {chain.map((link) => (
        <li key={link.ref}>
          <RefLink state={state} target={link.ref} /> {link.text}
        </li>
      ))}
    </ol>
  );
}

function Candidates({ state, verdict }: Properties): JSX.Element | null {
  const { candidates, candidateCount } = verdict;
  if (candidates.length === 0) return null;
  return (
    <>
      <h3>{t("Candidates")}</h3>
      <table class="rows" id="candidates">
        <caption class="hidden">{t("What was considered, nearest misses first")}</caption>
        <thead>
          <tr class="group">
            <th scope="col">{t("Candidate")}</th>
            <th scope="col">{t("Rule")}</th>
            <th scope="col">{t("Wanted")}</th>
            <th scope="col">{t("Found")}</th>
          </tr>
        </thead>
        <tbody>
          {candidates.map((candidate) => (
            <CandidateRows key={candidate.ref} state={state} candidate={candidate} />
          ))}
        </tbody>
      </table>
      {candidateCount > candidates.length ? (
        <p class="dim">{t("and {0} more", candidateCount - candidates.length)}</p>
      ) : null}
    </>
  );
}

function CandidateRows(properties: {
  readonly state: PageState;
  readonly candidate: Candidate;
}): JSX.Element {
  const { state, candidate } = properties;
  const link = <RefLink state={state} target={candidate.ref} />;
  if (candidate.failed.length === 0) {
    return (
      <tr>
        <td>{link}</td>
        <td colSpan={3}>{t("fits")}</td>
      </tr>
    );
  }
  return (
    <>
      {candidate.failed.map((rule, i) => (
        <tr key={`${rule.rule} ${rule.wanted} ${rule.found}`}>
          <td>{i === 0 ? link : null}</td>
          <td class="word" title={rule.rule}>
            {ruleWords(rule.rule)}
          </td>
          <ValueCell text={rule.wanted} />
          <ValueCell text={rule.found} />
        </tr>
      ))}
    </>
  );
}

function ValueCell({ text }: { readonly text: string }): JSX.Element {
  return (
    <td class={hasShortWords(text) ? "word" : ""}>
      {text === "" ? <span class="dim">{t("none")}</span> : <Words text={text} />}
    </td>
  );
}

function Fixes(properties: {
  readonly state: PageState;
  readonly fixes: readonly Fix[];
}): JSX.Element {
  const { state, fixes } = properties;
  return (
    <>
      <h3>{t("What Would Help")}</h3>
      <ul id="fixes">
        {fixes.map((fix) => (
          <li key={`${fix.text} ${fix.at?.ref ?? ""} ${fix.at?.field ?? ""}`}>
            {fix.text} <FixPlace state={state} fix={fix} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A link to the object's file, if it has one. */
function FixPlace(properties: {
  readonly state: PageState;
  readonly fix: Fix;
}): JSX.Element | null {
  const { state, fix } = properties;
  const place = fix.at;
  if (place === undefined || !state.isWritten(place.ref)) return null;
  return (
    <button type="button" class="link" onClick={() => state.reveal(place.ref, place.field)}>
      {t("Open YAML")}
    </button>
  );
}
