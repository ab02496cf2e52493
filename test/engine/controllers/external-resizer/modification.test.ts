/** Changes of a volume's attributes, as in external-resizer pkg/modifycontroller. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, StorageRun } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";
const attributes = (name: string): string => `
  kind: VolumeAttributesClass
  metadata: { name: ${name} }
  driverName: d.csi
  parameters: { iops: "${name.length}000" }
`;
const bound = (): StorageRun =>
  new StorageRun({ driver: { modify: true } })
    .apply(attributes("gold"))
    .apply(attributes("silver"))
    .apply(claim)
    .settle()
    .mark();
const wish = (run: StorageRun, name: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: name } });
const status = (run: StorageRun) => run.get("PersistentVolumeClaim", "data")?.status;

suite("volume modification", () => {
  test("the volume's class changes before the claim's", () => {
    const run = wish(bound(), "gold").settle();
    assert.deepEqual(run.calls, ["ControllerModifyVolume OK"]);
    assert.deepEqual(run.events(about), [
      "Normal VolumeModify external resizer is modifying volume data with vac gold",
      "Normal VolumeModifySuccessful external resizer modified volume data with vac gold successfully",
    ]);
    assert.equal(run.list("PersistentVolume")[0]?.spec.volumeAttributesClassName, "gold");
    assert.equal(status(run)?.currentVolumeAttributesClassName, "gold");
    assert.deepEqual(
      [status(run)?.modifyVolumeStatus, status(run)?.conditions],
      [undefined, undefined],
    );
  });

  test("a volume of another driver is not modified", () => {
    const run = new StorageRun({ driver: { modify: true } }).apply(attributes("gold")).apply(`
      kind: PersistentVolume
      metadata: { name: theirs }
      spec: { storageClassName: fast, csi: { driver: e.csi, volumeHandle: h } }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, volumeName: theirs }
    `);
    wish(run.settle(), "gold").settle();
    assert.deepEqual(run.writes("external-resizer d.csi"), []);
  });

  test("a request that is withdrawn while it is in progress is completed", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Internal", times: 3 });
    wish(run, "gold").advance(2);
    run.patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: null } });
    run.settle();
    assert.equal(status(run)?.currentVolumeAttributesClassName, "gold");
    assert.equal(run.list("PersistentVolume")[0]?.spec.volumeAttributesClassName, "gold");
  });

  test("after a restart, the modification in progress is finished before a new one", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Internal", times: 0 });
    wish(run, "gold").advance(2).step({ type: "driver", name: "d.csi", controller: "down" });
    wish(run, "silver").fault("ControllerModifyVolume", { clear: true }).mark();
    run.step({ type: "driver", name: "d.csi", controller: "up" }).settle();
    assert.deepEqual(
      run.requests("ControllerModifyVolume").map((r) => r["mutable_parameters"]),
      [{ iops: "4000" }, { iops: "6000" }],
    );
  });

  test("a missing class is reported, and the claim not retried", () => {
    const run = wish(bound(), "bronze").settle();
    assert.deepEqual(run.events(about), [
      'Warning VolumeModifyFailed VAC "bronze" does not exist.',
    ]);
    run.apply(attributes("bronze")).advance(60);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(status(run)?.modifyVolumeStatus, { status: "Pending" });
    assert.equal(status(run)?.conditions, undefined);
  });

  test("while a class is missing, the target stays the class that was tried last", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", times: 0 });
    wish(run, "gold").settle();
    assert.deepEqual(status(wish(run, "bronze").settle())?.modifyVolumeStatus, {
      status: "Pending",
      targetVolumeAttributesClassName: "gold",
    });
  });

  test("each infeasible class has its own pause of five minutes", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", times: 0 });
    wish(run, "gold").advance(200);
    wish(run, "silver").advance(299);
    assert.equal(run.calls.length, 2);
    assert.equal(run.advance(70).calls.length, 3);
  });

  test("after the five minutes the next attempt comes with the back-off reached by then", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", times: 0 });
    // 1 s and 2 s and so on up to 256 s after the failure.
    assert.equal(wish(run, "gold").advance(510).calls.length, 1);
    assert.equal(run.advance(5).calls.length, 2);
  });

  test("another class that fails temporarily is retried with the usual back-off, not in five minutes", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", times: 1 });
    wish(run, "gold").advance(10);
    assert.equal(status(run)?.modifyVolumeStatus?.status, "Infeasible");
    run.fault("ControllerModifyVolume", { code: "Internal", times: 2 });
    wish(run, "silver").advance(60);
    assert.equal(status(run)?.currentVolumeAttributesClassName, "silver");
  });

  test("a failure is reported in the driver's words; an unclear one also names the class still tried", () => {
    const told = (code: string): readonly string[] => {
      const run = bound().fault("ControllerModifyVolume", { code, message: "busy" });
      return wish(run, "gold")
        .settle()
        .events(about)
        .filter((text) => text.startsWith("Warning"));
    };
    const said = (code: string): string =>
      `Warning VolumeModifyFailed rpc error: code = ${code} desc = busy`;
    assert.deepEqual(told("Internal"), [said("Internal")]);
    assert.deepEqual(told("Unavailable"), [`${said("Unavailable")}. Still modifying to VAC gold`]);
  });

  test("a class that is deleted while its modification is unclear is reported missing at each attempt", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Unavailable", times: 0 });
    wish(run, "gold").advance(0.5).delete("VolumeAttributesClass", "gold");
    run.patch("VolumeAttributesClass", "gold", { metadata: { finalizers: null } });
    run.mark().advance(5);
    assert.deepEqual(run.events(about), ['Warning VolumeModifyFailed VAC "gold" does not exist.']);
    run.mayEndOtherwise("a resizer that sees the class's deletion first makes no call", {});
  });

  test("a Secret that cannot be read gets no event", () => {
    const run = bound();
    const [volume] = run.list("PersistentVolume");
    run.patch("PersistentVolume", volume?.metadata.name ?? "", {
      metadata: {
        annotations: {
          "volume.kubernetes.io/controller-modify-secret-name": "key",
          "volume.kubernetes.io/controller-modify-secret-namespace": "default",
        },
      },
    });
    wish(run, "gold").advance(5);
    assert.deepEqual(run.events(about), [
      "Normal VolumeModify external resizer is modifying volume data with vac gold",
    ]);
    assert.equal(status(run)?.modifyVolumeStatus?.status, "InProgress");
    assert.equal(status(run)?.conditions?.length, 1);
    run.apply("{ kind: Secret, metadata: { name: key } }").settle();
    assert.equal(status(run)?.currentVolumeAttributesClassName, "gold");
  });

  test("a volume without a Secret for modifications uses the one for expansions", () => {
    const run = new StorageRun({ driver: { modify: true } }).apply(attributes("gold")).apply(`
      kind: PersistentVolume
      metadata: { name: disk }
      spec:
        storageClassName: fast
        csi:
          driver: d.csi
          volumeHandle: h
          controllerExpandSecretRef: { name: key, namespace: default }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast, volumeName: disk }
    `);
    wish(run.settle(), "gold").advance(5);
    assert.deepEqual(run.calls, []);
    run.apply("{ kind: Secret, metadata: { name: key } }").settle();
    assert.equal(status(run)?.currentVolumeAttributesClassName, "gold");
  });

  test("a resizer whose driver is gone has written the status, but no event", () => {
    const run = bound().step({ type: "driver", name: "d.csi", controller: "down" });
    wish(run, "gold").settle();
    assert.equal(status(run)?.modifyVolumeStatus?.status, "InProgress");
    assert.deepEqual(run.events(about), []);
  });

  test("an infeasible class waits five minutes; another is tried at once", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", message: "no" });
    wish(run, "gold").advance(200);
    assert.deepEqual(run.calls, ["ControllerModifyVolume InvalidArgument"]);
    assert.deepEqual(status(run)?.modifyVolumeStatus, {
      status: "Infeasible",
      targetVolumeAttributesClassName: "gold",
    });
    wish(run, "silver").advance(1);
    assert.equal(status(run)?.currentVolumeAttributesClassName, "silver");
  });

  test("after an unclear answer the first class is applied before the second", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Unavailable", times: 0 });
    wish(run, "gold").advance(2).fault("ControllerModifyVolume", { clear: true });
    wish(run, "silver").settle();
    const asked = run
      .requests("ControllerModifyVolume")
      .map((r) => (r["mutable_parameters"] as { iops: string }).iops);
    assert.deepEqual([...new Set(asked)], ["4000", "6000"]);
    assert.equal(status(run)?.currentVolumeAttributesClassName, "silver");
  });

  test("after a final answer the second class is tried, even if earlier answers were unclear", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Unavailable" });
    run.fault("ControllerModifyVolume", { code: "Internal" });
    wish(run, "gold").advance(2);
    assert.deepEqual(run.calls, [
      "ControllerModifyVolume Unavailable",
      "ControllerModifyVolume Internal",
    ]);
    wish(run.mark(), "silver").settle();
    assert.deepEqual(run.calls, ["ControllerModifyVolume OK"]);
    assert.equal(status(run)?.currentVolumeAttributesClassName, "silver");
    assert.equal(status(run)?.conditions, undefined);
  });

  test("a failure that could not be recorded because of an edit is reported by the next failed attempt", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Unavailable", delayMs: 5000 });
    wish(run, "gold").advance(2);
    wish(run, "silver").settle();
    const told = ["gold", "silver"].flatMap((name) => [
      `Normal VolumeModify external resizer is modifying volume data with vac ${name}`,
      `Normal VolumeModifySuccessful external resizer modified volume data with vac ${name} successfully`,
    ]);
    assert.deepEqual(run.events(about), told);
    assert.equal(run.calls[0], "ControllerModifyVolume Unavailable");
  });

  test("a modification completed during a new request is recorded before the new one starts", () => {
    const run = bound().fault("ControllerModifyVolume", { delayMs: 6_000 });
    wish(run, "gold").advance(2);
    wish(run, "silver").advance(20);
    assert.deepEqual(run.events(about), [
      "Normal VolumeModify external resizer is modifying volume data with vac gold",
      "Normal VolumeModifySuccessful external resizer modified volume data with vac gold successfully",
      "Normal VolumeModify external resizer is modifying volume data with vac silver",
      "Normal VolumeModifySuccessful external resizer modified volume data with vac silver successfully",
    ]);
    assert.deepEqual(run.calls, ["ControllerModifyVolume OK", "ControllerModifyVolume OK"]);
  });

  test("a repeated failure keeps its transition time, a different one gets a new time", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "Unavailable", times: 0 });
    const times = () => {
      const found = status(run)?.conditions?.find(({ type }) => type === "ModifyVolumeError");
      return { since: found?.lastTransitionTime ?? "", probed: found?.lastProbeTime ?? "" };
    };
    wish(run, "gold").advance(1);
    const first = times();
    run.advance(30);
    const repeated = times();
    assert.equal(first.since, first.probed);
    assert.equal(repeated.since, first.since);
    assert.ok(repeated.probed > first.probed);
    run.fault("ControllerModifyVolume", { clear: true });
    run.fault("ControllerModifyVolume", { code: "InvalidArgument", times: 0 }).advance(60);
    assert.equal(status(run)?.modifyVolumeStatus?.status, "Infeasible");
    assert.ok(times().since > repeated.since);
  });

  test("a refused request can be withdrawn if the claim never had a class", () => {
    const run = bound().fault("ControllerModifyVolume", { code: "InvalidArgument", message: "no" });
    wish(run, "gold").advance(5).mark();
    run.patch("PersistentVolumeClaim", "data", { spec: { volumeAttributesClassName: null } });
    run.advance(600);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(run.events(about), ["Normal VolumeModifyCanceled Cancelled modify."]);
    const { conditions = [], modifyVolumeStatus } = status(run) ?? {};
    assert.deepEqual(
      conditions.map(({ type }) => type),
      ["ModifyVolumeError"],
    );
    assert.equal(modifyVolumeStatus?.status, "Infeasible");
  });

  test("the class of a volume cannot be removed", () => {
    const run = wish(bound(), "gold").settle().mark();
    assert.match(wish(run, "").refusal, /volumeAttributesClassName/);
  });
});
