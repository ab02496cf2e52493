/** The nodes of a template. Upstream: Go 1.25 text/template/parse/node.go. */

interface Placed {
  /** Offsets in the template's text. */
  readonly start: number;
  readonly end: number;
}

/** Executed in order. */
export type NodeList = readonly TemplateNode[];

export interface TextNode extends Placed {
  readonly type: "text";
  readonly text: string;
}

/** Prints a value, or sets a variable. Its place includes the delimiters. */
export interface ActionNode extends Placed {
  readonly type: "action";
  readonly pipe: PipeNode;
}

export interface BranchNode extends Placed {
  readonly type: "if" | "with" | "range";
  readonly pipe: PipeNode;
  readonly list: NodeList;
  readonly otherwise: NodeList;
}

export interface TemplateCallNode extends Placed {
  readonly type: "template";
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

export interface LoopNode extends Placed {
  readonly type: "break" | "continue";
}

export type TemplateNode = TextNode | ActionNode | BranchNode | TemplateCallNode | LoopNode;

export interface PipeNode extends Placed {
  readonly type: "pipe";
  /** Names with the dollar sign. */
  readonly variables: readonly string[];
  /** True if the variables exist already. */
  readonly isAssignment: boolean;
  readonly commands: readonly CommandNode[];
}

/** A value, or a function call with its arguments. */
export interface CommandNode extends Placed {
  readonly words: readonly [Operand, ...Operand[]];
}

export interface ConstantNode extends Placed {
  readonly type: "constant";
  readonly value: null | boolean | string | number | bigint;
  /** As written in the template. */
  readonly written: string;
}

export interface DotNode extends Placed {
  readonly type: "dot";
}

export interface FunctionNode extends Placed {
  readonly type: "function";
  readonly name: string;
}

/** `.a.b`, `$x.a.b` or `(…).a.b`. */
export interface FieldNode extends Placed {
  readonly type: "field";
  readonly of: DotNode | VariableNode | Operand;
  readonly fields: readonly string[];
}

export interface VariableNode extends Placed {
  readonly type: "variable";
  readonly name: string;
}

export type Operand = ConstantNode | DotNode | FunctionNode | FieldNode | VariableNode | PipeNode;
