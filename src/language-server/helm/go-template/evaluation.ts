/** Works out the values of pipelines. Upstream: Go 1.25 text/template/exec.go evalPipeline and what it calls. */
import type { Span } from "../../yaml/place.ts";
import { builtins } from "./builtins.ts";
import type { CommandNode, FieldNode, Operand, PipeNode } from "./nodes.ts";
import type { ValuesRead } from "./rendered-text.ts";
import {
  type Call,
  Failure,
  type GoFunction,
  type GoObject,
  type GoValue,
  isGoMap,
  isGoObject,
  isTrue,
} from "./values.ts";
import type { ValuesReads } from "./values-reads.ts";

export interface Variable {
  readonly name: string;
  value: GoValue;
  read: ValuesRead | undefined;
}

/** What a template sees. */
export interface Scope {
  readonly dot: GoValue;
  readonly dotRead: ValuesRead | undefined;
}

/** What other values may mend: one that the template asks for (`required`, `fail`), or the nil that it looks for a field of. */
export type Lack = "value" | "table";

/** The execution that a pipeline is a part of. */
export interface EvaluationScene extends Call {
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly reads: ValuesReads;
  readonly hasFailed: boolean;
  /** Whether the template was given anything to begin with. */
  readonly hasData: boolean;
  variable(name: string): Variable | undefined;
  textOf(node: Span): string;
  /** Says whether there is anything left to do. */
  step(node: Span): boolean;
  deeper(node: Span): boolean;
  shallower(): void;
  fail(node: Span, message: string, lacks?: Lack): void;
  /** A function has changed what it was given. */
  noteChange(value: GoValue): void;
}

/** Where nothing was piped in. */
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
    // What a pipeline or a call has given as nil has fields that are nil, what a map has as nil has none.
    if (base === null && (of.type !== "dot" || !this.#scene.hasData)) return null;
    let at = base;
    for (const [index, field] of fields.entries()) {
      if (this.#scene.hasFailed) return null;
      const isLast = index === fields.length - 1;
      at = isLast
        ? this.#lastMember(node, at, field, args, scope, piped)
        : this.#member(node, at, field, []);
    }
    return at;
  }

  /** What a chain of fields begins with is not what is read. */
  #unread(operand: Operand, scope: Scope): GoValue {
    if (operand.type !== "variable") return this.#operand(operand, scope);
    return this.#scene.reads.unnoted(() => this.#operand(operand, scope));
  }

  #lastMember(
    node: FieldNode,
    receiver: GoValue,
    field: string,
    args: readonly Operand[],
    scope: Scope,
    piped: Piped,
  ): GoValue {
    const values = args.map((arg) => this.#operand(arg, scope));
    if (piped !== missing) values.push(piped);
    if (this.#scene.hasFailed) return null;
    const value = this.#member(node, receiver, field, values);
    this.#scene.reads.note(value, this.#scene.reads.below(receiver, field));
    return value;
  }

  #member(node: FieldNode, receiver: GoValue, field: string, args: readonly GoValue[]): GoValue {
    if (receiver === null) {
      this.#scene.fail(node, `nil pointer evaluating interface {}.${field}`, "table");
      return null;
    }
    if (isGoObject(receiver)) return this.#memberOfObject(node, receiver, field, args);
    if (!isGoMap(receiver)) {
      this.#scene.fail(node, `can't evaluate field ${field} in type interface {}`);
      return null;
    }
    if (args.length > 0) {
      this.#scene.fail(node, `${field} is not a method but has arguments`);
      return null;
    }
    if (!receiver.has(field) && this.#scene.reads.isWhole(receiver) && field === "AsMap")
      return receiver;
    const value = receiver.get(field) ?? null;
    this.#scene.reads.place(value, this.#scene.reads.below(receiver, field));
    return value;
  }

  #memberOfObject(
    node: FieldNode,
    receiver: GoObject,
    field: string,
    args: readonly GoValue[],
  ): GoValue {
    const member = receiver.member(field);
    if (member === undefined)
      this.#scene.fail(node, `can't evaluate field ${field} in type ${receiver.goType}`);
    else if (typeof member === "function")
      return this.#answer(node, field, member(args, this.#scene));
    else if (args.length > 0) this.#scene.fail(node, `${field} is not a method but has arguments`);
    else return member;
    return null;
  }

  #call(
    node: Extract<Operand, { type: "function" }>,
    words: readonly Operand[],
    scope: Scope,
    piped: Piped,
  ): GoValue {
    const { name } = node;
    if (name === "and" || name === "or") return this.#shortCircuit(name, node, words, scope, piped);
    const args: GoValue[] = [];
    for (const word of words) {
      args.push(this.#operand(word, scope));
      if (this.#scene.hasFailed) return null;
    }
    if (piped !== missing) args.push(piped);
    const refused = this.#scene.charge(costOfTexts(args));
    if (refused !== undefined) {
      this.#scene.fail(node, refused.message);
      return null;
    }
    const run = this.#scene.functions.get(name) ?? builtins.get(name);
    if (run === undefined) {
      this.#scene.fail(node, `function "${name}" not defined`);
      return null;
    }
    const value = this.#answer(node, name, run(args, this.#scene));
    if (name === "index") this.#scene.reads.noteIndexed(args, value);
    if (changing.has(name)) this.#scene.noteChange(args[0] ?? null);
    return value;
  }

  /** Upstream: exec.go evalCall, where later arguments are not evaluated once the answer is known. */
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

/** Whatever a function does with a text may take time with its length, be it only to look for something in it. */
function costOfTexts(args: readonly GoValue[]): number {
  let length = 0;
  for (const arg of args) if (typeof arg === "string") length += arg.length;
  return Math.floor(length / lettersPerCharge);
}

const lettersPerCharge = 16;

/** What Go says before it calls. */
const ofTheCall = /^(?:wrong |invalid value; )/;

/** Functions that change the map that they are given first. */
const changing: ReadonlySet<string> = new Set([
  "set",
  "unset",
  "merge",
  "mergeOverwrite",
  "mustMerge",
  "mustMergeOverwrite",
]);
