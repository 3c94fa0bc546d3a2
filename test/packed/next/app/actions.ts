"use server"

import { AuthError, CredentialsSignin } from "next-auth"
import { redirect } from "next/navigation"
import { signIn, signOut, unstable_update } from "@/auth"
import { WrongPassword } from "@/wrong-password"

export const atProvider = async () => signIn("idp", { redirectTo: "/?from=idp" })

/** What was wrong, for the page to say; a redirect goes on its way. */
export const withPassword = async (_before: string, form: FormData): Promise<string> => {
  try {
    await signIn("credentials", form)
    return "signed in"
  } catch (error) {
    if (error instanceof WrongPassword) return `CredentialsSignin: ${error.code} (WrongPassword)`
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
  redirect("/?renamed")
}

export const leave = async () => signOut({ redirectTo: "/?from=signout" })
