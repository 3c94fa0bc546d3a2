export type EmailStatement<P> = "claim" | "unstated" | "no-address" | ((profile: P) => boolean | null | undefined);
