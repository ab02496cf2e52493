import { check } from "../../support/check.ts";

const removeVolume = {
  type: "delete",
  objects: [{ kind: "PersistentVolume", name: "pv" }],
} as const;
const settle = { type: "settle" } as const;

suite("volume protection", () => {
  test("a deleted volume without a claim is removed at once", () => {
    check(
      `
        kind: PersistentVolume
        metadata: { name: pv }                 #=> gone
      `,
      { steps: [removeVolume, settle] },
    );
  });

  test("a bound volume stays until its claim is gone", () => {
    const fixture = `
      kind: PersistentVolume
      metadata: { name: pv }                   #=> deleted, still Bound default/data
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }                 #=> Bound pv
      spec: { storageClassName: "", volumeName: pv }
    `;
    check(fixture, { steps: [removeVolume, settle] });
    const gone = fixture.replace(/#=> deleted.*/, "#=> gone").replace("#=> Bound pv", "#=> gone");
    const removeClaim = {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
    } as const;
    check(gone, { steps: [removeVolume, settle, removeClaim, settle] });
  });

  test("a removed finalizer is added again", () => {
    check(
      `
        kind: PersistentVolume
        metadata: { name: pv }                 #=> Available
      `,
      {
        steps: [
          {
            type: "patch",
            object: { kind: "PersistentVolume", name: "pv" },
            patch: { metadata: { finalizers: null } },
          },
          settle,
        ],
      },
    ).writes(`
      persistentvolume-binder update PersistentVolume//pv status
      pv-protection update PersistentVolume//pv
    `);
  });
});
