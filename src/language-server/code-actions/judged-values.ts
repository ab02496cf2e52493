/** Changes with which values file a chart is judged, in claimcheck.yaml. */
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

/** A longer menu would have to be searched. */
const countMax = 5;

/** For a finding about values that the chart's own values lack. */
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

/**
 * The edit that makes these values the judged ones. Undefined if claimcheck.yaml lists charts without this one, or gives it
 * several values files.
 */
export function judgingValuesEdit(
  context: Pick<ActionContext, "analysis" | "findFile">,
  { uri, release: { folder } }: OtherValues,
): ReturnType<typeof projectChange> {
  const { id, project, charts } = context.analysis.environment;
  const path = pathFrom(id, uri);
  // Without a `charts` list all charts are installed, so a new list has to name them all.
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
