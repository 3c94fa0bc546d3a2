"use client"

import { useActionState } from "react"
import { withPassword } from "@/app/actions"

export const PasswordForm = () => {
  const [answer, submit] = useActionState(withPassword, "")
  return (
    <form action={submit}>
      <input name="username" aria-label="Username" />
      <input name="password" aria-label="Password" type="password" />
      <input name="redirectTo" type="hidden" value="/?from=password" />
      <button>Sign in with a password</button>
      <output>{answer}</output>
    </form>
  )
}
