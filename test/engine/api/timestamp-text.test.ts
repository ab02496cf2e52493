import assert from "node:assert/strict";
import { create, field, refusal } from "./answer.ts";

const node = (timeAdded: string): string => `
apiVersion: v1
kind: Node
metadata: { name: n }
spec: { taints: [{ key: k, effect: NoExecute, timeAdded: "${timeAdded}" }] }`;

suite("Timestamps", () => {
  for (const [written, stored] of [
    ["2026-02-03T04:05:06Z", "2026-02-03T04:05:06Z"],
    ["2026-02-03T4:05:06Z", "2026-02-03T04:05:06Z"],
    ["2026-02-03T04:05:06.999Z", "2026-02-03T04:05:06Z"],
    ["2026-02-03T04:05:06,5+02:00", "2026-02-03T02:05:06Z"],
    ["2025-12-31T23:30:00-05:30", "2026-01-01T05:00:00Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["0001-02-03T04:05:06Z", "0001-02-03T04:05:06Z"],
    ["2026-01-02T12:00:00+24:60", "2026-01-01T11:00:00Z"],
  ] as const) {
    test(`${written} is stored in UTC and in full seconds`, () => {
      assert.equal(field(create(node(written)), "spec.taints.0.timeAdded"), stored);
    });
  }

  const layout = "2006-01-02T15:04:05Z07:00";
  for (const [written, complaint] of [
    ["today", ` as "${layout}": cannot parse "today" as "2006"`],
    ["2026-2-03T04:05:06Z", ` as "${layout}": cannot parse "2-03T04:05:06Z" as "01"`],
    ["2026-02-03 04:05:06Z", ` as "${layout}": cannot parse " 04:05:06Z" as "T"`],
    ["2026-02-03T04:05:06", ` as "${layout}": cannot parse "" as "Z07:00"`],
    ["2026-13-99", ": month out of range"],
    ["2026-02-30T04:05:06Z", ": day out of range"],
    ["2026-02-03T24:00:00Z", ": hour out of range"],
    ["2026-02-03T04:60:00Z", ": minute out of range"],
    ["2026-02-03T04:05:60Z", ": second out of range"],
    ["2026-02-03T04:05:06+25:00", ": time zone offset hour out of range"],
    ["2026-02-03T04:05:06+00:61", ": time zone offset minute out of range"],
    ["2026-02-30T04:05:06Zulu", ': extra text: "ulu"'],
  ] as const) {
    test(`${written} is invalid`, () => {
      assert.equal(
        refusal(create(node(written))),
        `Node in version "v1" cannot be handled as a Node: parsing time "${written}"${complaint}`,
      );
    });
  }

  test("an invalid one is shown byte by byte beyond ASCII, with U+FFFD for half a surrogate pair", () => {
    const today = "\\xc3\\xa9\\x00\\xef\\xbf\\xbd\\\\";
    assert.equal(
      refusal(create(node("\u00e9\\0\\ud800\\\\"))),
      `Node in version "v1" cannot be handled as a Node: parsing time "${today}" as "${layout}": cannot parse "${today}" as "2006"`,
    );
  });
});
