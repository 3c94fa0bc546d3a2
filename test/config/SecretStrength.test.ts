import { assert, describe, it } from "@effect/vitest"
import { secretProblem } from "../../src/config/SecretStrength.ts"

const short = "shorter than 16 bytes in hex or base64 and shorter than 32 characters"
const few = "made of too few different characters"
const repeated = "a piece repeated"
const sequence = "a sequence of characters"
const sample = "a sample from documentation"
const url = "a URL"
const strong = undefined

const random = "k3v9x0q7m2w8z5t1b6n4h8d2"
const short31 = "k3v9x0q7m2.w8z5t1b6n4,h8d2y7p1c"

/** A description, the secret, and its fault. */
const table: ReadonlyArray<readonly [string, string, string | undefined]> = [
  // Output of generators.
  ["openssl rand -hex 32", "9c1e5f0b7a2d48c6e3f1907b5a4d2c8e6f0b1a3d5c7e9f2046b8d1a3c5e7f902", strong],
  ["openssl rand -hex 16", "3f9a1c7be04d52868fb1c0d9e7a3456b", strong],
  ["openssl rand -hex 16 in capitals", "3F9A1C7BE04D52868FB1C0D9E7A3456B", strong],
  ["openssl rand -hex 15", "3f9a1c7be04d52868fb1c0d9e7a345", short],
  ["openssl rand -hex 12, which would be 18 bytes as base64", "3f9a1c7be04d52868fb1c0d9", short],
  ["openssl rand -hex 8", "3f9a1c7be04d5286", short],
  ["openssl rand -base64 33", "q0Wv1m8nJYh3Kx5rTt2bZp7LcGdEuFaSoI4/9+yXiVbN", strong],
  ["openssl rand -base64 32", "q0Wv1m8nJYh3Kx5rTt2bZp7LcGdEuFaSoI4/9+yXiVY=", strong],
  ["openssl rand -base64 16", "mZ5gT0pX3vQeWk8+Yd/2aw==", strong],
  ["openssl rand -base64 16 with the newline of its file", "mZ5gT0pX3vQeWk8+Yd/2aw==\n", strong],
  ["openssl rand -base64 15", "mZ5gT0pX3vQeWk8+Yd/2", short],
  ["openssl rand -base64 12", "mZ5gT0pX3vQeWk8+", short],
  ["npx auth secret", "V7m2cQp9Zt4Xk1Ry8Ls5Ng3Hb6Wd0Jf2Ae9Tu7Ki4Mo=", strong],
  ["16 bytes in base64url, 22 characters", "mZ5gT0pX3vQeWk8-Yd_2aw", strong],
  ["15 bytes in base64url, 20 characters", "mZ5gT0pX3vQeWk8-Yd_2", short],
  ["21 characters of base64url, which are no bytes", "mZ5gT0pX3vQeWk8-Yd_2a", short],
  ["24 lower-case letters and digits", "k3v9x0q7m2w8z5t1b6n4h8d2", strong],
  ["a UUID with dashes, 36 characters", "f47ac10b-58cc-4372-a567-0e02b2c3d479", strong],
  ["a UUID without dashes, 16 bytes", "f47ac10b58cc4372a5670e02b2c3d479", strong],
  ["the UUID of zeros", "00000000-0000-0000-0000-000000000000", repeated],
  // Secrets that people write.
  ["the word of many examples", "secret", short],
  ["a password", "Tr0ub4dor&3", short],
  ["four words of a comic", "correct horse battery staple", short],
  ["the four words with more of them", "correct-horse-battery-staple-correct", sample],
  ["a sentence of their own", "seven tin kettles drift past our window", strong],
  ["31 characters that are no base64", "seven tin kettles drift our way", short],
  ["32 characters beyond ASCII", "солёный огурец плывёт по Неве же", strong],
  ["16 characters beyond ASCII, 48 bytes of UTF-8", "秘密鍵春夏秋冬東西南北山川海空風", short],
  ["punctuation", "!%&/()=?+#'-.,;:<>|{}[]^~$@*_!?=", strong],
  // Samples of documentation and templates.
  ["a sample of a session library", "complex_password_at_least_32_characters_long", sample],
  ["a template to fill in", "your-secret-key-change-me-in-production", sample],
  ["a template of 24 characters", "changeMeToARandomSecret1", sample],
  ["a sentence of a template", "This is a super secret value, please change it!", sample],
  ["the command instead of its output", "`openssl rand -base64 32` # please generate", sample],
  ["a name of the variable", "YOUR_NEXTAUTH_SECRET_VALUE_HERE_PLEASE", sample],
  ["a phrase of samples beside digits", "CHANGEME-CHANGEME-1234567890-abcdef", sample],
  ["a sample of these pages", "an example, not for use: 0123456789 abcdefghijklmnop", sample],
  ["a placeholder with digits", "super-secret-jwt-signing-key-1234567890", sample],
  // Long secrets without randomness.
  ["one character", "x".repeat(64), repeated],
  ["white space", " \t\n".repeat(16), "an empty secret"],
  ["a password and white space up to 32 characters", "Tr0ub4dor&3".padEnd(32), short],
  ["ten digits, again and again", "1234567890".repeat(4), repeated],
  ["sixteen digits twice", "0123456789abcdef0123456789abcdef", repeated],
  ["thirty characters twice", "k3v9x0q7m2w8z5t1b6n4h8d2y7p1c5".repeat(2), repeated],
  ["a word again and again with a tail", "kettle7drift".repeat(4) + "!1", repeated],
  ["a repeated password in base64", Buffer.from("Tr0ub4dor&3".repeat(3)).toString("base64"), repeated],
  ["digits and the alphabet", "0123456789abcdefghijklmnopqrstuvwxyz", sequence],
  ["pairs of digits", "00112233445566778899aabbccddeeff", sequence],
  // Secrets that were pasted into the wrong place, or with more around them.
  ["a callback URL", "https://app.example.com/auth/callback", url],
  ["the URL of a database", "postgres://user:k3v9x0q7m2w8z5t1b6n4h8d2@localhost/app", url],
  ["a line of an environment file", "AUTH_SECRET=abcdefghijklmnop1234", short],
  ["a line of a shell", 'export AUTH_SECRET="abcdefghijklmnop1234"', short],
  ["a line with a strong secret", "AUTH_SECRET=q0Wv1m8nJYh3Kx5rTt2bZp7LcGdEuFaSoI4/9+yXiVY=", strong],
  [
    "a strong one that begins with letters and ends with padding",
    "VmcQpZtXkRyLsNgHbWdJf4Ae9Tu7Ki4MoQxYwEzBdrF=",
    strong
  ],
  ["few bytes in base64", Buffer.from("abcabcdabcdeabcdefab").toString("base64"), few],
  ["a line with blanks around the sign", "AUTH_SECRET = abcdefghijklmnop1234", short],
  ["a line of a shell with two blanks", "export  AUTH_SECRET=abcdefghijklmnop1234", short],
  ["a line of YAML, 31 characters in quotes", `AUTH_SECRET:  "${short31}"`, short],
  ["a line with blanks within the quotes", `AUTH_SECRET=" ${short31} "`, short],
  ["a line with 31 characters in single quotes", `AUTH_SECRET='${short31}'`, short],
  ["a line with 32 characters", `AUTH_SECRET=${short31}5`, strong],
  ["a line with 32 characters in quotes", `AUTH_SECRET="${short31}5"`, strong],
  ["a line with 32 characters after one quote", `AUTH_SECRET="${short31}5`, strong],
  // Each rule just within its bounds, and just outside.
  ["base64url after another character", "!mZ5gT0pX3vQeWk8-Yd_2aw", short],
  ["base64 that lacks one of its two signs at the end", "mZ5gT0pX3vQeWk8-Yd_2aw=", short],
  ["16 bytes in hex, 7 of them different", "3f9a1c7be04d529a3fe01c527b4d3f1c", few],
  ["a URL within other text", "k3v9x0q7m2 w8z5t1b6n4 h8d2y7p1 s3://x", strong],
  ["8 different characters", "k.3v9x0q.k9q3x0v.3kvq90xx.q0k39vx", strong],
  ["7 different characters", "k.3v9x0.k93x0v.3kv90xx.0k39vx.k.0", few],
  ["a piece repeated, but for one character in eight", "k.3vk.3vk.3vk.3vkXYvk.3vk.3vk.3vk.3v", repeated],
  ["9 sequences", "abcd)*+,mnop5678ABCDwxyz1234efgh]^_`", strong],
  ["8 sequences", "abcd)*+,mnop5678ABCDwxyz1234efghi", sequence],
  ["15 characters with others between them", `k.3-v_9,x:0;q!7'm"2 w.8-z,5:t_;.,`, strong],
  ["a word of samples of 8 letters, and 15 characters", `password${random.slice(0, 15)}`, sample],
  ["the same with others between them", `password-k.3-v_9,x:0;q!7'm"2 w.8-z,5:t`, sample],
  ["a word of samples of 8 letters, and 16 characters", `password${random.slice(0, 16)}`, strong],
  ["a word of samples of 7 letters, and 15 characters", `session${random.slice(0, 15)}`, strong]
]

/** Words of samples, of each kind, beside fewer than 16 other characters. */
const samples = ["secretkey", "yourrandom", "generatedhex", "placeholder", "characters", "authhexdev"]

/** Phrases of samples, beside 24 characters that are strong by themselves. */
const phrases = [
  "changeme",
  "change_this",
  "replaceme",
  "replace-with",
  "replace this",
  "yoursecret",
  "your-secret",
  "not-for-use",
  "not_for_production"
]

describe("the strength of a secret", () => {
  it.each(table)("P241, H289 %s", (_, secret, problem) => {
    assert.strictEqual(secretProblem(secret), problem)
  })

  it.each(samples)("P241 refuses a sample of the words %s", (words) => {
    assert.strictEqual(secretProblem(words + random.slice(0, 24 - words.length)), sample)
  })

  it.each(phrases)("P241 refuses %s beside a strong secret", (phrase) => {
    assert.strictEqual(secretProblem(random + phrase), sample)
  })

  it("says nothing of the secret itself", () => {
    for (const [, secret] of table) {
      const problem = secretProblem(secret)
      if (problem !== undefined && secret !== "secret" && secret.trim() !== "")
        assert.notInclude(problem, secret.trim())
    }
  })
})
