/** The catalogue is data: these rules hold for each entry. */
import assert from "node:assert/strict";
import { parseQuantity } from "../../../src/engine/api/quantity.ts";
import { knownDriver, knownDrivers } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";

const modes = new Set(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]);

suite("driver catalogue", () => {
  test("each driver stands in it once, with a source", () => {
    const names = knownDrivers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { name, source } of knownDrivers) {
      assert.match(source.repository, /^[\w.-]+\/[\w.-]+$/, name);
      assert.match(source.commit, /^[0-9a-f]{7}$/, name);
      assert.ok(source.files.length > 0, name);
    }
  });

  test("sizes and modes are ones that Kubernetes knows", () => {
    for (const { name, traits } of knownDrivers) {
      const profile = driverProfile({ ...traits, name });
      const { roundUpTo, roundLargeUpTo = roundUpTo, minSize, maxSize } = profile;
      for (const size of [roundUpTo, roundLargeUpTo, minSize, maxSize]) {
        assert.notEqual(parseQuantity(size), undefined, `${name} ${size}`);
      }
      for (const mode of [...profile.accessModes, ...(profile.blockAccessModes ?? [])]) {
        assert.ok(modes.has(mode), `${name} ${mode}`);
      }
    }
  });

  test("required parameters are known ones", () => {
    for (const { name, parameters, requiredParameters = [] } of knownDrivers) {
      if (parameters === undefined) continue;
      for (const key of requiredParameters) assert.ok(parameters.includes(key), `${name} ${key}`);
    }
  });

  test("Rook's names are Ceph's behind the operator's namespace", () => {
    assert.equal(knownDriver("rook-ceph.rbd.csi.ceph.com")?.title, "Ceph RBD");
    assert.equal(knownDriver("topolvm.cybozu.com")?.title, "TopoLVM");
  });

  test("a driver that nobody has described is not made up", () => {
    assert.equal(knownDriver("unheard.example.com"), undefined);
  });
});
