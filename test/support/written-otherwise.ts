/** The same objects written in other ways: changing one of the texts must have the same result as changing the others. */
import { LineCounter, parseAllDocuments, stringify, type ToStringOptions, visit } from "yaml";

type Files = ReadonlyMap<string, string>;

export interface Writing {
  readonly name: string;
  readonly write: (files: Files) => Files;
  /** True if documents can be appended to a file. */
  readonly holdsDocuments: boolean;
  /** True if some changes are not offered because they cannot be made in this writing. */
  readonly offersLess?: boolean;
}

export const writings: readonly Writing[] = [
  {
    name: "with comments, lines of Windows and no last line end",
    write: ofManifests((text) => commented(text).replaceAll("\n", "\r\n").trimEnd()),
    holdsDocuments: true,
  },
  {
    name: "in brackets",
    write: ofManifests((text) => printed(text, { collectionStyle: "flow", lineWidth: 60 })),
    holdsDocuments: true,
  },
  {
    name: "with lists that are not indented",
    write: ofManifests((text) => printed(text, { collectionStyle: "block", indentSeq: false })),
    holdsDocuments: true,
  },
  {
    name: "as items of a List, indented by four",
    write: ofManifests((text) => stringify(listOf(text), { ...yaml11, indent: 4 })),
    holdsDocuments: false,
  },
  {
    name: "as JSON",
    write: (files) =>
      new Map(
        [...files].map(([name, text]) =>
          isManifest(name)
            ? [name.replace(/yaml$/, "json"), JSON.stringify(listOf(text), null, 2)]
            : [name, text],
        ),
      ),
    holdsDocuments: false,
  },
  {
    name: "under a kustomization that labels everything",
    write: (files) => {
      const names = [...files.keys()].filter((name) => !name.startsWith("HEAD:"));
      const resources = names.filter(isManifest).join(", ");
      const text = `resources: [${resources}]\nlabels: [{ pairs: { team: a } }]\n`;
      return new Map([...files, ["kustomization.yaml", text]]);
    },
    holdsDocuments: true,
  },
  {
    name: "as templates of a chart",
    write: (files) =>
      new Map([
        ["Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"],
        ...[...files].map(([name, text]): [string, string] => [
          isManifest(name) ? name.replace(/^(HEAD:)?/, "$1templates/") : name,
          text,
        ]),
      ]),
    holdsDocuments: false,
    offersLess: true,
  },
];

/** All objects of the files, without empty fields. */
export function objectsIn(files: Files): readonly unknown[] {
  return [...files].flatMap(([name, text]) => (isManifest(name) ? objectsOf(text) : []));
}

export function commentsIn(files: Files): readonly string[] {
  return [...files.values()].flatMap((text) => text.match(/# (?:above|behind) \d+/g) ?? []);
}

const yaml11 = { version: "1.1", aliasDuplicateObjects: false } as const;

function isManifest(name: string): boolean {
  return !/(?:^|\/)(?:claimcheck|Chart)\.yaml$|kustomization\.yaml$|\.scenario\.yaml$/.test(name);
}

function ofManifests(write: (text: string) => string): (files: Files) => Files {
  return (files) =>
    new Map([...files].map(([name, text]) => [name, isManifest(name) ? write(text) : text]));
}

function commented(text: string): string {
  const inTexts = linesOfTexts(text);
  const lines = text.split("\n").map((line, index) => {
    if (line.trim() === "" || line === "---" || inTexts.has(index)) return line;
    return `${/^ */.exec(line)?.[0] ?? ""}# above ${index}\n${line} # behind ${index}`;
  });
  return lines.join("\n");
}

/** The lines, counted from 0, where a `#` would be part of a value, not a comment. */
function linesOfTexts(text: string): ReadonlySet<number> {
  const lineCounter = new LineCounter();
  const lines = new Set<number>();
  for (const document of parseAllDocuments(text, { lineCounter, uniqueKeys: false }))
    visit(document, {
      Scalar(_, { range }) {
        const [start, end] = range ?? [0, 0];
        const last = lineCounter.linePos(end - 1).line;
        for (let { line } = lineCounter.linePos(start); line < last; line++) lines.add(line);
      },
    });
  return lines;
}

function documentsOf(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, version: "1.1" });
  return [...documents].map((document) => document.toJS() as unknown).filter((one) => one !== null);
}

function printed(text: string, options: ToStringOptions): string {
  const documents = documentsOf(text).map((value) => stringify(value, { ...yaml11, ...options }));
  return documents.join("---\n");
}

function listOf(text: string): unknown {
  return { apiVersion: "v1", kind: "List", items: documentsOf(text) };
}

function objectsOf(text: string): readonly unknown[] {
  return documentsOf(text).flatMap((value) => {
    const { kind, items } = value as { readonly kind?: unknown; readonly items?: unknown };
    return (kind === "List" && Array.isArray(items) ? items : [value]).map(withoutEmpty);
  });
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, withoutEmpty(field)] as const);
  return Object.fromEntries(
    fields.filter(([, field]) => field !== null && JSON.stringify(field) !== "{}"),
  );
}
