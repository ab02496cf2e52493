// The licences of what the bundles hold of others, which have to go along with it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One text: a head, then each package with its licence. `inputs` are the paths of the files that esbuild has read. */
export function thirdPartyNotices(inputs) {
  const folders = [...new Set(inputs.flatMap((path) => packageFolder(path) ?? []))].sort();
  return [head, ...folders.map(noticeOf)].join(`\n${"-".repeat(80)}\n\n`);
}

const head = `Claimcheck holds work of others, under the licences below.

What it tells of the fields of objects, the texts of events and the answers of the API server are those
of Kubernetes, Copyright The Kubernetes Authors, under the Apache License 2.0, which LICENSE holds.
`;

/** Undefined for our own files; of packages within packages the inner one. */
function packageFolder(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  // Without its text nobody may hand the package on.
  if (texts.length === 0) throw new Error(`${folder} has no licence`);
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
