/**
 * The subjects of mutation: concepts, and their files.
 *
 * Files are named without their folders, so that they may move; a name without a file stops the run.
 */
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"

/** @type {Readonly<Record<string, ReadonlyArray<string>>>} */
export const subjects = {
  crypto:
    "Seal Jwe Envelope Keyring KeyFormat WebKeys Token Jwt Sha256 Base64Url CryptoEngine RetiredSecrets SecretStrength".split(
      " "
    ),
  cookies: "Cookie CookieHeader UnopenedCookie UnopenedTexts SeveralSessions SameSite KnownBrowser".split(" "),
  csrf: ["Csrf", "CsrfGuard"],
  flows: "Checks Flow AuthorizationRequest AuthorizationResponse OneTimeProof SharedState ChangeQueue".split(" "),
  "id token": "IdToken SignedToken Userinfo".split(" "),
  network: "Transport Connection BoundedStream".split(" "),
  linking: "ResolveUser LinkingRules Link AddressChoice ProvenAddress".split(" "),
  sessions:
    "Session ServerSignIn ServerSignOut UserSessions OneSession CurrentUser DatabaseSessions TokenSessions SessionStore TokenRevocation Revocation SessionId SessionOwner BeginRow EndSession SessionPolicy SessionMark SessionDecoder RequestState Guards SignOut".split(
      " "
    ),
  addresses: "EmailAddress PublicAddress HostPolicy ProxiedOrigins NetworkAddress Punycode Host".split(" "),
  redirects: "CallbackUrl RequestedSignIn SignInRedirect".split(" ")
}

/**
 * @typedef {{ readonly subject: string, readonly name: string, readonly content: string }} Source
 */

/** The files of every subject. @param {string} root @returns {ReadonlyArray<Source>} */
export const sources = (root) => {
  const all = globSync("src/**/*.ts", { cwd: root }).filter((path) => !/^src\/(?:Provider|testing)\//.test(path))
  return Object.entries(subjects).flatMap(([subject, names]) =>
    names.flatMap((name) => {
      const paths = all.filter((path) => basename(path, ".ts") === name)
      if (paths.length === 0) throw new Error(`subjects.mjs: no file under src is called ${name}.ts (${subject})`)
      return paths.map((path) => ({ subject, name: path, content: readFileSync(`${root}/${path}`, "utf8") }))
    })
  )
}
