// accepted
import { parse } from "yaml";

export const value: unknown = parse("a: 1");
