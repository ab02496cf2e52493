/** The templates that a chart's files define, by name. Upstream: text/template/template.go AddParseTree, associate. */
import { builtins } from "./builtins.ts";
import type { NodeList } from "./nodes.ts";
import { isBlank, type ParsedTemplate, type ParseProblem, parseTemplate } from "./parser.ts";
import type { TemplateSource } from "./rendered-text.ts";
import type { GoFunction } from "./values.ts";

export interface Template {
  readonly nodes: NodeList;
  /** Undefined if the text is in no file. */
  readonly source: TemplateSource | undefined;
}

export type Templates = ReadonlyMap<string, Template>;

export interface UnreadTemplate extends ParseProblem {
  readonly source: TemplateSource;
}

export interface ReadTemplates {
  readonly templates: Templates;
  /** Invalid files define nothing. */
  readonly problems: readonly UnreadTemplate[];
}

/** The last of several templates with the same name wins, unless it is empty. */
export function readTemplates(
  sources: readonly TemplateSource[],
  functions: ReadonlyMap<string, GoFunction>,
): ReadTemplates {
  const templates = new Map<string, Template>();
  const problems: UnreadTemplate[] = [];
  for (const source of sources) {
    const read = parsed(source, functions);
    if ("message" in read) {
      problems.push({ ...read, message: withoutIntroduction(read.message), source });
      continue;
    }
    for (const [name, nodes] of read.defined)
      if (!(templates.has(name) && isBlank(nodes))) templates.set(name, { nodes, source });
    templates.set(source.name, { nodes: read.nodes, source });
  }
  return { templates, problems };
}

/** Upstream: Helm v4 pkg/engine/engine.go cleanupParseError. */
function withoutIntroduction(message: string): string {
  return message.slice(message.lastIndexOf(": ") + 1).trimStart();
}

/** Cached for each source. */
function parsed(
  source: TemplateSource,
  functions: ReadonlyMap<string, GoFunction>,
): ParsedTemplate | ParseProblem {
  const known = readBefore.get(source);
  if (known !== undefined) return known;
  const read = parseTemplate(
    source.text,
    source.name,
    (name) => functions.has(name) || builtins.has(name),
  );
  readBefore.set(source, read);
  return read;
}

const readBefore = new WeakMap<TemplateSource, ParsedTemplate | ParseProblem>();
