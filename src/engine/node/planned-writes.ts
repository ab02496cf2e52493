/**
 * Predicts what a container writes. Images are not run, so the command has to tell: `fallocate -l SIZE FILE`, `dd of=FILE
 * bs=SIZE count=N`, `head -c SIZE /dev/zero > FILE`. Everything is written as soon as the container has started.
 */
import type { Container } from "../api/types.ts";

/** Returns bytes by file path inside the container. */
export function plannedWrites(container: Container): ReadonlyMap<string, bigint> {
  const text = [...(container.command ?? []), ...(container.args ?? [])].join(" ");
  if (text === "") return noWrites;
  const writes = new Map<string, bigint>();
  for (const command of text.split(/[;&|\n]+/)) {
    const write = allocation(command) ?? copy(command) ?? head(command);
    if (write !== undefined && write.bytes > 0n) writes.set(write.file, write.bytes);
  }
  return writes;
}

const noWrites: ReadonlyMap<string, bigint> = new Map();

interface Write {
  readonly file: string;
  readonly bytes: bigint;
}

function allocation(command: string): Write | undefined {
  const match = /\bfallocate\s+(?:-l\s*|--length[ =])(\w+)\s+(\S+)/.exec(command);
  return match === null ? undefined : { file: match[2] ?? "", bytes: sizeOf(match[1]) };
}

function copy(command: string): Write | undefined {
  const start = command.search(/\bdd\b/);
  const operands = start < 0 ? [] : command.slice(start).split(/\s+/);
  const operand = (name: string): string | undefined =>
    operands
      .findLast((one) => one.startsWith(`${name}=`) && one !== `${name}=`)
      ?.slice(name.length + 1);
  const file = operand("of");
  // Without a count, dd copies an unknown amount.
  const count = operand("count");
  if (file === undefined || count === undefined) return undefined;
  return { file, bytes: sizeOf(operand("bs") ?? "512") * sizeOf(count) };
}

function head(command: string): Write | undefined {
  const match = /\bhead\s+-c\s*(\w+)\s+\/dev\/u?(?:zero|random)\s*>>?\s*(\S+)/.exec(command);
  return match === null ? undefined : { file: match[2] ?? "", bytes: sizeOf(match[1]) };
}

const powers = "KMGTP";

/** Parses a size as coreutils do: `5`, `5M` and `5MiB` are binary, `5MB` is decimal. */
function sizeOf(text = ""): bigint {
  const match = /^(\d+)(?:([KMGTP])(iB|B)?)?$/i.exec(text);
  if (match === null) return 0n;
  const [, digits = "0", letter, suffix] = match;
  const power = letter === undefined ? 0 : powers.indexOf(letter.toUpperCase()) + 1;
  return BigInt(digits) * (suffix === "B" ? 1000n : 1024n) ** BigInt(power);
}
