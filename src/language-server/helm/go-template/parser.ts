/**
 * Parses a template. Upstream: Go 1.25 text/template/parse/parse.go. Whether functions exist is checked by the caller's
 * `hasFunction`.
 */

import { goQuote } from "../../../engine/api/go/text.ts";
import { numberOf, textOfQuoted } from "./constants.ts";
import { type Token, type TokenType, tokensOf } from "./lexer.ts";
import type {
  BranchNode,
  CommandNode,
  NodeList,
  Operand,
  PipeNode,
  TemplateCallNode,
  TemplateNode,
} from "./nodes.ts";
import { VariableStack } from "./variable-stack.ts";

export interface ParseProblem {
  readonly start: number;
  readonly end: number;
  /** In Go's words, without the place. */
  readonly message: string;
}

export interface ParsedTemplate {
  readonly nodes: NodeList;
  /** The templates of `define` and `block`, in order. */
  readonly defined: ReadonlyMap<string, NodeList>;
}

/** Returns the first problem if the template is invalid. */
export function parseTemplate(
  source: string,
  name: string,
  hasFunction: (name: string) => boolean,
): ParsedTemplate | ParseProblem {
  const parser = new Parser(source, name, hasFunction);
  const nodes = parser.template();
  return parser.problem ?? { nodes, defined: parser.defined };
}

/** How a list of nodes ended. */
type ListEnd = "end" | "else" | undefined;

/** Deeper than anybody nests; each level takes some stack. */
const depthMax = 200;

/** After the first problem all tokens are treated as the end, so that every loop terminates. */
class Parser {
  readonly defined: Map<string, NodeList> = new Map();
  problem: ParseProblem | undefined;
  readonly #source: string;
  readonly #name: string;
  readonly #tokens: readonly Token[];
  readonly #hasFunction: (name: string) => boolean;
  #next = 0;
  #variables = new VariableStack({ name: "$" });
  #rangeDepth = 0;
  #depth = 0;

  constructor(source: string, name: string, hasFunction: (name: string) => boolean) {
    this.#source = source;
    this.#name = name;
    this.#tokens = tokensOf(source);
    this.#hasFunction = hasFunction;
  }

  template(): NodeList {
    const nodes: TemplateNode[] = [];
    while (this.#peek().type !== "end" && this.problem === undefined) {
      const open = this.#peek();
      const [node, end] = this.#textOrAction(true);
      if (end !== undefined) this.#fail(`unexpected {{${end}}}`, open);
      else if (node !== undefined) nodes.push(node);
    }
    return nodes;
  }

  #list(): readonly [NodeList, ListEnd] {
    const nodes: TemplateNode[] = [];
    this.#deeper();
    while (this.problem === undefined) {
      if (this.#peek().type === "end") {
        this.#fail("unexpected EOF");
        break;
      }
      const [node, end] = this.#textOrAction(false);
      if (end !== undefined) {
        this.#depth--;
        return [nodes, end];
      }
      if (node !== undefined) nodes.push(node);
    }
    this.#depth--;
    return [nodes, undefined];
  }

  #deeper(): void {
    if (++this.#depth > depthMax) this.#fail("exceeded maximum nesting depth");
  }

  #textOrAction(isOutermost: boolean): readonly [TemplateNode | undefined, ListEnd] {
    const token = this.#take();
    if (token.type === "text") {
      const { text, start, end } = token;
      return [{ type: "text", text, start, end }, undefined];
    }
    if (token.type !== "left") {
      this.#unexpected(token, "input");
      return [undefined, undefined];
    }
    const first = this.#peekWord();
    if (first.type !== "keyword") return [this.#action(token), undefined];
    this.#takeWord();
    return this.#keyword(first, token, isOutermost);
  }

  #keyword(
    keyword: Token,
    open: Token,
    isOutermost: boolean,
  ): readonly [TemplateNode | undefined, ListEnd] {
    switch (keyword.text) {
      case "define":
        if (isOutermost) this.#definition(open);
        else this.#unexpected(keyword, "command");
        return [undefined, undefined];
      case "block":
        return [this.#block(open), undefined];
      case "break":
      case "continue":
        return [this.#loopControl(keyword.text, open), undefined];
      case "if":
      case "with":
      case "range":
        return [this.#branch(keyword.text, open), undefined];
      case "template":
        return [this.#templateCall(open), undefined];
      case "end":
        this.#right("end");
        return [undefined, "end"];
      default:
        if (!this.#isElseBranch()) this.#right("else");
        return [undefined, "else"];
    }
  }

  #isElseBranch(): boolean {
    const { type, text } = this.#peekWord();
    return type === "keyword" && (text === "if" || text === "with");
  }

  #action(open: Token): TemplateNode {
    const pipe = this.#pipeline("command", "right");
    return { type: "action", pipe, start: open.start, end: this.#lastEnd() };
  }

  #loopControl(type: "break" | "continue", open: Token): TemplateNode {
    const next = this.#takeWord();
    if (next.type !== "right") this.#unexpected(next, `{{${type}}}`);
    else if (this.#rangeDepth === 0) this.#fail(`{{${type}}} outside {{range}}`, open);
    return { type, start: open.start, end: this.#lastEnd() };
  }

  #branch(type: BranchNode["type"], open: Token): BranchNode {
    const variableCount = this.#variables.count;
    const pipe = this.#pipeline(type, "right");
    const end = this.#lastEnd();
    if (type === "range") this.#rangeDepth++;
    const [list, how] = this.#list();
    if (type === "range") this.#rangeDepth--;
    const otherwise = how === "else" ? this.#otherwise(type) : [];
    this.#variables.keep(variableCount);
    return { type, pipe, list, otherwise, start: open.start, end };
  }

  /** After `else`: another branch, which shares the end, or a list. */
  #otherwise(type: BranchNode["type"]): NodeList {
    const next = this.#peekWord();
    if (next.type === "keyword") {
      if (next.text !== type || type === "range") {
        this.#unexpected(next, "input");
        return [];
      }
      this.#takeWord();
      this.#deeper();
      const branch = this.#branch(type, next);
      this.#depth--;
      return [branch];
    }
    const [nodes, how] = this.#list();
    if (how === "else") this.#fail("expected end; found {{else}}");
    return nodes;
  }

  #definition(open: Token): void {
    const name = this.#quotedName("define clause");
    this.#right("define clause");
    this.#define(name, this.#inOwnScope(), open);
  }

  #block(open: Token): TemplateCallNode {
    const name = this.#quotedName("block clause");
    const pipe = this.#pipeline("block clause", "right");
    const end = this.#lastEnd();
    this.#define(name, this.#inOwnScope(), open);
    return { type: "template", name, pipe, start: open.start, end };
  }

  #inOwnScope(): NodeList {
    const [variables, rangeDepth] = [this.#variables, this.#rangeDepth];
    this.#variables = new VariableStack({ name: "$" });
    this.#rangeDepth = 0;
    const [nodes, how] = this.#list();
    if (how === "else") this.#fail("unexpected {{else}} in define clause");
    this.#variables = variables;
    this.#rangeDepth = rangeDepth;
    return nodes;
  }

  /** An empty definition does not replace an earlier one of that name. Upstream: parse.go Tree.add. */
  #define(name: string, nodes: NodeList, open: Token): void {
    const before = this.defined.get(name);
    if (before === undefined || isBlank(before)) this.defined.set(name, nodes);
    else if (!isBlank(nodes)) this.#fail(`multiple definition of template "${name}"`, open);
  }

  #templateCall(open: Token): TemplateCallNode {
    const name = this.#quotedName("template clause");
    const hasPipe = this.#peekWord().type !== "right";
    const pipe = hasPipe ? this.#pipeline("template clause", "right") : undefined;
    if (!hasPipe) this.#takeWord();
    return { type: "template", name, pipe, start: open.start, end: this.#lastEnd() };
  }

  #quotedName(context: string): string {
    const token = this.#takeWord();
    if (token.type === "string") return textOfQuoted(token.text) ?? "";
    this.#unexpected(token, context);
    return "";
  }

  #pipeline(context: string, end: "right" | ")"): PipeNode {
    this.#deeper();
    const first = this.#peekWord();
    const declared = this.#declarations(context);
    const commands: CommandNode[] = [];
    while (this.problem === undefined) {
      const token = this.#peekWord();
      if (token.type === end) {
        this.#takeWord();
        break;
      }
      if (!startsOperand.has(token.type)) {
        this.#unexpected(this.#takeWord(), context);
        break;
      }
      const command = this.#command();
      if (command !== undefined) commands.push(command);
    }
    this.#depth--;
    this.#checkPipeline(context, commands);
    // A declared variable exists only after its pipeline; whether an assigned one exists is checked on assignment.
    for (const name of declared.variables) this.#variables.push({ name });
    return { type: "pipe", ...declared, commands, start: first.start, end: this.#lastEnd() };
  }

  #checkPipeline(context: string, commands: readonly CommandNode[]): void {
    if (this.problem !== undefined) return;
    if (commands.length === 0) this.#fail(`missing value for ${context}`);
    for (const [index, { words }] of commands.entries()) {
      const [{ type }] = words;
      if (index > 0 && (type === "constant" || type === "dot"))
        this.#fail(`non executable command in pipeline stage ${index + 1}`);
    }
  }

  #declarations(context: string): Pick<PipeNode, "variables" | "isAssignment"> {
    const variables: string[] = [];
    for (;;) {
      const before = this.#next;
      if (this.#peekWord().type !== "variable") break;
      const { text } = this.#takeWord();
      const next = this.#peekWord();
      if (next.type === "assign" || next.type === "declare") {
        this.#takeWord();
        return { variables: [...variables, text], isAssignment: next.type === "assign" };
      }
      if (next.type !== "comma") {
        this.#next = before;
        break;
      }
      this.#takeWord();
      variables.push(text);
      if (context !== "range" || variables.length > 1) {
        this.#fail(`too many declarations in ${context}`);
        break;
      }
    }
    if (variables.length > 0) this.#fail("range can only initialize variables");
    return { variables: [], isAssignment: false };
  }

  #command(): CommandNode | undefined {
    const words: Operand[] = [];
    const first = this.#peekWord();
    let isOpen = true;
    while (isOpen && this.problem === undefined) {
      this.#skipSpace();
      const operand = this.#operand();
      if (operand !== undefined) words.push(operand);
      const token = this.#take();
      if (token.type === "right" || token.type === ")") this.#next--;
      else if (token.type !== "space" && token.type !== "pipe") this.#unexpected(token, "operand");
      isOpen = token.type === "space";
    }
    const [head, ...rest] = words;
    if (head !== undefined) {
      const { end } = rest.at(-1) ?? head;
      return { words: [head, ...rest], start: first.start, end };
    }
    this.#fail("empty command");
    return undefined;
  }

  /** A term and the fields that follow it without a space. */
  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#peek().type !== "field") return term;
    const fields: string[] = [];
    while (this.#peek().type === "field") fields.push(this.#take().text.slice(1));
    const { start } = term;
    const end = this.#lastEnd();
    if (term.type === "field") return { ...term, fields: [...term.fields, ...fields], end };
    if (term.type === "constant" || term.type === "dot")
      this.#fail(`unexpected . after term ${goQuote(this.#source.slice(start, term.end))}`);
    return { type: "field", of: term, fields, start, end };
  }

  #term(): Operand | undefined {
    const token = this.#take();
    const { type, text, start, end } = token;
    switch (type) {
      case "identifier":
        if (!this.#hasFunction(text)) this.#fail(`function "${text}" not defined`, token);
        return { type: "function", name: text, start, end };
      case "dot":
        return { type: "dot", start, end };
      case "nil":
        return { type: "constant", value: null, written: text, start, end };
      case "bool":
        return { type: "constant", value: text === "true", written: text, start, end };
      case "variable":
        if (this.#variables.find(text) === undefined)
          this.#fail(`undefined variable "${text}"`, token);
        return { type: "variable", name: text, start, end };
      case "field":
        return {
          type: "field",
          of: { type: "dot", start, end },
          fields: [text.slice(1)],
          start,
          end,
        };
      case "number":
      case "character":
      case "string":
        return this.#constant(token);
      case "(": {
        const pipe = this.#pipeline("parenthesized pipeline", ")");
        return { ...pipe, start, end: this.#lastEnd() };
      }
      default:
        this.#next--;
        return undefined;
    }
  }

  #constant(token: Token): Operand {
    const { type, text, start, end } = token;
    const value = type === "string" ? textOfQuoted(text) : numberOf(text);
    if (value === undefined) this.#fail(malformed(token), token);
    return { type: "constant", value: value ?? null, written: text, start, end };
  }

  #right(context: string): void {
    const token = this.#takeWord();
    if (token.type !== "right") this.#unexpected(token, context);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? nothing;
  }

  #take(): Token {
    const token = this.#peek();
    if (this.#next < this.#tokens.length) this.#next++;
    return token;
  }

  #skipSpace(): void {
    if (this.#peek().type === "space") this.#next++;
  }

  #peekWord(): Token {
    const here = this.#peek();
    return here.type === "space" ? (this.#tokens[this.#next + 1] ?? nothing) : here;
  }

  #takeWord(): Token {
    this.#skipSpace();
    return this.#take();
  }

  #lastEnd(): number {
    return this.#tokens[this.#next - 1]?.end ?? 0;
  }

  #unexpected(token: Token, context: string): void {
    if (token.type === "error") this.#fail(token.text + this.#behindStart(token), token);
    else if (token.type === "end") this.#fail("unexpected EOF", token);
    else this.#fail(`unexpected ${printToken(token)} in ${context}`, token);
  }

  /** An addition to the message if the problem is on a later line than the start of its action. */
  #behindStart({ text, start }: Token): string {
    const before = this.#tokens.slice(0, this.#next);
    const open = before.findLast(({ type }) => type === "left" || type === "right");
    if (open?.type !== "left" || !this.#source.slice(open.start, start).includes("\n")) return "";
    const line = this.#source.slice(0, open.start).split("\n").length;
    const action = text.endsWith(" action") ? "" : " in action";
    return `${action} started at ${this.#name}:${line}`;
  }

  #fail(message: string, at: Token = this.#tokens[this.#next - 1] ?? this.#peek()): void {
    this.problem ??= { start: at.start, end: at.end, message };
  }
}

function malformed({ type, text }: Token): string {
  if (type === "string") return "invalid syntax";
  // An unsigned number of up to 64 bits is only refused when it is used.
  if (/^[1-9]\d*$/.test(text))
    return BigInt(text) < 2n ** 64n ? `${text} overflows int` : `integer overflow: "${text}"`;
  return type === "number"
    ? `illegal number syntax: ${goQuote(text)}`
    : `malformed character constant: ${text}`;
}

const nothing: Token = { type: "end", text: "", start: 0, end: 0 };

const startsOperand: ReadonlySet<TokenType> = new Set([
  "bool",
  "character",
  "dot",
  "field",
  "identifier",
  "number",
  "nil",
  "string",
  "variable",
  "(",
]);

/** Like Go's item.String. */
function printToken({ type, text }: Token): string {
  if (type === "keyword" || type === "dot" || type === "nil") return `<${text}>`;
  const quoted = JSON.stringify(text.length > 10 ? text.slice(0, 10) : text);
  return text.length > 10 ? `${quoted}...` : quoted;
}

/** True if only spaces are printed. Upstream: text/template/parse/parse.go IsEmptyTree. */
export function isBlank(nodes: NodeList): boolean {
  return nodes.every((node) => node.type === "text" && node.text.trim() === "");
}
