/**
 * Where a new volume may be: the accessibility_requirements of CreateVolume. Upstream: external-provisioner v6.3
 * pkg/controller/topology.go GenerateAccessibilityRequirements.
 */
import { fnv32 } from "../../api/go/fnv.ts";
import { goPrint, goQuote } from "../../api/go/text.ts";
import { compareText } from "../../api/go/text-order.ts";
import type { CSINode, Node, TopologySelectorTerm } from "../../api/types.ts";
import type { Topology, TopologyRequirement } from "../../csi/messages.ts";

export interface TopologyView {
  csiNode(name: string): CSINode | undefined;
  csiNodes(): readonly CSINode[];
  node(name: string): Node | undefined;
  /** `nodeTerms` of all nodes. */
  terms(keys: readonly string[]): readonly Term[];
}

/**
 * What earlier attempts for the same claim have found; used again even if another node is selected now.
 * Upstream: cache.go TopologyInfo; labels that lacked a key are read again (pull request 1485).
 */
export interface ClaimTopology {
  keys?: readonly string[] | undefined;
  /** The term of the node that was selected first. */
  selected?: Term | undefined;
  terms?: readonly Term[] | undefined;
}

/** What claim, class and flags say about the place. */
export interface TopologyQuestion {
  readonly driver: string;
  readonly claimName: string;
  readonly allowedTopologies: readonly TopologySelectorTerm[];
  readonly selectedNode: string | undefined;
  readonly isStrict: boolean;
  /** If false, only allowedTopologies count while no node is selected. */
  readonly isImmediate: boolean;
  /** Before 6.0 the error about a missing label listed the Node's labels. */
  readonly tellsLabels: boolean;
}

export type TopologyAnswer =
  | { readonly ok: true; readonly requirement: TopologyRequirement | undefined }
  /** `nodeGone`: the selected node has no CSINode any more, so the scheduler has to choose again. */
  | { readonly ok: false; readonly nodeGone: boolean; readonly error: string };

/** One value for each topology key, sorted by key. */
export type Term = readonly (readonly [key: string, value: string])[];

export function topologyRequirement(
  view: TopologyView,
  known: ClaimTopology,
  question: TopologyQuestion,
): TopologyAnswer {
  const { claimName, allowedTopologies, selectedNode, isStrict, isImmediate } = question;
  let selected: Term | undefined;
  if (selectedNode !== undefined) {
    const found = selectedTerm(view, known, question, selectedNode);
    if (!found.ok) return found;
    selected = found.term;
  }
  if (selected !== undefined && isStrict) return strictRequirement(question, selected);
  if (selected === undefined && !isImmediate && allowedTopologies.length === 0) {
    return { ok: true, requirement: undefined };
  }
  const requisite = requisiteTerms(view, known, question);
  if (typeof requisite === "string") return failed(requisite);
  if (requisite.length === 0) return { ok: true, requirement: undefined };
  if (selected === undefined || selectedNode === undefined) {
    const offset = spreadOffset(claimName, requisite.length);
    return { ok: true, requirement: requirementOf(requisite, offset) };
  }
  const lead = selected;
  const first = requisite.findIndex((term) => isSubset(term, lead));
  if (first >= 0) return { ok: true, requirement: requirementOf(requisite, first) };
  const node = goQuote(selectedNode);
  return failed(
    `topology ${termText(lead)} from selected node ${node} is not in requisite: ${termsText(requisite)}`,
  );
}

function strictRequirement(question: TopologyQuestion, selected: Term): TopologyAnswer {
  const { allowedTopologies } = question;
  const allowed = allowedTerms(allowedTopologies);
  if (typeof allowed === "string") return failed(allowed);
  if (allowedTopologies.length > 0 && !allowed.some((term) => isSubset(term, selected))) {
    const node = goQuote(question.selectedNode ?? "");
    return failed(
      `selected node '${node}' topology '${termText(selected)}' is not in allowed topologies: ${termsText(allowed)}`,
    );
  }
  return { ok: true, requirement: requirementOf([selected], 0) };
}

function failed(error: string): TopologyAnswer {
  return {
    ok: false,
    nodeGone: false,
    error: `error generating accessibility requirements: ${error}`,
  };
}

/** Shared by terms and index of the preferred one: thousands of claims need the same, and the trace keeps each request. */
const requirements = new WeakMap<readonly Term[], Map<number, TopologyRequirement>>();

function requirementOf(requisite: readonly Term[], first: number): TopologyRequirement {
  const known = requirements.get(requisite) ?? new Map<number, TopologyRequirement>();
  requirements.set(requisite, known);
  let requirement = known.get(first);
  if (requirement === undefined) {
    const topologies = requisite.map((term): Topology => ({ segments: Object.fromEntries(term) }));
    const preferred = [...topologies.slice(first), ...topologies.slice(0, first)];
    requirement = { requisite: topologies, preferred };
    known.set(first, requirement);
  }
  return requirement;
}

/** The driver's topology keys on the node; undefined if there are none. */
function keysOf(csiNode: CSINode | undefined, driver: string): readonly string[] | undefined {
  const keys = csiNode?.spec.drivers.find((d) => d.name === driver)?.topologyKeys ?? [];
  return keys.length > 0 ? keys : undefined;
}

function selectedTerm(
  view: TopologyView,
  known: ClaimTopology,
  { driver, tellsLabels }: TopologyQuestion,
  name: string,
): { readonly ok: true; readonly term: Term } | Extract<TopologyAnswer, { ok: false }> {
  const refuse = (error: string): Extract<TopologyAnswer, { ok: false }> => ({
    ok: false,
    nodeGone: false,
    error: `error generating accessibility requirements: ${error}`,
  });
  const csiNode = view.csiNode(name);
  if (known.keys === undefined && csiNode === undefined) {
    const error = `failed to get selected CSINode ${name}: csinode.storage.k8s.io ${goQuote(name)} not found`;
    return { ok: false, nodeGone: true, error };
  }
  known.keys ??= keysOf(csiNode, driver);
  const { keys } = known;
  if (keys === undefined) return refuse(`no topology key found for node ${name}`);
  const labels = view.node(name)?.metadata.labels ?? {};
  known.selected ??= termOf(keys, labels);
  if (known.selected !== undefined) return { ok: true, term: known.selected };
  // From 6.0 on, upstream's extractTopologyTerm returns no labels if one is missing, so the error lists none.
  const told = tellsLabels ? goPrint(labels) : goPrint({});
  return refuse(
    `topology labels from selected node ${told} does not match topology keys from CSINode [${keys.join(" ")}]`,
  );
}

/** The labels' values for the keys; undefined if one is missing. */
function termOf(
  keys: readonly string[],
  labels: Readonly<Record<string, string>> | undefined,
): Term | undefined {
  const term: [string, string][] = [];
  for (const key of keys) {
    if (labels === undefined || !Object.hasOwn(labels, key)) return undefined;
    term.push([key, labels[key] ?? ""]);
  }
  return sortedTerm(term);
}

/** The terms where the volume may be, sorted and unique, or an error. */
function requisiteTerms(
  view: TopologyView,
  known: ClaimTopology,
  { driver, allowedTopologies }: TopologyQuestion,
): readonly Term[] | string {
  if (allowedTopologies.length > 0) {
    const allowed = allowedTerms(allowedTopologies);
    return typeof allowed === "string" ? allowed : sortedUnique(allowed);
  }
  known.keys ??= anyKeys(view, driver);
  const { keys } = known;
  if (keys === undefined) return "no available topology found";
  const terms = known.terms ?? view.terms(keys);
  if (terms.length === 0) return `topologyKeys [${keys.join(" ")}] were not found on any nodes`;
  known.terms = terms;
  return terms;
}

/** The distinct terms of the nodes that have all keys, sorted. */
export function nodeTerms(keys: readonly string[], nodes: readonly Node[]): readonly Term[] {
  const terms = new Map<string, Term>();
  for (const node of nodes) {
    const term = termOf(keys, node.metadata.labels);
    if (term !== undefined) terms.set(termText(term), term);
  }
  return sortedUnique([...terms.values()]);
}

/** Upstream takes the keys of a random node; all nodes of a driver are expected to have the same. */
function anyKeys(view: TopologyView, driver: string): readonly string[] | undefined {
  for (const csiNode of view.csiNodes()) {
    const keys = keysOf(csiNode, driver);
    if (keys !== undefined) return keys;
  }
  return undefined;
}

/** More than fit into one call to a driver. */
const termCountMax = 20_000;

/** Returns an error if there are too many. Its text is our own: upstream's sidecar runs out of memory. */
function allowedTerms(allowed: readonly TopologySelectorTerm[]): readonly Term[] | string {
  let count = 0;
  for (const { matchLabelExpressions = [] } of allowed)
    count += matchLabelExpressions.reduce((product, { values }) => product * values.length, 1);
  return count > termCountMax
    ? `allowedTopologies name ${count} places, more than one call can hold`
    : allowed.flatMap(flatten);
}

/** The cross product of a term's values; empty for a term without keys. */
function flatten({ matchLabelExpressions = [] }: TopologySelectorTerm): readonly Term[] {
  if (matchLabelExpressions.length === 0) return [];
  let terms: Term[] = [[]];
  for (const { key, values } of matchLabelExpressions) {
    terms = values.flatMap((value) => terms.map((t): Term => [...t, [key, value]]));
  }
  return terms.map(sortedTerm);
}

function sortedTerm(term: Term): Term {
  return [...term].sort(([a, x], [b, y]) => compareText(a, b) || compareText(x, y));
}

function compareTerms(a: Term, b: Term): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [i, [key, value]] of a.entries()) {
    const [otherKey = "", otherValue = ""] = b[i] ?? [];
    const order = compareText(key, otherKey) || compareText(value, otherValue);
    if (order !== 0) return order;
  }
  return 0;
}

function sortedUnique(terms: readonly Term[]): readonly Term[] {
  const sorted = [...terms].sort(compareTerms);
  return sorted.filter((term, i) => {
    const before = sorted[i - 1];
    return before === undefined || compareTerms(before, term) !== 0;
  });
}

function isSubset(term: Term, of: Term): boolean {
  return term.every(([key, value]) => of.some(([k, v]) => k === key && v === value));
}

function termsText(terms: readonly Term[]): string {
  return `[${terms.map(termText).join(" ")}]`;
}

/** As Go prints a slice of segments. */
function termText(term: Term): string {
  return `[${term.map(([key, value]) => `{${key} ${value}}`).join(" ")}]`;
}

/** Distributes the claims of a StatefulSet over the segments by ordinal. Upstream: getPVCNameHashAndIndexOffset. */
export function spreadOffset(claimName: string, count: number): number {
  const lastDash = claimName.lastIndexOf("-");
  const ordinal = lastDash < 0 ? "" : claimName.slice(lastDash + 1);
  const index = /^[0-9]+$/.test(ordinal) ? Number(ordinal) : Number.NaN;
  if (!(index <= 0xffffffff)) return fnv32(claimName) % count;
  const base = claimName.slice(0, lastDash);
  const hash = fnv32(base.slice(base.lastIndexOf("-") + 1));
  return ((hash + index) >>> 0) % count;
}
