/**
 * Random scenarios: objects, moves that disturb them, crashes and conflicts, watches that are late and out of step; then all
 * faults are healed, and the cluster is left alone.
 */
import fc from "fast-check";
import type { Manifest, ObjectName, Scenario, Step } from "../../src/engine/scenario.ts";
import { arbitraryCluster, drivers } from "./arbitrary-cluster.ts";
import { arbitraryMove, type Move } from "./arbitrary-move.ts";
import { arbitraryObjects } from "./arbitrary-objects.ts";
import { batchMove, batchObjects } from "./batch-objects.ts";
import { KnownObjects } from "./known-objects.ts";
import { widerObjects } from "./wider-objects.ts";

/** A fault at the nth write of all components together after the cluster has booted. */
export interface WriteFault {
  readonly write: number;
  readonly fault: "crash" | "conflict";
}

export interface FuzzCase {
  readonly scenario: Scenario;
  readonly writeFaults: readonly WriteFault[];
  /** The index of the first step after the disturbances. */
  readonly healingStep: number;
}

/** Longer than any back-off of a call that would succeed by now. */
const quietMs = 400_000;

const watchDelayMsMax = 20_000;
/** The resizer's resync period, after which it looks again at what it saw too early. */
const resyncMs = 600_000;

/** A hundred times the usual number: a run with that many events is in an endless loop. */
const eventCountMax = 200_000;
/** Until it notices that its Deployment is gone, a controller recreates without a pause what the garbage collector deletes. */
const lateEventCountMax = 2_000_000;

const writeFaults: fc.Arbitrary<readonly WriteFault[]> = fc.uniqueArray(
  fc.record({
    write: fc.integer({ min: 1, max: 120 }),
    fault: fc.constantFrom("crash" as const, "conflict" as const),
  }),
  { selector: ({ write }) => write, maxLength: 4, size: "max" },
);

/** Lists that are mostly tiny, so that many different scenarios can be run in little time, and sometimes longer. */
const many = <T>(
  one: fc.Arbitrary<T>,
  sizes: readonly [number, number, number],
): fc.Arbitrary<T[]> =>
  fc.oneof(
    ...sizes.map((maxLength, i) => ({
      arbitrary: fc.array(one, { minLength: 1, maxLength, size: "max" as const }),
      weight: [5, 4, 1][i] ?? 1,
    })),
  );

const promptCase = (
  objects: fc.Arbitrary<readonly Manifest[]>,
  move: fc.Arbitrary<Move> = arbitraryMove(objects),
): fc.Arbitrary<FuzzCase> =>
  fc
    .record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      choice: arbitraryCluster,
      first: many(objects, [2, 4, 8]),
      moves: many(move, [3, 8, 16]),
      writeFaults: fc.oneof(fc.constant([]), writeFaults),
    })
    .map(({ seed, choice: { version, cluster }, first, moves, writeFaults: faults }) => {
      const nodes = cluster.nodes.map(({ name }) => name);
      const disturbed = stepsOf(nodes, first.flat(), moves);
      const healed = [...disturbed, ...healing(nodes, disturbed)];
      const steps: Step[] = [...healed, { type: "settle", quietMs, limitMs: 7_200_000 }];
      const scenario = { version, seed, cluster, steps, limits: { eventCountMax } };
      return { scenario, writeFaults: faults, healingStep: disturbed.length };
    });

/** The case with late watches. It waits for pending watch events before the healing, so that restarted components see them. */
const late = ({ scenario, healingStep, ...rest }: FuzzCase): FuzzCase => {
  const steps: readonly Step[] = [
    ...scenario.steps.slice(0, healingStep),
    { type: "advance", ms: watchDelayMsMax },
    ...scenario.steps.slice(healingStep, -1),
    { type: "advance", ms: resyncMs },
    ...scenario.steps.slice(-1),
  ];
  const lateWatches = { delayMsMax: watchDelayMsMax };
  const limits = { eventCountMax: lateEventCountMax };
  return { ...rest, healingStep, scenario: { ...scenario, steps, limits, lateWatches } };
};

const usualCase = promptCase(arbitraryObjects);
const widerCase = promptCase(widerObjects);
const batchCase = promptCase(
  batchObjects,
  fc.oneof(
    { arbitrary: arbitraryMove(batchObjects), weight: 2 },
    { arbitrary: batchMove, weight: 1 },
  ),
);

/**
 * One seed in three has late watches, one in seven has rarer objects, one in 17 is about Jobs. The seed itself decides that,
 * not a random choice, so that adding a sort of case did not change what the other seeds mean.
 */
export function arbitraryCase(seed: number): fc.Arbitrary<FuzzCase> {
  const prompt = seed % 17 === 5 ? batchCase : seed % 7 === 4 ? widerCase : usualCase;
  return seed % 3 === 2 ? prompt.map(late) : prompt;
}

function stepsOf(
  nodes: readonly string[],
  first: readonly Manifest[],
  moves: readonly Move[],
): Step[] {
  const known = new KnownObjects(nodes);
  known.add(first);
  const steps: Step[] = [{ type: "apply", manifests: first }];
  for (const move of moves) steps.push(...move(known));
  return steps;
}

/**
 * Steps that end the faults: drivers answer, nodes run and are registered, no node is tainted. What was not disturbed is not
 * restarted, as a restart would also hide bugs where a component has forgotten something.
 */
function healing(nodes: readonly string[], steps: readonly Step[]): Step[] {
  const has = (isSo: (step: Step) => boolean): boolean => steps.some(isSo);
  return [
    ...drivers.flatMap((name): Step[] => [
      { type: "fault", fault: { driver: name, clear: true } },
      ...(has((s) => s.type === "driver" && s.name === name && s.controller === "down")
        ? [{ type: "driver", name, controller: "up" } as const]
        : []),
      ...nodes
        .filter((node) => has((s) => s.type === "driver" && s.name === name && s.nodeName === node))
        .map((nodeName): Step => ({ type: "driver", name, node: "up", nodeName })),
    ]),
    ...nodes.flatMap((name): Step[] => {
      // A kubelet registers its node only when it starts.
      const isGone = has((s) => s.type === "delete" && s.objects.some((o) => isNode(o, name)));
      const isTainted = has((s) => s.type === "patch" && isNode(s.object, name));
      return [
        ...(isGone || has((s) => s.type === "node" && s.name === name)
          ? [{ type: "node", name, kubelet: isGone ? "restart" : "up" } as const]
          : []),
        ...(isTainted
          ? [{ type: "patch", object: { kind: "Node", name }, patch: withoutTaints } as const]
          : []),
      ];
    }),
  ];
}

const withoutTaints = { spec: { taints: null } };

function isNode(object: ObjectName, name: string): boolean {
  return object.kind === "Node" && object.name === name;
}
