/** Executes the templates of a release; reports why some print nothing. Upstream: pkg/engine/engine.go renderWithReferences. */
import { helmFunctions } from "../functions/all.ts";
import { type ExecutionProblem, execute } from "../go-template/execution.ts";
import type { Templates } from "../go-template/templates.ts";
import { type ChartProblem, mostPressing } from "./chart.ts";
import { type ChartTemplates, isPartial } from "./chart-templates.ts";
import type { RenderMemory } from "./render-memory.ts";
import type { RenderedFile } from "./rendered-manifests.ts";

export interface ExecutedTemplates {
  readonly files: readonly RenderedFile[];
  readonly problems: readonly ChartProblem[];
  readonly cost: number;
}

/** Several times the limit of a single template; the largest known charts need a hundredth of it. */
const costMax = 100_000_000;

export function executeTemplates(
  templates: ChartTemplates["templates"],
  read: Templates,
  memory: RenderMemory,
): ExecutedTemplates {
  const files: RenderedFile[] = [];
  const problems = new Map<string, ChartProblem>();
  let spent = 0;
  let changesData = false;
  for (const { source, basePath, data } of templates) {
    const { name, uri } = source;
    if (isPartial(name) || !read.has(name)) continue;
    if (spent > costMax) {
      const message = "This chart's templates make too much to be rendered here";
      problems.set("", { code: "limit", severity: "error", message, uri, start: 0, end: 0 });
      break;
    }
    data.set("Template", new Map(Object.entries({ Name: name, BasePath: basePath })));
    const executed = memory.executed(name, read) ?? execute(read, name, data, helmFunctions);
    memory.note(name, executed);
    changesData ||= executed.changesData;
    const { output, problem, cost } = executed;
    spent += cost;
    if (problem !== undefined) {
      // A mistake in a definition that many templates include is reported once, for the first of them, as Helm does.
      const key = JSON.stringify([problem.source.uri, problem.start, problem.message]);
      if (!problems.has(key)) problems.set(key, executionProblem(problem, basePath));
    } else if (!name.endsWith("NOTES.txt"))
      files.push({ templateName: name, uri, rendered: output, isCrd: false });
  }
  // If a template has changed data, others may have seen it.
  if (changesData) memory.forget();
  return { files, problems: mostPressing([...problems.values()]), cost: spent };
}

/** An error within a subchart's template is reported where the parent calls it, because the subchart is somebody else's. */
function executionProblem(problem: ExecutionProblem, basePath: string): ChartProblem {
  const { source, calledAt, start, end, message, lacks } = problem;
  const charts = basePath.replace(/templates$/, "charts/");
  const isOthers = source.name.startsWith(charts) && calledAt !== undefined;
  const at = isOthers ? calledAt : { source, start, end };
  return {
    ...{ code: "template", severity: "error", uri: at.source.uri },
    ...{ start: at.start, end: at.end, message: message.trim() },
    ...(lacks !== undefined && { lacks }),
  };
}
