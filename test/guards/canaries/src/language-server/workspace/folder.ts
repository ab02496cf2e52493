// accepted
export const folder: string = "charts";
