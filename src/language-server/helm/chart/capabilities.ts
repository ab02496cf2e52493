/** What templates know about the cluster. Upstream: pkg/chart/common/capabilities.go, internal/version/version.go. */
import type { GoObject, GoValue } from "../go-template/values.ts";
import { knownApiVersions } from "./api-versions.ts";
import { goObject, method } from "./go-object.ts";

/** `kubeVersion` as `--kube-version` takes it: `1.36.0`, `v1.33.4-gke.1245000`. */
export function capabilities(kubeVersion: string, apiVersions: readonly string[]): GoObject {
  const known = [...knownApiVersions, ...apiVersions];
  const members: Readonly<Record<string, GoValue>> = {
    KubeVersion: kubeVersionObject(kubeVersion),
    APIVersions: versionSet(known),
    HelmVersion: helmVersion,
  };
  return goObject({ goType: "*common.Capabilities", members, print: () => "" });
}

function kubeVersionObject(text: string): GoObject {
  const version = text.startsWith("v") ? text : `v${text}`;
  const [, Major = "1", Minor = "0"] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const normalized = normalizedVersion(text);
  return goObject({
    goType: "common.KubeVersion",
    members: {
      Version: version,
      Major,
      Minor,
      GitVersion: method(0, () => version),
      String: method(0, () => normalized),
    },
    print: () => normalized,
  });
}

/** Without the suffixes that clouds append; constraints are checked against this. */
export function normalizedVersion(text: string): string {
  const [, numbers = ""] = /^v?(\d+(?:\.\d+)*)/.exec(text) ?? [];
  const [major = "0", minor = "0", patch = "0"] = numbers.split(".");
  return `v${major}.${minor}.${patch}`;
}

function versionSet(versions: readonly string[]): GoObject {
  const set = new Set(versions);
  return goObject({
    goType: "common.VersionSet",
    members: { Has: method(1, ([version = ""]) => set.has(version)) },
    print: () => `[${versions.join(" ")}]`,
    data: versions,
  });
}

const helmVersion: GoObject = goObject({
  goType: "version.BuildInfo",
  members: {
    Version: "v4.1.4",
    GitCommit: "",
    GitTreeState: "clean",
    GoVersion: "go1.25.9",
    KubeClientVersion: "v1.35",
  },
  print: () => "{v4.1.4  clean go1.25.9 v1.35}",
});
