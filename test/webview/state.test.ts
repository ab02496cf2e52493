/** What the simulation page does if a run fails: its engine has a bug or cannot run at all. */
import assert from "node:assert/strict";
import { Simulation } from "../../src/engine/simulation.ts";
import { traceHash } from "../../src/engine/trace/hash.ts";
import type { ScenarioReply } from "../../src/protocol/messages.ts";
import { pageProtocolVersion } from "../../src/protocol/page-messages.ts";
import type { ToEngine } from "../../src/webview/engine-messages.ts";
import { Reading } from "../../src/webview/model/reading.ts";
import type { PageState } from "../../src/webview/state.ts";
import { claim, fast, manifests, oneNode } from "../support/storage-run.ts";
import { givePageApi, pageApi } from "./page-api.ts";

const reply: ScenarioReply = {
  environment: {
    id: "a",
    name: "a",
    folder: "file:///a",
    profile: "kind",
    profileFrom: "default",
    profileTitle: "kind",
    kubernetesVersion: "1.36",
    objectCount: 1,
    unreadableCount: 0,
    revision: 1,
  },
  scenario: {
    version: "1.36",
    seed: 1,
    cluster: { name: "test", nodes: oneNode, drivers: [], manifests: manifests(fast) },
    steps: [{ type: "apply", manifests: manifests(claim) }, { type: "settle" }],
  },
  sources: [],
};

suite("a run of the simulation page that fails", () => {
  let state: PageState;
  let runs: Extract<ToEngine, { type: "simulate" }>[];
  const step = { type: "advance", ms: 600_000 } as const;

  setup(async () => {
    givePageApi();
    const page = await import("../../src/webview/state.ts");
    runs = [];
    state = new page.PageState((message) => {
      if (message.type === "simulate") runs.push(message);
    });
    const environments = [reply.environment];
    state.receive({ type: "scenario", version: pageProtocolVersion, reply, environments });
    end();
    state.act(step);
  });

  const run = (): number => runs.at(-1)?.run ?? 0;

  function end(): void {
    const scenario = runs.at(-1)?.scenario;
    assert.ok(scenario !== undefined);
    const trace = new Simulation(scenario).run();
    const { summary } = new Reading(trace, traceHash(trace.entries), undefined);
    state.receiveFromEngine({ type: "done", run: run(), summary });
  }

  test("is reported, and keeps the steps, which may be the reason", () => {
    state.receiveFromEngine({ type: "failed", run: run(), text: "no such thing" });
    assert.deepEqual(state.stage.value, {
      type: "failed",
      text: "no such thing",
      canRunAgain: true,
    });
    assert.deepEqual(state.steps.value, [step]);
    assert.equal(pageApi.told.at(-1)?.type, "failed");
  });

  test("is replaced by a good one when its step is taken back", () => {
    state.receiveFromEngine({ type: "failed", run: run(), text: "no such thing" });
    state.takeBack(0);
    assert.deepEqual(runs.at(-1)?.scenario, runs[0]?.scenario);
    end();
    assert.equal(state.stage.value.type, "shown");
    assert.deepEqual(state.steps.value, []);
  });

  test("cannot be repeated if the engine itself is gone", () => {
    state.giveUp("no memory");
    assert.deepEqual(state.stage.value, { type: "failed", text: "no memory", canRunAgain: false });
  });
});
