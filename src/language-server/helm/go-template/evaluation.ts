/** Evaluates pipelines. Upstream: Go 1.25 text/template/exec.go evalPipeline and what it calls. */
import type { Span } from "../../yaml/place.ts";
import { builtins } from "./builtins.ts";
import type { CommandNode, FieldNode, Operand, PipeNode } from "./nodes.ts";
import { constantGiven, parameterType, valueGiven, wrongCount } from "./parameters.ts";
import type { ValuesRead } from "./rendered-text.ts";
import { typeName } from "./type-name.ts";
import {
  type Call,
  Failure,
  type GoFunction,
  type GoMap,
  type GoValue,
  isGoMap,
  isGoObject,
  isTrue,
  type Parameters,
} from "./values.ts";
import type { ValuesReads } from "./values-reads.ts";

export interface Variable {
  readonly name: string;
  value: GoValue;
  read: ValuesRead | undefined;
  /** True if Go only knows its static type, which is that of all items. */
  readonly isItemOfLoop?: boolean;
}

/** What a template can access. */
export interface Scope {
  readonly dot: GoValue;
  readonly dotRead: ValuesRead | undefined;
  readonly isItemOfLoop?: boolean;
  /** The value that is known to be a dash in this scope. */
  readonly dash?: ValuesRead | undefined;
}

/**
 * What other values could fix: a value that the template asks for (`required`, `fail`), or a nil that it accesses a field of.
 */
export type Lack = "value" | "table";

/** The execution that a pipeline is a part of. */
export interface EvaluationScene extends Call {
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly reads: ValuesReads;
  readonly hasFailed: boolean;
  /** True if the template was executed with any data. */
  readonly hasData: boolean;
  variable(name: string): Variable | undefined;
  textOf(node: Span): string;
  /** Takes a step; false if there is none left. */
  step(node: Span): boolean;
  deeper(node: Span): boolean;
  shallower(): void;
  fail(node: Span, message: string, lacks?: Lack): void;
  /** Called when a function has changed its argument. */
  noteChange(value: GoValue): void;
}

/** Stands for the absence of a piped value. */
const missing: unique symbol = Symbol("missing");
type Piped = GoValue | typeof missing;

export class Evaluation {
  readonly #scene: EvaluationScene;

  constructor(scene: EvaluationScene) {
    this.#scene = scene;
  }

  pipeline(pipe: PipeNode, scope: Scope): GoValue {
    let piped: Piped = missing;
    if (this.#scene.deeper(pipe))
      for (const command of pipe.commands) {
        if (!this.#scene.step(command)) break;
        piped = this.#command(command, scope, piped);
      }
    this.#scene.shallower();
    return piped === missing ? null : piped;
  }

  #command({ words }: CommandNode, scope: Scope, piped: Piped): GoValue {
    const [head, ...args] = words;
    if (head.type === "function") return this.#call(head, args, scope, piped);
    if (head.type === "field") return this.#field(head, args, scope, piped);
    if (args.length > 0 || piped !== missing) {
      this.#scene.fail(head, `can't give argument to non-function ${this.#scene.textOf(head)}`);
      return null;
    }
    if (head.type === "constant" && head.value === null) {
      this.#scene.fail(head, "nil is not a command");
      return null;
    }
    return this.#operand(head, scope);
  }

  #operand(operand: Operand, scope: Scope): GoValue {
    switch (operand.type) {
      case "constant":
        return operand.value;
      case "dot":
        this.#scene.reads.note(scope.dot, scope.dotRead);
        return scope.dot;
      case "variable": {
        const variable = this.#scene.variable(operand.name);
        if (variable === undefined) return null;
        this.#scene.reads.note(variable.value, variable.read);
        return variable.value;
      }
      case "field":
        return this.#field(operand, [], scope, missing);
      case "function":
        return this.#call(operand, [], scope, missing);
      default:
        return this.pipeline(operand, scope);
    }
  }

  #field(node: FieldNode, args: readonly Operand[], scope: Scope, piped: Piped): GoValue {
    const { of, fields } = node;
    const base = of.type === "dot" ? scope.dot : this.#unread(of, scope);
    // A nil from a pipeline or call has fields that are nil; a nil in a map has none.
    if (base === null && (of.type !== "dot" || !this.#scene.hasData)) return null;
    let at = base;
    let hasAnyType = isItem(of, scope, this.#scene);
    for (const [index, field] of fields.entries()) {
      if (this.#scene.hasFailed) return null;
      const isLast = index === fields.length - 1;
      const found: Member = { node, receiver: at, field, hasAnyType };
      at = isLast
        ? this.#lastMember(found, args, scope, piped)
        : this.#member(found, { hasArguments: false });
      hasAnyType = true;
    }
    return at;
  }

  /** The value at the start of a chain of fields does not itself count as read. */
  #unread(operand: Operand, scope: Scope): GoValue {
    if (operand.type !== "variable") return this.#operand(operand, scope);
    return this.#scene.reads.unnoted(() => this.#operand(operand, scope));
  }

  #lastMember(member: Member, args: readonly Operand[], scope: Scope, piped: Piped): GoValue {
    const { node, receiver, field } = member;
    const method = isGoObject(receiver) ? receiver.member(field) : undefined;
    if (typeof method === "function") {
      const called = { name: field, start: node.start, end: node.end };
      const given = this.#arguments(called, method.parameters ?? anything, args, scope, piped);
      return given === undefined ? null : this.#answer(node, field, method(given, this.#scene));
    }
    const hasArguments = args.length > 0 || piped !== missing;
    const value = this.#member(member, { hasArguments });
    this.#scene.reads.note(value, this.#scene.reads.below(receiver, field));
    return value;
  }

  #member(
    { node, receiver, field, hasAnyType }: Member,
    { hasArguments }: { readonly hasArguments: boolean },
  ): GoValue {
    const refuse = (message: string): null => {
      this.#scene.fail(node, message);
      return null;
    };
    if (receiver === null) {
      this.#scene.fail(node, `nil pointer evaluating interface {}.${field}`, "table");
      return null;
    }
    const isObject = isGoObject(receiver);
    const member = isObject ? receiver.member(field) : undefined;
    if (isObject ? member === undefined : !isGoMap(receiver)) {
      const type = hasAnyType && !isObject ? "interface {}" : typeName(receiver);
      return refuse(`can't evaluate field ${field} in type ${type}`);
    }
    if (hasArguments) return refuse(`${field} is not a method but has arguments`);
    if (typeof member === "function") return this.#answer(node, field, member([], this.#scene));
    return isGoMap(receiver) ? this.#entry(receiver, field) : (member ?? null);
  }

  #entry(map: GoMap, field: string): GoValue {
    if (!map.has(field) && field === "AsMap" && this.#scene.reads.isWhole(map))
      return this.#asMap(map);
    const value = map.get(field) ?? null;
    this.#scene.reads.place(value, this.#scene.reads.below(map, field));
    return value;
  }

  /**
   * Returns a copy, because values have a type of their own, and what a template sets in the map must not change the values.
   */
  #asMap(values: GoMap): GoMap {
    const plain = new Map(this.#scene.charge(values.size) === undefined ? values : []);
    this.#scene.reads.place(plain, { root: values, path: [] });
    return plain;
  }

  #call(
    node: Extract<Operand, { type: "function" }>,
    words: readonly Operand[],
    scope: Scope,
    piped: Piped,
  ): GoValue {
    const { name } = node;
    if (name === "and" || name === "or") return this.#shortCircuit(name, node, words, scope, piped);
    const run = this.#scene.functions.get(name) ?? builtins.get(name);
    if (run === undefined) {
      this.#scene.fail(node, `function "${name}" not defined`);
      return null;
    }
    const args = this.#arguments(node, run.parameters ?? anything, words, scope, piped);
    if (args === undefined) return null;
    const [word] = words;
    if (name === "len" && args[0] === null && !(word && isItem(word, scope, this.#scene)))
      return this.#answer(node, name, typeOfNothing);
    const refused = this.#scene.charge(costOfTexts(args));
    if (refused !== undefined) {
      this.#scene.fail(node, refused.message);
      return null;
    }
    const value = this.#answer(node, name, run(args, this.#scene));
    if (name === "index") this.#scene.reads.noteIndexed(args, value);
    if (changing.has(name)) this.#scene.noteChange(args[0] ?? null);
    return value;
  }

  /** Undefined if the call has been refused. Problems with a piped value are reported at the last word before it. */
  #arguments(
    node: Span & { readonly name: string },
    parameters: Parameters,
    words: readonly Operand[],
    scope: Scope,
    piped: Piped,
  ): readonly GoValue[] | undefined {
    const count = words.length + (piped === missing ? 0 : 1);
    const refused = wrongCount(node.name, parameters, count);
    if (refused !== undefined) this.#scene.fail(node, refused);
    const args: GoValue[] = [];
    const take = (at: Span, given: GoValue | Failure): void => {
      if (given instanceof Failure) this.#scene.fail(at, given.message);
      else args.push(given);
    };
    for (const [index, word] of words.entries()) {
      if (this.#scene.hasFailed) return undefined;
      const type = parameterType(parameters, index);
      if (word.type === "constant") take(word, constantGiven(word, type));
      else {
        const value = this.#operand(word, scope);
        take(word, valueGiven(value, type, isItem(word, scope, this.#scene)));
      }
    }
    if (piped !== missing && !this.#scene.hasFailed) {
      const type = parameterType(parameters, words.length);
      take(words.at(-1) ?? node, valueGiven(piped, type, false));
    }
    return this.#scene.hasFailed ? undefined : args;
  }

  /** Upstream: exec.go evalCall, which does not evaluate later arguments once the result is known. */
  #shortCircuit(
    name: "and" | "or",
    node: Span,
    words: readonly Operand[],
    scope: Scope,
    piped: Piped,
  ): GoValue {
    let value: Piped = missing;
    for (const word of words) {
      value = this.#operand(word, scope);
      if (this.#scene.hasFailed) return null;
      if (isTrue(value) === (name === "or")) return value;
    }
    if (piped !== missing) return piped;
    if (value !== missing) return value;
    this.#scene.fail(node, `wrong number of args for ${name}: want at least 1 got 0`);
    return null;
  }

  #answer(node: Span, name: string, answer: GoValue | Failure): GoValue {
    if (!(answer instanceof Failure)) return answer;
    const isDemand = name === "required" || name === "fail";
    const isBare = isDemand || ofTheCall.test(answer.message);
    this.#scene.fail(
      node,
      isBare ? answer.message : `error calling ${name}: ${answer.message}`,
      isDemand ? "value" : undefined,
    );
    return null;
  }
}

/** A field of a value, with the value. */
interface Member {
  readonly node: FieldNode;
  readonly receiver: GoValue;
  readonly field: string;
  /** True if Go knows no more of its type than `interface {}`. */
  readonly hasAnyType: boolean;
}

/** True if a word stands for an entry of a map or list, whose static type is that of all entries. */
function isItem(
  word: Operand,
  { isItemOfLoop }: Scope,
  scene: Pick<EvaluationScene, "hasData" | "variable">,
): boolean {
  if (word.type === "field") return scene.hasData;
  if (word.type === "dot") return isItemOfLoop === true;
  return word.type === "variable" && scene.variable(word.name)?.isItemOfLoop === true;
}

/** For a nil without a type, which only occurs in a map or list. */
const typeOfNothing = new Failure("reflect: call of reflect.Value.Type on zero Value");

const anything: Parameters = { fixed: [], rest: "any" };

/** Anything that a function does with a text may take time proportional to its length, even searching it. */
function costOfTexts(args: readonly GoValue[]): number {
  let length = 0;
  for (const arg of args) if (typeof arg === "string") length += arg.length;
  return Math.floor(length / lettersPerCharge);
}

const lettersPerCharge = 16;

/** Go's messages before a call takes place. */
const ofTheCall = /^(?:wrong |invalid value; )/;

/** Functions that change their first argument, a map. */
const changing: ReadonlySet<string> = new Set([
  "set",
  "unset",
  "merge",
  "mergeOverwrite",
  "mustMerge",
  "mustMergeOverwrite",
]);
