"use server"

import { AuthError, CredentialsSignin } from "next-auth"
import { revalidatePath } from "next/cache"
import { signIn, signOut, unstable_update } from "@/auth"

export const atProvider = async () => signIn("idp", { redirectTo: "/?from=idp" })

/** What was wrong, for the page to say; a redirect goes on its way. */
export const withPassword = async (_before: string, form: FormData): Promise<string> => {
  try {
    await signIn("credentials", form)
    return "signed in"
  } catch (error) {
    if (error instanceof CredentialsSignin) return `CredentialsSignin: ${error.code}`
    if (error instanceof AuthError) {
      const reason = error.cause?.err
      return `${error.type}: ${reason instanceof Error ? reason.message : "no reason"}`
    }
    throw error
  }
}

export const rename = async () => {
  await unstable_update({ user: { name: "Renamed on the server" } })
  revalidatePath("/")
}

export const leave = async () => signOut({ redirectTo: "/?from=signout" })
