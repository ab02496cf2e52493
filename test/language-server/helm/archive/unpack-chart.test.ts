import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readPackedText } from "../../../../src/language-server/helm/archive/packed-chart.ts";
import { unpackChart } from "../../../../src/language-server/helm/archive/unpack-chart.ts";
import { fileText } from "../../../../src/language-server/workspace/files/file-text.ts";
import { packed, type TarEntry, tarOf } from "../../../support/packed-chart.ts";

const chartYaml = "apiVersion: v2\nname: db\nversion: 1.0.0\n";

/** The files that are read, or why none is. */
async function unpacked(archive: Uint8Array): Promise<unknown> {
  const read = readPackedText(await unpackChart(archive, fileText));
  return "failed" in read ? read.failed : Object.fromEntries(read);
}

function zipped(...entries: readonly TarEntry[]): Uint8Array {
  return gzipSync(tarOf(entries));
}

suite("a packed chart", () => {
  test("is read as the files below its folder", async () => {
    const archive = packed({
      "db/Chart.yaml": chartYaml,
      "db/templates/./a/../claim.yaml": "a: b",
      "db\\values.yaml": "size: 1Gi",
      "db/": "",
    });
    assert.deepEqual(await unpacked(archive), {
      "Chart.yaml": chartYaml,
      "templates/claim.yaml": "a: b",
      "values.yaml": "size: 1Gi",
    });
  });

  test("may have long names, in the forms of pax and GNU or split in two", async () => {
    const path = `db/templates/${"long/".repeat(40)}a.yaml`;
    const record = ` path=${path}\n`;
    const pax = `${record.length + 3}${record}`;
    const split = Buffer.from(tarOf([{ name: "a.yaml", data: "3" }]));
    assert.deepEqual(
      await unpacked(
        zipped(
          { name: "PaxHeaders/a.yaml", data: pax, type: "x" },
          { name: "db/cut", data: "1" },
          { name: "././@LongLink", data: `${path}b\0`, type: "L" },
          { name: "db/cut", data: "2" },
        ),
      ),
      { [path.slice(3)]: "1", [`${path.slice(3)}b`]: "2" },
    );
    split.write("db/templates", 345);
    split.write("        ", 148);
    const sum = split.subarray(0, 512).reduce((all, byte) => all + byte, 0);
    split.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    assert.deepEqual(await unpacked(gzipSync(split)), { "templates/a.yaml": "3" });
  });

  test("is read without its links and devices", async () => {
    const link: TarEntry = { name: "db/values.yaml", data: "", type: "2" };
    const device: TarEntry = { name: "db/zero", data: "", type: "3" };
    const file: TarEntry = { name: "db/Chart.yaml", data: chartYaml };
    assert.deepEqual(await unpacked(zipped(link, device, file)), { "Chart.yaml": chartYaml });
  });

  test("is read with the charts packed inside", async () => {
    const inner = packed({ "common/Chart.yaml": "name: common" });
    const outer = await unpackChart(packed({ "db/charts/common-1.0.0.tgz": inner }), fileText);
    const read = readPackedText(outer);
    assert.ok(!("failed" in read));
    assert.deepEqual(
      read.map(([name, text]) => [name, readPackedText(text)]),
      [["charts/common-1.0.0.tgz", [["Chart.yaml", "name: common"]]]],
    );
  });

  for (const [what, archive, told] of [
    [
      "with a file above its folder",
      packed({ "db/../../x": "" }),
      "chart illegally references parent directory",
    ],
    [
      "with an absolute path",
      packed({ "db//etc/passwd": "" }),
      "chart illegally contains absolute paths",
    ],
    ["with a Windows path", packed({ "db/c:/x": "" }), "chart contains illegally named files"],
    [
      "without a folder",
      packed({ "values.yaml": "" }),
      'chart illegally contains content outside the base directory: "values.yaml"',
    ],
    ["without files", packed({}), "no files in chart archive"],
    ["that is empty", new Uint8Array(), "EOF"],
    ["that is not gzip", Buffer.from("hello"), "gzip: invalid header"],
    ["that is truncated", packed({ "db/Chart.yaml": chartYaml }).subarray(0, 60), "unexpected EOF"],
    ["that is not tar", gzipSync(Buffer.alloc(512, 7)), "archive/tar: invalid tar header"],
    [
      "that ends within a file",
      gzipSync(tarOf([{ name: "db/a", data: "a".repeat(600) }]).subarray(0, 1100)),
      "unexpected EOF",
    ],
    [
      "with too large a file",
      packed({ "db/a": new Uint8Array(5 * 1024 * 1024 + 1) }),
      'decompressed chart file "db/a" is larger than the maximum file size 5242880',
    ],
  ] as const)
    test(`${what} is refused as Helm refuses it`, async () => {
      assert.equal(await unpacked(archive), told);
    });

  test("that would fill the memory is discarded", async () => {
    const told = "decompressed chart is larger than the maximum size 16777216";
    assert.equal(await unpacked(gzipSync(Buffer.alloc(50 * 1024 * 1024))), told);
    const part = new Uint8Array(4 * 1024 * 1024);
    assert.equal(await unpacked(packed({ "db/a": part, "db/b": part, "db/c": part })), told);
    const half = packed({
      "a/x": Buffer.alloc(5_000_000, "a"),
      "a/y": Buffer.alloc(5_000_000, "a"),
    });
    const both = { "db/charts/a.tgz": half, "db/charts/b.tgz": half };
    const read = readPackedText(await unpackChart(packed(both), fileText));
    assert.ok(!("failed" in read));
    const [, second = ["", ""]] = read;
    assert.deepEqual(readPackedText(second[1]), { failed: told });
  });

  test("with any bytes is read or refused", async () => {
    const whole = packed({ "db/Chart.yaml": chartYaml, "db/charts/a.tgz": packed({ "a/x": "y" }) });
    const tar = tarOf([{ name: "db/Chart.yaml", data: chartYaml }]);
    const changed = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(changed, { maxLength: 20 }), fc.nat(), async (bytes, cut) => {
        for (const of of [whole, tar]) {
          const archive = Uint8Array.from(of).subarray(
            0,
            of.length - (cut % 3 === 0 ? cut % of.length : 0),
          );
          for (const [at, byte] of bytes) archive[at % Math.max(archive.length, 1)] = byte;
          const read = await unpacked(of === whole ? archive : gzipSync(archive));
          assert.ok(typeof read === "string" || typeof read === "object");
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("within packed charts is only read to a limited depth", async () => {
    let archive = packed({ "a/Chart.yaml": "name: a" });
    for (let depth = 0; depth < 8; depth++) archive = packed({ "a/charts/a.tgz": archive });
    let text = await unpackChart(archive, fileText);
    let depth = 0;
    for (;;) {
      const read = readPackedText(text);
      if ("failed" in read) break;
      text = read[0]?.[1] ?? "";
      depth++;
    }
    assert.equal(depth, 6);
  });
});
