import { checkDiagnostics } from "../../support/language-features.ts";

const claim = (size: string, found: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        storageClassName: ""
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: ${size}
      #              ${found}`;

suite("sizes that are probably not meant as written", () => {
  test("thousandths of a byte are converted to bytes", () =>
    checkDiagnostics(`${claim("2000m", "^^^^^ quantity-milli: “2000m” is 2 bytes (m = milli)")}`));

  test("a number without a suffix is bytes", () =>
    checkDiagnostics(`${claim("10", "^^ quantity-tiny: 10 is only 10 bytes")}`));

  test("a decimal suffix is less than the binary units of disks", () =>
    checkDiagnostics(
      `${claim("50G", "^^^ quantity-decimal: 50G is about 46.57Gi; disks are usually sized in binary units")}`,
    ));

  test("thousands are converted to binary units, too", () =>
    checkDiagnostics(
      `${claim("2000k", "^^^^^ quantity-decimal: 2000k is about 1953.13Ki; disks are usually sized in binary units")}`,
    ));

  test("a size that cannot be parsed gets a suggestion in units of the same kind", async () => {
    for (const [size, meant] of [
      ["10KB", "10k"],
      ["500gb", "500G"],
      ["10 gib", "10Gi"],
      ["1.5tib", "1.5Ti"],
    ] as const)
      await checkDiagnostics(
        claim(
          size,
          `${"^".repeat(size.length)} api-refused: PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; did you mean “${meant}”?`,
        ),
      );
  });

  test("an exponent is converted to a number", () =>
    checkDiagnostics(`${claim('"1e9"', "^^^^^ quantity-exponent: “1e9” = 1000000000")}`));

  test("a size of more than 63 bits is too large", () =>
    checkDiagnostics(
      `${claim("9Ei", "^^^ quantity-overflow: 9Ei is more than 9223372036854775807 bytes")}`,
    ));

  test("a size of exactly 2^63 bytes is too large", () =>
    checkDiagnostics(
      `${claim("8192Pi", "^^^^^^ quantity-overflow: 8192Pi is more than 9223372036854775807 bytes")}`,
    ));

  test("a form that the server rewrites gets the server's form", () =>
    checkDiagnostics(
      `${claim("1024Mi", "^^^^^^ quantity-odd-form: Unusual but valid form of 1Gi")}`,
    ));

  test("common sizes are left alone", async () => {
    for (const size of ["10Gi", "1.5Gi", "1000Mi", "1073741824"])
      await checkDiagnostics(`${claim(size, "").trimEnd().replace(/#$/, "")}`);
  });

  test("a quota without a number, limits and memory", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: q }
      spec:
        hard:
          requests.storage: Gi
      #                     ^^ quantity-zero-text: “Gi” means 0
      ---
      apiVersion: v1
      kind: LimitRange
      metadata: { name: l }
      spec:
        limits:
          - { type: PersistentVolumeClaim, max: { storage: 100 } }
      #                                                    ^^^ quantity-tiny: 100 is only 100 bytes
          - { type: Container, max: { memory: 100 } }
    `));
});
