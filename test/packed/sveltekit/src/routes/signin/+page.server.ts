import { AuthError, CredentialsSignin } from "@auth/sveltekit"
import { fail } from "@sveltejs/kit"
import { signIn } from "../../auth"
import type { Actions } from "./$types"

export const actions: Actions = {
  default: async (event) => {
    try {
      await signIn(event)
    } catch (error) {
      if (error instanceof CredentialsSignin) return fail(401, { said: `CredentialsSignin: ${error.code}` })
      if (error instanceof AuthError) return fail(500, { said: `${error.type}: ${error.cause?.err?.message}` })
      throw error
    }
  }
}
