/** Paths, methods and bodies: which request reaches which action. */
import type { Scenario } from "../Scenario.ts"
import { bare, get, type Options, post, scenario } from "./Table.ts"

const methods: ReadonlyArray<string> = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

const known: ReadonlyArray<string> = [
  "session",
  "csrf",
  "providers",
  "signin",
  "signin/acme",
  "signin/password",
  "signout",
  "error",
  "verify-request",
  "callback/acme",
  "callback/password",
  "webauthn-options/acme"
]

const paths: ReadonlyArray<string> = [
  "/auth",
  "/auth/",
  "/",
  "/other",
  "/authsession",
  "/auth//session",
  "/auth/session/",
  "/auth/session//",
  "/auth/session/x",
  "/auth/csrf/",
  "/auth/unknown",
  "/auth/signin/acme/acme",
  "/auth/signin/acme/",
  "/auth/signin/unknown",
  "/auth/callback",
  "/auth/callback/unknown",
  "/auth/callback/undefined",
  "/auth/signin/undefined",
  "/auth/callback/__proto__",
  "/auth/__proto__",
  "/auth/toString",
  "/auth/constructor",
  "/auth/%73ession",
  "/auth/session%2f",
  "/auth/session;x=1",
  "/auth/session%00",
  "/auth/callback/..%2fsession",
  "/AUTH/session",
  "/auth/Session",
  "/auth/signin/hasOwnProperty",
  "/auth/auth/session",
  "/auth/signout/acme",
  "/auth/error/acme",
  "/auth/verify-request/x",
  "/auth/csrf/x",
  "/auth/providers/x",
  `/auth/${"x".repeat(2000)}`,
  "/auth/webauthn-options",
  "/auth/webauthn-options/acme"
]

interface BodyRow {
  readonly name: string
  readonly path: string
  readonly more: Parameters<typeof bare>[1]
  readonly options?: Options
}

const token = "0123456789abcdef".repeat(4)

const bodies: ReadonlyArray<BodyRow> = [
  { name: "JSON malformed", path: "/auth/signout", more: { text: "{", contentType: "application/json" } },
  { name: "JSON null", path: "/auth/signout", more: { text: "null", contentType: "application/json" } },
  { name: "JSON array", path: "/auth/signout", more: { text: "[]", contentType: "application/json" } },
  { name: "JSON number", path: "/auth/signout", more: { text: "1", contentType: "application/json" } },
  {
    name: "JSON with charset",
    path: "/auth/signout",
    more: { json: {}, csrf: "held", contentType: "application/json; charset=utf-8" }
  },
  { name: "JSON empty", path: "/auth/signout", more: { text: "", contentType: "application/json" } },
  { name: "text", path: "/auth/signout", more: { text: `csrfToken=${token}`, contentType: "text/plain" } },
  {
    name: "text claiming JSON",
    path: "/auth/signout",
    more: { text: `{"csrfToken":"${token}"}`, contentType: "text/plain; x=application/json" }
  },
  {
    name: "multipart",
    path: "/auth/signout",
    more: { text: "--b\r\n\r\n--b--", contentType: "multipart/form-data; boundary=b" }
  },
  {
    name: "form with charset",
    path: "/auth/signout",
    more: { form: {}, csrf: "held", contentType: "application/x-www-form-urlencoded;charset=UTF-8" }
  },
  {
    name: "form with a duplicate token, last right",
    path: "/auth/signout",
    more: { text: `csrfToken=x&csrfToken=${token}`, contentType: "application/x-www-form-urlencoded" }
  },
  { name: "no body", path: "/auth/signout", more: {} },
  { name: "no content type", path: "/auth/signout", more: { text: "x=1", contentType: "" } },
  { name: "100 kB", path: "/auth/signout", more: { form: { filler: "x".repeat(100_000) }, csrf: "held" } },
  { name: "token as number in JSON", path: "/auth/signout", more: { json: { csrfToken: 5 } } },
  { name: "token as array in JSON", path: "/auth/signout", more: { json: { csrfToken: [token] } } },
  { name: "token in the query", path: `/auth/signout?csrfToken=${token}`, more: { form: {} } }
]

/** The scenarios of this file. */
export const routes: ReadonlyArray<Scenario> = [
  ...known.flatMap((path) =>
    methods.map((method) => scenario("route", `${method} ${path}`, [{ make: { method, path: `/auth/${path}` } }]))
  ),
  ...paths.map((path) => scenario("path", `GET ${path.slice(0, 60)}`, [get(path)])),
  ...[
    "/auth//session",
    "/auth/unknown",
    "/auth/signin/unknown",
    "/auth/callback",
    "/auth/callback/unknown",
    "/auth/session/x"
  ].map((path) => scenario("path", `POST ${path}`, [post(path)], { given: ["csrf"] })),
  ...bodies.map((row) =>
    scenario("body", row.name, [bare(row.path, row.more)], { given: ["csrf", "session"], ...row.options })
  ),
  scenario(
    "path",
    "method override is no method",
    [post("/auth/session?_method=DELETE", {}, { headers: { "x-http-method-override": "DELETE" } })],
    { given: ["csrf"] }
  ),
  scenario("path", "forwarded headers are not read", [
    get("/auth/providers", {
      headers: {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        forwarded: "host=evil.example",
        "x-original-url": "/auth/csrf"
      }
    })
  ]),
  scenario("path", "two slashes behind a provider", [get("/auth/callback/acme//")])
]
