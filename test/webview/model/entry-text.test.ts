import { strict as assert } from "node:assert";
import type { TraceEntry } from "../../../src/engine/trace/entry.ts";
import { entryRef, entryText } from "../../../src/webview/model/entry-text.ts";

const claim = "PersistentVolumeClaim/default/data";
const common = { seq: 1, at: 0, actor: "external-provisioner d.csi" } as const;

suite("the line of an entry", () => {
  const call = { ...common, type: "call", id: 1, driver: "d.csi", request: {} } as const;
  const lines: readonly (readonly [TraceEntry, string, string?])[] = [
    [{ ...call, node: "", call: "CreateVolume" }, "calls CreateVolume of d.csi"],
    [{ ...call, node: "n1", call: "NodeStageVolume" }, "calls NodeStageVolume of d.csi on n1"],
    [{ ...common, type: "answer", id: 1, code: "OK", message: "" }, "gets the driver's answer: OK"],
    [
      { ...common, type: "answer", id: 1, code: "Internal", message: "no room" },
      "gets the driver's answer: Internal no room",
    ],
    [
      {
        ...common,
        ...{ type: "refused", verb: "update", ref: claim },
        error: { code: 409, reason: "Conflict", message: "the object has been modified" },
      },
      "could not update PersistentVolumeClaim default/data: the object has been modified",
      "could not update it: the object has been modified",
    ],
    [
      {
        ...common,
        ...{ type: "decision", about: claim },
        decision: { reason: "no volume fits", candidates: [] },
      },
      "decides on PersistentVolumeClaim default/data: no volume fits",
      "decides: no volume fits",
    ],
    [{ ...common, type: "limit", limit: "events", message: "Too much" }, "Too much"],
    [{ ...common, type: "lifecycle", what: "kubelet n1", state: "down" }, "kubelet n1: down"],
  ];

  test("says who did what, and calls the object whose history it is “it”", () => {
    for (const [entry, text, ofIt = text] of lines) {
      assert.equal(entryText(entry), text);
      assert.equal(entryText(entry, claim), ofIt);
    }
  });

  test("leads to the object that it is about, if there is one", () => {
    for (const [entry] of lines) {
      const isAbout = entry.type === "refused" || entry.type === "decision";
      assert.equal(entryRef(entry), isAbout ? claim : undefined, entry.type);
    }
  });
});
