// refused by tsc: TS6307
import { value } from "../language-server/features/accepted.ts";

export const shown: unknown = value;
