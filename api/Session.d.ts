export { layer as layerPolicy, SessionPolicy } from "./session/SessionPolicy.ts";
export type { SessionTimes } from "./session/SessionPolicy.ts";
