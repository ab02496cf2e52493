/**
 * Finds values that are set but that no template reads, because a key is mistyped or misplaced. Helm accepts them silently.
 * Since `tpl` and `index` may read values that no template names, only near misses of the chart's own values are reported, and
 * only if no template contains the word or could read it there.
 */
import { nearestObjectName } from "../../nearest-name.ts";
import { type GoMap, type GoValue, isGoList, isGoMap } from "../go-template/values.ts";
import {
  type Chart,
  type ChartFile,
  type ChartProblem,
  isLibrary,
  problemCountMax,
} from "./chart.ts";
import type { ReleaseChart } from "./release-charts.ts";
import type { United } from "./unite-values.ts";
import { type Given, placesOfValue } from "./value-places.ts";

export function unreadValues({ root, values }: United, given: Given): readonly ChartProblem[] {
  return new Search(allCharts(root.chart), given, values).problemsOf([root], values);
}

/** A map with more keys is not checked for typing mistakes. */
const keyCountMax = 200;
/** Limit for searching templates, which is repeated for each key: many times the size of the largest charts. */
const lettersMax = 50_000_000;
/** Keys that Helm itself uses. */
const ofHelm: ReadonlySet<string> = new Set(["global", "tags", "exports"]);

interface Found {
  readonly message: string;
  readonly meant?: string;
}

/** A map of values, with the chart's defaults for it. */
interface Level {
  readonly charts: readonly ReleaseChart[];
  readonly own: ReleaseChart;
  readonly path: readonly string[];
  readonly values: GoMap;
  readonly defaults: GoMap;
}

class Search {
  readonly #all: readonly Chart[];
  readonly #given: Given;
  /** Expressions within the values, for `tpl`. */
  readonly #inValues: readonly ChartFile[];
  readonly #problems: ChartProblem[] = [];
  #letters = 0;

  constructor(all: readonly Chart[], given: Given, values: GoMap) {
    this.#all = all;
    this.#given = given;
    this.#inValues = expressionsIn({ uri: "", text: textsIn(values).join("\n") });
  }

  problemsOf(charts: readonly ReleaseChart[], values: GoMap): readonly ChartProblem[] {
    const own = charts.at(-1);
    if (own === undefined) return [];
    const { valuesFile, values: defaults } = own.chart;
    if (valuesFile !== undefined) this.#lookIn({ charts, own, path: [], values, defaults });
    for (const subchart of own.subcharts) {
      const below = values.get(subchart.name);
      if (isGoMap(below)) this.problemsOf([...charts, subchart], below);
    }
    return this.#problems;
  }

  #lookIn(level: Level): void {
    const { charts, own, path, values, defaults } = level;
    const isOthers = (key: string): boolean =>
      path.length === 0 && (ofHelm.has(key) || own.subcharts.some(({ name }) => name === key));
    const given = [...values.keys()].filter((key) => !defaults.has(key) && !isOthers(key));
    for (const key of given.slice(0, keyCountMax)) {
      const found = this.#mistyped(key, level) ?? this.#misplaced(key, level);
      if (found !== undefined) this.#tell(charts, [...path, key], found);
    }
    for (const [key, below] of [...defaults].slice(0, keyCountMax)) {
      const value = values.get(key);
      if (isGoMap(value) && isGoMap(below) && !isOthers(key))
        this.#lookIn({ ...level, path: [...path, key], values: value, defaults: below });
    }
  }

  /** Finds a near miss of a default, if no template contains the word or uses the surrounding map as a whole. */
  #mistyped(key: string, { path, defaults }: Level): Found | undefined {
    const meant = nearestObjectName(key, [...defaults.keys()].slice(0, keyCountMax));
    if (meant === undefined || isCondition(key, this.#all)) return undefined;
    const files = [...filesOf(this.#all), ...this.#inValues];
    if (files.some((file) => wordsOf(file).has(key))) return undefined;
    if (this.#isAny(files, takesWhole(path))) return undefined;
    const message = `No template reads the value “${key}”, and the chart has none of that name`;
    return { message, meant };
  }

  /** Finds where the key exists one level further down, if no template could read it at this level. */
  #misplaced(key: string, { own, path, defaults }: Level): Found | undefined {
    const further = [
      ...[...defaults].flatMap(([name, value]) => (isGoMap(value) && value.has(key) ? [name] : [])),
      ...own.subcharts.flatMap(({ name, chart }) =>
        path.length === 0 && chart.values.has(key) ? [name] : [],
      ),
    ];
    if (further.length === 0 || isCondition(key, this.#all)) return undefined;
    // Other charts read their own values.
    const files = [...filesOf([own.chart, ...this.#all.filter(isLibrary)]), ...this.#inValues];
    if (this.#isAny(files, takesWhole(path)) || this.#isAny(files, reads(key, path)))
      return undefined;
    const places = [...new Set(further)].map((name) => [...path, name, key].join("."));
    const message = `No template reads the value “${key}” here; there is ${places.slice(0, 3).join(", ")}`;
    return { message };
  }

  /** Also true if the search has become too expensive. */
  #isAny(files: readonly ChartFile[], test: (text: string) => boolean): boolean {
    for (const { text } of files) {
      this.#letters += text.length;
      if (this.#letters > lettersMax || test(text)) return true;
    }
    return false;
  }

  #tell(charts: readonly ReleaseChart[], path: readonly string[], found: Found): void {
    const [place] = placesOfValue(charts, path, this.#given);
    if (place?.key === undefined || this.#problems.length >= problemCountMax) return;
    const { uri, key } = place;
    this.#problems.push({ code: "unread", severity: "warning", uri, ...key, ...found });
  }
}

/** Tests whether a template may read the key other than below a map of another name. */
function reads(key: string, path: readonly string[]): (text: string) => boolean {
  const holder = literal(path.at(-1) ?? "Values");
  const direct = new RegExp(
    `(?:[Vv]alues|${holder})\\s{0,9}\\.\\s{0,9}${literal(key)}(?![\\w-])|(?:\\$\\w*|(?<![\\w)"'\`\\]$]))\\.${literal(key)}(?![\\w-])`,
  );
  return (text) => {
    const quoted = text.match(/"[^"\n]*"|`[^`]*`/g) ?? [];
    return direct.test(text) || quoted.some((one) => one.includes(key));
  };
}

const allValues = String.raw`\.Values(?:\.AsMap\b)?(?!\s*[\w.-])`;
const allTaken = takingOf(allValues);
/** Limits the number of variables that are followed. */
const heldMax = 20;
const holdsAll = new RegExp(String.raw`(\$\w+)\s{0,9}:?=[^{}]{0,200}${allValues}`, "g");

/**
 * Matches whole use by `range` and `toYaml`, and possible whole use: passed on by `with` or `dict`, or indexed by a key that is
 * not constant.
 */
function takingOf(all: string): RegExp {
  const handedOn = String.raw`\{\{[^{}=]{0,200}${all}(?!\s{0,9}(?:["\x60]|:?=))`;
  return new RegExp(
    String.raw`\b(?:range|to\w+)\s[^{}]{0,200}${all}|${all}[^{}]{0,200}\|\s*to\w+|${handedOn}`,
  );
}

function isAllTaken(text: string): boolean {
  if (allTaken.test(text) || /["`]Values["`]/.test(text)) return true;
  const held = new Set(Array.from(text.matchAll(holdsAll), ([, name = ""]) => name));
  return [...held]
    .slice(0, heldMax)
    .some((name) => takingOf(`${literal(name)}(?![\\w.])`).test(text));
}

/** Tests whether the whole map, or one that contains it, may be read: by `range`, `toYaml`, `with`, or an assignment. */
function takesWhole(path: readonly string[]): (text: string) => boolean {
  const names = path.map(literal).join("|");
  const taken = new RegExp(`\\.(?:${names})(?![\\w-])(?!\\.\\w)|"[^"\\n]*(?:${names})`);
  return (text) => isAllTaken(text) || (path.length > 0 && taken.test(text));
}

/** True for keys that decide whether a subchart is enabled or what is imported from it. */
function isCondition(key: string, all: readonly Chart[]): boolean {
  return all.some(({ metadata }) =>
    metadata.dependencies?.some(
      ({ condition, importValues }) =>
        condition.split(/[.,\s]+/).includes(key) ||
        importValues.some(({ child, parent }) => `${child}.${parent}`.split(".").includes(key)),
    ),
  );
}

/** Templates, and expressions in other files, which `tpl` may execute. */
function filesOf(charts: readonly Chart[]): readonly ChartFile[] {
  return charts.flatMap(({ templates, files }) => [
    ...templates.map(({ file }) => file),
    ...files.flatMap(({ file }) => expressionsIn(file)),
  ]);
}

/** Only the expressions: a README mentions all keys. */
function expressionsIn(file: ChartFile): readonly ChartFile[] {
  const known = expressions.get(file);
  if (known !== undefined) return known;
  const found = file.text.match(/\{\{(?:(?!\{\{|\}\})[\s\S])*\}\}/g) ?? [];
  const made = found.length === 0 ? [] : [{ uri: file.uri, text: found.join("\n") }];
  expressions.set(file, made);
  return made;
}

const expressions = new WeakMap<ChartFile, readonly ChartFile[]>();

function textsIn(value: GoValue): readonly string[] {
  if (typeof value === "string") return value.includes("{{") ? [value] : [];
  if (isGoMap(value)) return [...value.values()].flatMap(textsIn);
  return isGoList(value) ? [...value].flatMap(textsIn) : [];
}

function allCharts(chart: Chart): readonly Chart[] {
  return [chart, ...chart.subcharts.flatMap(allCharts)];
}

const words = new WeakMap<ChartFile, ReadonlySet<string>>();

function wordsOf(file: ChartFile): ReadonlySet<string> {
  const known = words.get(file) ?? new Set(file.text.match(/[\w-]+/g));
  words.set(file, known);
  return known;
}

function literal(text: string): string {
  return text.replace(/[^\w\s]/g, "\\$&");
}
