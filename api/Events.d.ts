import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { VisibleSession } from "./config/SessionParams.ts";
import { type Done } from "./internal/Answer.ts";
import type { Account, AccountId, AdapterSession, JWT, Profile, User, UserId } from "./Models.ts";
export type { VisibleSession } from "./config/SessionParams.ts";
export interface EventMessages {
    readonly signIn: {
        readonly user: User;
        readonly account?: Account | null;
        readonly profile?: Profile;
        readonly isNewUser?: boolean | undefined;
    };
    readonly signOut: {
        readonly token: JWT | null;
        readonly session?: undefined;
    } | {
        readonly session: AdapterSession | null;
        readonly token?: undefined;
    };
    readonly createUser: {
        readonly user: User;
    };
    readonly updateUser: {
        readonly user: User;
    };
    readonly deleteUser: {
        readonly user: User;
    };
    readonly linkAccount: {
        readonly user: User;
        readonly account: Account;
        readonly profile: User;
    };
    readonly addressReleased: {
        readonly email: string;
        readonly userId: UserId;
        readonly previousUserId: UserId;
    };
    readonly reauthenticationRequired: {
        readonly userId: UserId;
        readonly account: AccountId;
    };
    readonly session: {
        readonly session: VisibleSession;
        readonly token?: JWT;
    };
}
type EventAnswer<R = never> = Done<R>;
export type EventsOptions<R = never> = {
    readonly [Name in keyof EventMessages]?: ((message: EventMessages[Name]) => EventAnswer<R>) | undefined;
};
declare const Events_base: Context.ServiceClass<Events, "effect-doorman/Events", {
    readonly emit: <Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]) => Effect.Effect<void>;
}>;
export declare class Events extends Events_base {
}
export declare const make: (options: EventsOptions) => Events["Service"];
