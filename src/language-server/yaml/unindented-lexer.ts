/**
 * Lexemes of a document whose quoted texts and brackets go on in lines that are indented as far as one likes: YAML wants them
 * further in than their key, kubectl's reader looks at indentation only outside of them.
 * Upstream: go.yaml.in/yaml v2.4 scannerc.go, yaml_parser_scan_flow_scalar, yaml_parser_unroll_indent, yaml_parser_scan_plain_scalar.
 */
import { Lexer } from "yaml";

type Lexemes = Generator<string, unknown, unknown>;

/** The parts of the package's lexer in which it compares indentation with `indentNext`. */
interface IndentingLexer {
  indentNext: number;
  lex(source: string): Iterable<string>;
  parseFlowCollection(): Lexemes;
  parseQuotedScalar(): Lexemes;
}

const PackageLexer = Lexer as unknown as new () => IndentingLexer;

export class UnindentedLexer extends PackageLexer {
  override parseFlowCollection(): Lexemes {
    return this.#withoutIndentation(super.parseFlowCollection());
  }

  override parseQuotedScalar(): Lexemes {
    return this.#withoutIndentation(super.parseQuotedScalar());
  }

  *#withoutIndentation(lexemes: Lexemes): Lexemes {
    const { indentNext } = this;
    this.indentNext = 0;
    const next = yield* lexemes;
    this.indentNext = indentNext;
    return next;
  }
}
