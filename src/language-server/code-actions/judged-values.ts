/** Of files with values for a chart, the project file says with which the chart is judged: with others. */
import { stringify } from "yaml";
import { helmChart } from "../diagnostics/rules/helm-chart.ts";
import { projectFileName } from "../project/project-file.ts";
import { ownValuesText } from "../workspace/charts.ts";
import { decoded, isBelow, relativePath, resolveUri } from "../workspace/files/uri.ts";
import { type OtherValues, otherValues } from "../workspace/helm/chart-values.ts";
import { addFields, setField } from "../yaml/edits.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type ActionContext, type CodeAction, touched } from "./code-action.ts";
import { projectChange } from "./project-edit.ts";

/** More would be a list to search in. */
const countMax = 5;

/** At what the chart's own values lack. */
export function judgingOtherValues(context: ActionContext): readonly CodeAction[] {
  const { analysis, file } = context;
  const diagnostic = touched(context).find(
    ({ code, message }) => code === helmChart.id && message.includes(ownValuesText),
  );
  if (diagnostic === undefined) return [];
  return otherValues(analysis.environment)
    .filter(({ release }) => isBelow(file.uri, release.folder))
    .slice(0, countMax)
    .flatMap((other): readonly CodeAction[] => {
      const edit = judgingValuesEdit(context, other);
      const title = `Judge with “${pathFrom(analysis.environment.id, other.uri)}” (${projectFileName})`;
      return edit === undefined
        ? []
        : [{ title, kind: "quickfix", ...edit, diagnostic, isChoice: true }];
    });
}

/** What has the chart judged with these values, in place of the one file that it may be judged with. */
export function judgingValuesEdit(
  context: Pick<ActionContext, "analysis" | "findFile">,
  { uri, release: { folder } }: OtherValues,
): ReturnType<typeof projectChange> {
  const { id, project, charts } = context.analysis.environment;
  const path = pathFrom(id, uri);
  // Charts that nobody speaks of are installed as long as nobody speaks of any.
  const all = charts.installed.map((release) => ({
    chart: pathFrom(id, release.folder),
    ...(release.folder === folder && { values: [path] }),
  }));
  const given = project.charts?.find(
    ({ chart }) => decoded(resolveUri(id, chart)) === decoded(folder),
  );
  if (project.charts !== undefined && (given === undefined || given.values.length > 1))
    return undefined;
  return projectChange(context, stringify({ charts: all }), (document) => {
    if (given === undefined) return addFields(document, [], { charts: all });
    const values = [...given.path, "values"];
    const isText = typeof valueAt(document.value, values) === "string";
    return setField(document, isText ? values : [...values, 0], path);
  });
}

function pathFrom(folder: string, uri: string): string {
  return decoded(relativePath(folder, uri));
}
