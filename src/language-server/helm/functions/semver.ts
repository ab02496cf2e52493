/** Versions with their methods, for templates. Upstream: sprig v3 semver.go, Masterminds/semver v3.4 version.go. */
import { withParameters } from "../go-template/parameters.ts";
import {
  Failure,
  type GoFunction,
  type GoObject,
  type GoValue,
  SizedInteger,
} from "../go-template/values.ts";
import { nilPointer } from "./go-types.ts";
import { constraintAdmits } from "./semver-constraint.ts";
import { compareVersions, parseVersion, type Version } from "./semver-version.ts";
import { define, type Named } from "./signature.ts";

export const semverFunctions: readonly Named[] = [
  define("semver", ["string"], ([text]) => {
    const version = parseVersion(text);
    return typeof version === "string" ? new Failure(version) : new VersionObject(version);
  }),
  define(
    "semverCompare",
    ["string", "string"],
    ([constraint, text], call) =>
      call.charge((constraint.length + 1) * costOfReading) ?? compared(constraint, text),
  ),
];

/** Parsing a letter of a constraint takes as long as printing this many. */
const costOfReading = 8;

function compared(constraint: string, text: string): boolean | Failure {
  const admits = constraintAdmits(constraint);
  if (typeof admits === "string") return new Failure(admits);
  const version = parseVersion(text);
  return typeof version === "string" ? new Failure(version) : admits(version);
}

function print({ major, minor, patch, prerelease, metadata }: Version): string {
  const suffix = (prerelease && `-${prerelease}`) + (metadata && `+${metadata}`);
  return `${major}.${minor}.${patch}${suffix}`;
}

class VersionObject implements GoObject {
  readonly goType = "*semver.Version";
  readonly version: Version;

  constructor(version: Version) {
    this.version = version;
  }

  print(): string {
    return print(this.version);
  }

  member(name: string): GoFunction | undefined {
    const { version } = this;
    const value = values[name];
    if (value !== undefined) return withoutArguments(() => value(version));
    const compare = comparisons[name];
    if (compare !== undefined)
      return withVersion((other) => compare(compareVersions(version, other)));
    const increased = increments[name];
    return increased && withoutArguments(() => new VersionObject(increased(version)));
  }
}

const values: Readonly<Record<string, (version: Version) => GoValue>> = {
  Major: ({ major }) => new SizedInteger("uint64", major),
  Minor: ({ minor }) => new SizedInteger("uint64", minor),
  Patch: ({ patch }) => new SizedInteger("uint64", patch),
  Prerelease: ({ prerelease }) => prerelease,
  Metadata: ({ metadata }) => metadata,
  Original: ({ original }) => original,
  String: print,
};

const comparisons: Readonly<Record<string, (order: number) => GoValue>> = {
  Compare: (order) => BigInt(Math.sign(order)),
  Equal: (order) => order === 0,
  LessThan: (order) => order < 0,
  LessThanEqual: (order) => order <= 0,
  GreaterThan: (order) => order > 0,
  GreaterThanEqual: (order) => order >= 0,
};

const increments: Readonly<Record<string, (version: Version) => Version>> = {
  IncMajor: ({ major }) => release(major + 1n, 0n, 0n),
  IncMinor: ({ major, minor }) => release(major, minor + 1n, 0n),
  // The version after 1.2.3-beta is 1.2.3.
  IncPatch: ({ major, minor, patch, prerelease }) =>
    release(major, minor, prerelease === "" ? patch + 1n : patch),
};

function release(major: bigint, minor: bigint, patch: bigint): Version {
  const numbers = { major, minor, patch, prerelease: "", metadata: "" };
  return { ...numbers, original: `${major}.${minor}.${patch}` };
}

function withoutArguments(run: () => GoValue): GoFunction {
  return withParameters({ fixed: [] }, run);
}

function withVersion(run: (other: Version) => GoValue): GoFunction {
  return withParameters({ fixed: ["version"] }, ([other]) =>
    other instanceof VersionObject ? run(other.version) : new Failure(nilPointer),
  );
}
