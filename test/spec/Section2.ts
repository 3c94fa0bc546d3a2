/** Section 2: resources and their fields. */
import type { Section } from "./Row.ts"
import { callbackRows } from "./section2/Callbacks.ts"
import { modelRows } from "./section2/Models.ts"
import { settingRows } from "./section2/Settings.ts"
import { tokenRows } from "./section2/Tokens.ts"
import { videoRows } from "./section2/Video.ts"

export const section2: Section = {
  number: 2,
  title: "Resources and their fields",
  rows: [...modelRows, ...tokenRows, ...settingRows, ...callbackRows, ...videoRows],
  silent: [
    { quote: "Experimental features may change or be removed without notice.", reason: "about versions to come" },
    { quote: "may print sensitive data", reason: "a warning to readers" },
    { quote: "Production apps cannot use localhost URLs", reason: "about the platform" },
    { quote: "AdapterUser, AdapterSession, Adapter: fields not shown.", reason: "not shown" },
    { quote: "SerializeOptions (cookie serialisation): fields not shown.", reason: "not shown" },
    {
      quote: "PublicKeyCredentialRequestOptionsJSON, PublicKeyCredentialCreationOptionsJSON: contents not shown.",
      reason: "not shown"
    },
    { quote: "CredentialInput and the configuration objects", reason: "not shown" }
  ],
  // Tokens that live one minute.
  fault: (library) => ({ ...library, encode: (params) => library.encode({ ...params, maxAge: 60 }) })
}
