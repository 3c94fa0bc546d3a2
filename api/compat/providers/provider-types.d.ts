export type { EmailProviderId, OAuthProviderId } from "../providers.ts";
