/** Section 9: versions. */
import { row, type Section, type } from "./Row.ts"
import { videoSignIn } from "./section2/Video.ts"

export const section9: Section = {
  number: 9,
  title: "Versioning",
  rows: [
    type(
      "`v<number>`, `v<number>.<number>` or `v<number>.<number>.<number>`",
      'Fits<"v1" | "v1.2" | "v1.2.3", Types.SemverString>'
    ),
    type(
      "`v<number>`, `v<number>.<number>` or `v<number>.<number>.<number>`",
      'Is<Fits<"1.2.3", Types.SemverString>, false>'
    ),
    type("Version string type (SemverString)", 'Is<Fits<"v1.x", Types.SemverString>, false>'),
    row(
      "Video platform endpoints carry the path version prefix `/v2/`.",
      "every address of a sign-in",
      true,
      async (library) => {
        const { away, sent } = await videoSignIn(library)
        return [away, ...sent.map(({ url }) => url)].every(({ pathname }) => pathname.startsWith("/v2/"))
      }
    )
  ],
  silent: [
    { quote: "The core package is marked experimental", reason: "about versions to come" },
    { quote: "The JWT module is announced as to be refactored", reason: "about versions to come" },
    { quote: "A migration guide exists", reason: "about another document" },
    { quote: "Versioning scheme of the action endpoints and deprecation policy: not shown.", reason: "not shown" }
  ],
  // A provider of another version of the platform.
  fault: (library) => ({
    ...library,
    Video: (options) => ({ ...library.Video(options), authorization: "https://www.video.example/v1/auth/authorize" })
  })
}
