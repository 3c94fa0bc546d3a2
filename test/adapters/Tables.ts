/** Tables as the documentation of the adapters has them. */

/** `@auth/pg-adapter`: ids are numbers. */
export const pgTables = [
  `create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`,
  `create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text)`,
  `create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null)`,
  `create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz,
    image text)`
]

/** `@auth/drizzle-adapter` on PostgreSQL: times without a zone. */
export const drizzlePostgresTables = [
  `create table "user" (id text primary key, name text, email text unique, "emailVerified" timestamp, image text)`,
  `create table account ("userId" text not null references "user"(id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text,
    primary key (provider, "providerAccountId"))`,
  `create table session ("sessionToken" text primary key, "userId" text not null references "user"(id) on delete cascade,
    expires timestamp not null)`,
  `create table "verificationToken" (identifier text not null, token text not null, expires timestamp not null,
    primary key (identifier, token))`,
  `create table authenticator ("credentialID" text not null unique,
    "userId" text not null references "user"(id) on delete cascade, "providerAccountId" text not null,
    "credentialPublicKey" text not null, counter integer not null, "credentialDeviceType" text not null,
    "credentialBackedUp" boolean not null, transports text, primary key ("userId", "credentialID"))`
]

/** `@auth/drizzle-adapter` on SQLite: times are milliseconds, truths are numbers. */
export const drizzleSqliteTables = `
  create table user (id text primary key, name text, email text unique, emailVerified integer, image text);
  create table account (
    userId text not null references user(id) on delete cascade, type text not null, provider text not null,
    providerAccountId text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, providerAccountId)
  );
  create table session (
    sessionToken text primary key, userId text not null references user(id) on delete cascade, expires integer not null
  );
  create table verificationToken (
    identifier text not null, token text not null, expires integer not null, primary key (identifier, token)
  );
  create table authenticator (
    credentialID text not null unique, userId text not null references user(id) on delete cascade,
    providerAccountId text not null, credentialPublicKey text not null, counter integer not null,
    credentialDeviceType text not null, credentialBackedUp integer not null, transports text,
    primary key (userId, credentialID)
  );`

/** `@auth/kysely-adapter` on PostgreSQL: ids are of the type uuid. */
export const kyselyPostgresTables = [
  `create table "User" (id uuid primary key default gen_random_uuid(), name text, email text not null unique,
    "emailVerified" timestamptz, image text)`,
  `create table "Account" (id uuid primary key default gen_random_uuid(),
    "userId" uuid not null references "User"(id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, token_type text,
    scope text, id_token text, session_state text)`,
  `create table "Session" (id uuid primary key default gen_random_uuid(),
    "userId" uuid not null references "User"(id) on delete cascade, "sessionToken" text not null unique,
    expires timestamptz not null)`,
  `create table "VerificationToken" (identifier text not null, token text not null unique, expires timestamptz not null)`
]

/** `@auth/kysely-adapter` on SQLite: times are text. */
export const kyselySqliteTables = `
  create table "User" (id text primary key, name text, email text not null unique, "emailVerified" text, image text);
  create table "Account" (
    id text primary key, "userId" text not null references "User"(id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text
  );
  create table "Session" (
    id text primary key, "userId" text not null references "User"(id) on delete cascade,
    "sessionToken" text not null unique, expires text not null
  );
  create table "VerificationToken" (identifier text not null, token text not null unique, expires text not null);`
