// refused by tsc: TS2304
export const timer: unknown = setTimeout(() => undefined, 1);
