/**
 * The library as the rows use it. Rows take it as an argument, so that a fault can be planted in it.
 */
import * as Adapter from "../../src/Adapter.ts"
import Video from "../../src/compat/providers/video.ts"
import {
  Auth,
  createActionURL,
  customFetch,
  decode,
  encode,
  getToken,
  isAuthAction,
  raw,
  setEnvDefaults,
  skipCSRFCheck
} from "../../src/index.ts"

export const library = {
  // Rows play applications that are written without types.
  Auth: (request: Request, config: object): Promise<Response> => Auth(request, config as Parameters<typeof Auth>[1]),
  Adapter,
  Video,
  createActionURL,
  customFetch,
  decode,
  encode,
  getToken,
  isAuthAction: isAuthAction as (action: string) => boolean,
  raw,
  setEnvDefaults,
  skipCSRFCheck
}

export type Library = typeof library
