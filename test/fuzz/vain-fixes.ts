/**
 * Checks that a verdict's fixes help: if the advised field is changed before anything is applied, the object's verdict must
 * change. Tried with only the first objects of a case, as if they were files that are applied.
 */
import { isDeepStrictEqual } from "node:util";
import { isNamespaced, type Kind, makeRef, type Ref } from "../../src/engine/api/meta.ts";
import { RunFacts } from "../../src/engine/explain/run-facts.ts";
import type { Fix, Verdict } from "../../src/engine/explain/verdict.ts";
import { isGood } from "../../src/engine/explain/verdict.ts";
import { verdicts } from "../../src/engine/explain/verdicts.ts";
import type { Manifest, Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { parseFieldPath } from "../../src/language-server/yaml/field-path.ts";
import type { Path } from "../../src/language-server/yaml/place.ts";
import { exhaust } from "../support/replay.ts";

/** A fix that can be applied automatically: it has a place and a value. */
type Edit = Required<Fix> & { readonly at: { readonly ref: Ref; readonly field: string } };

/** Sentences about fixes that change nothing; empty if there are none. */
export function vainFixes(scenario: Scenario): readonly string[] {
  const [first] = scenario.steps;
  if (first?.type !== "apply") return [];
  const alone = withManifests(scenario, scenario.cluster.manifests, first.manifests);
  const written = new Set([...scenario.cluster.manifests, ...first.manifests].map(refOfManifest));
  return verdicts(traceOf(alone)).flatMap((verdict) =>
    isGood(verdict)
      ? []
      : verdict.fixes
          .filter(isEdit)
          .filter(({ at }) => written.has(at.ref))
          .filter((fix) => isVain(verdict, fix, traceOf(edited(scenario, first.manifests, fix))))
          .map(({ text }) => `${verdict.ref} ${verdict.headline}: to ${text} changes nothing`),
  );
}

function isEdit(fix: Fix): fix is Edit {
  return fix.at?.field !== undefined && fix.value !== undefined;
}

function isVain(before: Verdict, { at }: Edit, trace: Trace): boolean {
  const after = verdicts(trace).find(({ ref }) => ref === before.ref);
  const isSame =
    after !== undefined &&
    after.headline === before.headline &&
    after.message === before.message &&
    isDeepStrictEqual(after.chain, before.chain);
  const changed = new RunFacts(trace).objects.get(at.ref);
  // A volume that was made to fit may have been bound to another claim that it fits as well.
  return isSame && !(changed?.kind === "PersistentVolume" && changed.spec.claimRef !== undefined);
}

function edited(scenario: Scenario, applied: readonly Manifest[], fix: Edit): Scenario {
  const change = (manifest: Manifest): Manifest =>
    refOfManifest(manifest) === fix.at.ref
      ? (withField(manifest, parseFieldPath(fix.at.field), fix.value) as Manifest)
      : manifest;
  return withManifests(scenario, scenario.cluster.manifests.map(change), applied.map(change));
}

function withManifests(
  { version, seed, cluster, limits }: Scenario,
  there: readonly Manifest[],
  applied: readonly Manifest[],
): Scenario {
  return {
    version,
    seed,
    ...(limits !== undefined && { limits }),
    cluster: { ...cluster, manifests: there },
    steps: [{ type: "apply", manifests: applied }, { type: "settle" }],
  };
}

function traceOf(scenario: Scenario): Trace {
  const simulation = new Simulation(scenario);
  exhaust(simulation.slices());
  return simulation.trace;
}

function refOfManifest({ kind, metadata }: Manifest): Ref {
  const { name, namespace = "default" } = metadata as { name: string; namespace?: string };
  return makeRef(kind as Kind, isNamespaced(kind as Kind) ? namespace : undefined, name);
}

/** A copy with another value at the path, or without the field if the value is null. */
function withField(value: unknown, path: Path, wanted: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return wanted;
  const isGone = rest.length === 0 && wanted === null;
  if (Array.isArray(value)) {
    const index = Number(segment);
    return isGone
      ? value.toSpliced(index, 1)
      : value.with(index, withField(value[index], rest, wanted));
  }
  const { [segment]: old, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isGone ? others : { ...others, [segment]: withField(old, rest, wanted) };
}
