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

The schemas of the drafts of JSON Schema are those of json-schema.org, Copyright JSON Schema
Specification Authors, under the BSD 3-Clause License:

Redistribution and use in source and binary forms, with or without modification, are permitted
provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and
   the following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions
   and the following disclaimer in the documentation and/or other materials provided with the
   distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse
   or promote products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR
TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF
ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
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
