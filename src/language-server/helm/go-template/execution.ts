/**
 * Executes templates. Upstream: Go 1.25 text/template/exec.go, as used by Helm v4 pkg/engine/engine.go: missing map entries are
 * nil, and `include` and `tpl` are functions. The output remembers where its parts come from.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import type { Span } from "../../yaml/place.ts";
import { Budget, tooMuch } from "./budget.ts";
import { builtins } from "./builtins.ts";
import {
  Evaluation,
  type EvaluationScene,
  type Lack,
  type Scope,
  type Variable,
} from "./evaluation.ts";
import type {
  ActionNode,
  BranchNode,
  NodeList,
  PipeNode,
  TemplateCallNode,
  TemplateNode,
} from "./nodes.ts";
import { parseTemplate } from "./parser.ts";
import { sprint } from "./printf.ts";
import { type RangeItem, rangeItems } from "./range-items.ts";
import {
  includedOrigin,
  indentedText,
  noValue,
  type Origin,
  type RenderedText,
  type TemplateSource,
  TextBuilder,
  type ValuesRead,
  valueRead,
  withoutNoValues,
} from "./rendered-text.ts";
import type { Template, Templates } from "./templates.ts";
import { Failure, type GoFunction, type GoValue, isGoMap, isTrue } from "./values.ts";
import { ValuesReads } from "./values-reads.ts";
import { VariableStack } from "./variable-stack.ts";

export interface ExecutionProblem {
  readonly source: TemplateSource;
  readonly start: number;
  readonly end: number;
  /** In Go's words, without the place. */
  readonly message: string;
  readonly lacks?: Lack;
  /** If it is in another template: the call in the executed template that led there. */
  readonly calledAt?: CallSite;
}

export interface CallSite extends Span {
  readonly source: TemplateSource;
}

export interface Executed {
  readonly output: RenderedText;
  /** Why the execution was aborted; the output is then what had been produced so far. */
  readonly problem?: ExecutionProblem;
  /** Letters produced, plus steps converted to letters; allows limits over many templates. */
  readonly cost: number;
  /**
   * The executed templates by name; undefined if there was none of that name. With the same templates and data, the result is
   * the same.
   */
  readonly used: ReadonlyMap<string, NodeList | undefined>;
  /** True if it has changed its data, which other templates may share. */
  readonly changesData: boolean;
}

/** Each level takes some stack. Upstream's own limit for includes is 1,000. */
const depthMax = 300;

/** Parsing a letter of a template takes as long as printing this many. */
const costOfReading = 4;

type Execute = (
  templates: Templates,
  name: string,
  data: GoValue,
  functions: ReadonlyMap<string, GoFunction>,
) => Executed;

/** Executes the template of that name with the data. Random values are the same in each execution. */
export const execute: Execute = (...what) => {
  const executed = executeAsGo(...what);
  return { ...executed, output: withoutNoValues(executed.output) };
};

/** The same without Helm's changes to the output of a chart's templates. */
export const executeAsGo: Execute = (templates, name, data, functions) => {
  const execution = new Execution(templates, functions, data);
  const output = execution.whole(name);
  const { problem, cost, used, changesData } = execution;
  const made = { output, cost, used, changesData };
  return problem === undefined ? made : { ...made, problem };
};

function dashIn({ dash }: Scope): Pick<Origin, "dash"> {
  return dash === undefined ? {} : { dash };
}

/** True for `eq "-" .storageClass`. */
function comparesWithDash({ commands }: PipeNode): boolean {
  const [command, ...more] = commands;
  if (command === undefined || more.length > 0) return false;
  const [head, ...args] = command.words;
  if (head.type === "pipe") return args.length === 0 && comparesWithDash(head);
  const isDash = args.some((arg) => arg.type === "constant" && arg.value === "-");
  return head.type === "function" && head.name === "eq" && isDash;
}

interface Declared extends Omit<Variable, "name"> {
  readonly reads: readonly ValuesRead[];
}

/** What a loop does next. */
type Flow = "break" | "continue" | undefined;

class Execution implements EvaluationScene {
  problem: ExecutionProblem | undefined;
  /** True if it has changed data that other templates are executed with. */
  changesData = false;
  /** The executed templates by name; undefined if there was none of that name. */
  readonly used: Map<string, NodeList | undefined> = new Map();
  readonly #data: GoValue;
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly reads = new ValuesReads();
  readonly #evaluation = new Evaluation(this);
  #templates: Templates;
  #out = new TextBuilder();
  #variables = new VariableStack<Variable>({ name: "$", value: null, read: undefined });
  /** Undefined in a text passed to `tpl`. */
  #source: TemplateSource | undefined;
  /** The place to blame for mistakes in such a text. */
  #callSite: { readonly source: TemplateSource; readonly node: Span } | undefined;
  #name = "";
  #action: Span = { start: 0, end: 0 };
  #included: RenderedText[] = [];
  /** The outermost first. */
  readonly #callers: CallSite[] = [];
  readonly #budget = new Budget();
  #depth = 0;
  #seed = 1;

  constructor(templates: Templates, functions: ReadonlyMap<string, GoFunction>, data: GoValue) {
    this.#templates = templates;
    this.functions = functions;
    this.#data = data;
    const values = isGoMap(data) ? data.get("Values") : undefined;
    if (isGoMap(values)) this.reads.begin(values);
  }

  whole(name: string): RenderedText {
    const template = this.#named(name);
    return template === undefined
      ? { text: "", pieces: [] }
      : this.template(template, this.#data, name);
  }

  #named(name: string): Template | undefined {
    const template = this.#templates.get(name);
    this.used.set(name, template?.nodes);
    return template;
  }

  template(template: Template, data: GoValue, name: string): RenderedText {
    const before = {
      out: this.#out,
      variables: this.#variables,
      source: this.#source,
      name: this.#name,
      action: this.#action,
    };
    if (before.source !== undefined)
      this.#callers.push({
        source: before.source,
        start: before.action.start,
        end: before.action.end,
      });
    const out = new TextBuilder();
    this.#out = out;
    this.#variables = new VariableStack({ name: "$", value: data, read: undefined });
    this.#source = template.source;
    this.#name = name;
    if (this.deeper(template.nodes[0] ?? this.#action))
      this.reads.unnoted(() => this.#walkList(template.nodes, { dot: data, dotRead: undefined }));
    this.shallower();
    if (before.source !== undefined) this.#callers.pop();
    this.#out = before.out;
    this.#variables = before.variables;
    this.#source = before.source;
    this.#name = before.name;
    this.#action = before.action;
    return out.done();
  }

  charge(size: number): Failure | undefined {
    return this.#budget.charge(size);
  }

  get hasFailed(): boolean {
    return this.problem !== undefined;
  }

  get hasData(): boolean {
    return this.#variables.first?.value !== null;
  }

  noteChange(value: GoValue): void {
    this.changesData ||= value === this.#data || this.reads.isRead(value);
  }

  get cost(): number {
    return this.#budget.cost;
  }

  random(): number {
    // The linear congruential generator of Numerical Recipes: values only have to look random.
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return this.#seed / 2 ** 32;
  }

  include(name: string, data: GoValue): string | Failure {
    const template = this.#named(name);
    if (template === undefined)
      return new Failure(`template: no template ${goQuote(name)} associated with template "gotpl"`);
    const text = this.template(template, data, name);
    if (this.problem !== undefined) return new Failure(this.problem.message);
    this.#included.push(text);
    return text.text;
  }

  execute(text: string, data: GoValue): string | Failure {
    const unpaid = this.charge(text.length * costOfReading);
    if (unpaid !== undefined) return unpaid;
    const parsed = parseTemplate(
      text,
      "gotpl",
      (name) => this.functions.has(name) || builtins.has(name),
    );
    if ("message" in parsed) {
      const line = text.slice(0, parsed.start).split("\n").length;
      const message = `template: gotpl:${line}: ${parsed.message}`;
      return new Failure(`cannot parse template ${goQuote(text)}: ${message}`);
    }
    const [templates, callSite] = [this.#templates, this.#callSite];
    if (parsed.defined.size > 0) {
      const refused = this.charge(templates.size);
      if (refused !== undefined) return refused;
      const own = new Map(templates);
      for (const [name, nodes] of parsed.defined) own.set(name, { nodes, source: undefined });
      this.#templates = own;
    }
    if (this.#source !== undefined) this.#callSite = { source: this.#source, node: this.#action };
    const made = this.template({ nodes: parsed.nodes, source: undefined }, data, this.#name);
    this.#templates = templates;
    this.#callSite = callSite;
    return this.problem === undefined
      ? withoutNoValues(made).text
      : new Failure(this.problem.message);
  }

  #walkList(nodes: NodeList, scope: Scope): Flow {
    for (const node of nodes) {
      if (!this.step(node)) return undefined;
      const flow = this.#walk(node, scope);
      if (flow !== undefined) return flow;
    }
    return undefined;
  }

  #walk(node: TemplateNode, scope: Scope): Flow {
    switch (node.type) {
      case "text":
        this.#write(node.text, {
          ...{ from: node.start, to: node.end, isLiteral: true, reads: [] },
          ...dashIn(scope),
        });
        return undefined;
      case "action":
        this.#walkAction(node, scope);
        return undefined;
      case "template":
        this.#walkTemplate(node, scope);
        return undefined;
      case "if":
      case "with":
        return this.#walkIfOrWith(node, scope);
      case "range":
        this.#walkRange(node, scope);
        return undefined;
      default:
        return node.type;
    }
  }

  #walkAction(node: ActionNode, scope: Scope): void {
    const { pipe } = node;
    const [action, included] = [this.#action, this.#included];
    this.#action = node;
    this.#included = [];
    const { value, reads } = this.#declared(pipe, scope);
    if (pipe.variables.length === 0 && this.problem === undefined)
      this.#print(node, value, { reads, ...dashIn(scope) });
    this.#action = action;
    this.#included = included;
  }

  #print(node: ActionNode, value: GoValue, own: Pick<Origin, "reads" | "dash">): void {
    const text = sprint(value, noValue);
    const [included, ...more] = this.#included;
    const inside = included === undefined || more.length > 0 ? undefined : includedOrigin(included);
    const reads = [...own.reads, ...(inside?.reads ?? [])];
    const place = { from: node.start, to: node.end, isLiteral: false };
    const origin = { ...place, ...own, ...inside, reads };
    if (included === undefined || more.length > 0 || this.#source === undefined)
      this.#write(text, origin);
    else if (this.#isRoomFor(text))
      this.#out.append(indentedText(text, included, { ...origin, source: this.#source }));
  }

  /** A single-line result, usually a name, is attributed to the call. */
  #walkTemplate(node: TemplateCallNode, scope: Scope): void {
    this.#action = node;
    const template = this.#named(node.name);
    if (template === undefined) {
      this.fail(node, `template "${node.name}" not defined`);
      return;
    }
    const data = node.pipe === undefined ? null : this.#evaluation.pipeline(node.pipe, scope);
    if (this.problem !== undefined) return;
    const made = this.template(template, data, node.name);
    if (made.text.trim().includes("\n")) this.#out.append(made);
    else {
      const place = { from: node.start, to: node.end, isLiteral: false };
      this.#write(made.text, { ...place, ...dashIn(scope), ...includedOrigin(made) });
    }
  }

  #walkIfOrWith(node: BranchNode, scope: Scope): Flow {
    const variableCount = this.#variables.count;
    const { value, read, reads } = this.#declared(node.pipe, scope);
    let flow: Flow;
    if (this.problem === undefined) {
      if (!isTrue(value)) flow = this.#walkList(node.otherwise, scope);
      else if (node.type === "if") {
        const dash = comparesWithDash(node.pipe)
          ? reads.find((one) => valueRead(one) === "-")
          : undefined;
        flow = this.#walkList(node.list, dash === undefined ? scope : { ...scope, dash });
      } else flow = this.#walkList(node.list, { dot: value, dotRead: read });
    }
    this.#variables.keep(variableCount);
    return flow;
  }

  #walkRange(node: BranchNode, scope: Scope): void {
    const variableCount = this.#variables.count;
    const value = this.#evaluation.pipeline(node.pipe, scope);
    const items = this.problem === undefined ? rangeItems(value, this) : [];
    if (items instanceof Failure) this.fail(node.pipe, items.message);
    else if (!this.#loop(node, value, items) && this.problem === undefined)
      this.#walkList(node.otherwise, scope);
    this.#variables.keep(variableCount);
  }

  /** Returns true if there was any item. */
  #loop(node: BranchNode, whole: GoValue, items: Iterable<RangeItem>): boolean {
    const { variables, isAssignment } = node.pipe;
    const variableCount = this.#variables.count;
    let isEntered = false;
    for (const [key, item] of items) {
      isEntered = true;
      const read = this.reads.below(whole, typeof key === "bigint" ? Number(key) : String(key));
      this.reads.place(item, read);
      const values = variables.length > 1 ? [key, item] : [item];
      for (const [index, name] of variables.entries()) {
        const value = values[index] ?? null;
        const own = value === item ? read : undefined;
        if (isAssignment) this.#assign(name, value, own);
        else this.#variables.push({ name, value, read: own, isItemOfLoop: true });
      }
      const flow = this.#walkList(node.list, { dot: item, dotRead: read, isItemOfLoop: true });
      this.#variables.keep(variableCount);
      if (flow === "break" || this.problem !== undefined) break;
    }
    return isEntered;
  }

  /** Sets the variables that the pipeline declares; a loop sets them to its items instead. */
  #declared(pipe: PipeNode, scope: Scope): Declared {
    const { value, reads } = this.reads.during(() => this.#evaluation.pipeline(pipe, scope));
    // A value read from several places is attributed to none of them, except a text that is written literally in one.
    const isWritten = (one: ValuesRead): boolean => value !== "" && valueRead(one) === value;
    const read =
      reads.length > 1 && typeof value === "string"
        ? reads.find(isWritten)
        : reads.length === 1
          ? reads[0]
          : undefined;
    for (const name of pipe.variables)
      if (pipe.isAssignment) this.#assign(name, value, read);
      else this.#variables.push({ name, value, read });
    return { value, read, reads };
  }

  #assign(name: string, value: GoValue, read: ValuesRead | undefined): void {
    const variable = this.variable(name);
    if (variable === undefined) {
      this.fail(this.#action, `undefined variable: ${name}`);
      return;
    }
    variable.value = value;
    variable.read = read;
  }

  variable(name: string): Variable | undefined {
    return this.#variables.find(name);
  }

  #write(text: string, origin: Omit<Origin, "source">): void {
    if (!this.#isRoomFor(text)) return;
    const source = this.#source;
    this.#out.write(text, source === undefined ? undefined : { ...origin, source });
  }

  #isRoomFor(text: string): boolean {
    const failure = this.charge(text.length);
    if (failure !== undefined) this.fail(this.#action, failure.message);
    return failure === undefined;
  }

  step(node: Span): boolean {
    if (this.problem !== undefined) return false;
    if (this.#budget.step()) return true;
    this.fail(node, tooMuch);
    return false;
  }

  shallower(): void {
    this.#depth--;
  }

  deeper(node: Span): boolean {
    if (++this.#depth <= depthMax) return this.problem === undefined;
    this.fail(node, "exceeded maximum template depth");
    return false;
  }

  textOf({ start, end }: Span): string {
    return this.#source?.text.slice(start, end) ?? "";
  }

  /** Only the first problem counts, because later ones are consequences. */
  fail(node: Span, message: string, lacks?: Lack): void {
    if (this.problem !== undefined) return;
    const site = this.#source === undefined ? this.#callSite : { source: this.#source, node };
    if (site === undefined) return;
    const { source, node: at } = site;
    const { start, end } = at;
    const [calledAt] = this.#callers;
    this.problem = {
      ...{ source, start, end, message },
      ...(lacks !== undefined && { lacks }),
      ...(calledAt !== undefined && { calledAt }),
    };
  }
}
