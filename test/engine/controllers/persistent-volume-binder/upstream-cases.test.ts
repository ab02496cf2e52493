/** Upstream's unit cases, each as written and then as a whole run with a fault at every write. */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import type { Fault } from "../../../support/fault.ts";
import { claimFacts, volumeFacts } from "./case-objects.ts";
import { byName, type CaseRun, runOneSync, runWholeController } from "./case-run.ts";
import { setUps } from "./case-set-ups.ts";
import { readCases, type UpstreamCase } from "./case-table.ts";

const cases = readCases();

/** Upstream's table holds with the attributes-class gate on and off, hence in both of these versions. */
function versionsOf({ id }: UpstreamCase): readonly KubernetesVersion[] {
  const both = /^(1|2|3|4|13)-/.test(id) && id !== "2-11" && id !== "2-12";
  return setUps[id]?.versions ?? (both ? ["1.36", "1.33"] : ["1.36"]);
}

function facts({ volumes, claims }: CaseRun): {
  volumes: readonly unknown[];
  claims: readonly unknown[];
} {
  return { volumes, claims };
}

suite("persistent volume binder: upstream's cases", () => {
  test("are all there", () => assert.equal(cases.length, 152));

  for (const upstream of cases) {
    test(upstream.title, () => {
      const setUp = setUps[upstream.id] ?? {};
      for (const version of versionsOf(upstream)) {
        const whole = upstream.how === "whole controller";
        const run = whole
          ? runWholeController(upstream, setUp, version)
          : runOneSync(upstream, setUp, version);
        assert.deepEqual(facts(run), {
          volumes: byName(upstream.volumesAfter).map(volumeFacts),
          claims: byName(upstream.claimsAfter).map(claimFacts),
        });
        const expected = upstream.events.map(({ text }) => text);
        assert.deepEqual(
          run.events.map(({ text }) => text),
          expected,
        );
        for (const [i, { about }] of upstream.events.entries()) {
          if (about !== undefined) assert.equal(run.events[i]?.about, about);
        }
        if (!whole) assert.equal(run.end?.type === "failed", setUp.fails === true);
      }
    });
  }
});

type Compare = (run: CaseRun) => unknown;

function withoutAnnotations(run: CaseRun): unknown {
  return run.claims.map((claim) => ({ ...(claim as object), annotations: undefined }));
}

/** For cases in which a fault may rightly change the end: what is compared instead. */
const otherEnds: Readonly<Record<string, { readonly because: string; readonly compare: Compare }>> =
  {
    "1-17": {
      because: "which of two equal volumes is Available when the controller comes back",
      compare: (run) => run.volumes.map((volume) => (volume as { phase: string }).phase).toSorted(),
    },
    "12-2": {
      because: "the volume comes before the failed operation may be tried again",
      compare: withoutAnnotations,
    },
    "12-4": {
      because: "the volume comes before the failed operation may be tried again",
      compare: withoutAnnotations,
    },
  };

suite("persistent volume binder: a fault at every write leads to the same end", () => {
  for (const upstream of cases) {
    const other = otherEnds[upstream.id];
    const compare = other?.compare ?? facts;
    test(other === undefined ? upstream.id : `${upstream.id}, but for ${other.because}`, () => {
      const setUp = setUps[upstream.id] ?? {};
      const run = (fault?: Fault): CaseRun =>
        runWholeController(upstream, setUp, "1.36", { ...(fault && { fault }), endless: true });
      const plain = run();
      for (const fault of plain.faults) {
        assert.deepEqual(compare(run(fault)), compare(plain), JSON.stringify(fault));
      }
    });
  }
});
