/** File modes written as people say them, without the zero that makes them octal. */
import { podVolumesOf } from "../../workspace/manifest-fields.ts";
import { octal, writtenModes } from "../facts/file-modes.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/** The API server refuses modes above 511, such as 644. */
const suspicious: ReadonlySet<unknown> = new Set([400, 440, 444, 500]);

export const modeLooksOctal: DocumentRule = objectRule(
  "mode-looks-octal",
  "warning",
  {},
  function* (object) {
    for (const { path, mode } of podVolumesOf(object).flatMap(writtenModes)) {
      if (typeof mode !== "number" || !suspicious.has(mode)) continue;
      const meant = Number.parseInt(String(mode), 8);
      yield {
        path,
        message: `${mode} decimal is ${octal(mode)}; as an octal mode write 0${mode}`,
        fix: { title: `Change to ${meant}, which is 0${mode}`, path, value: meant, isChoice: true },
      };
    }
  },
);
