// refused by tsc: TS6059
import { accepted } from "../protocol/accepted.ts";

export const value: string = accepted;
