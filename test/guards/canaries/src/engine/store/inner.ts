// accepted
export const name: string = "inner";
