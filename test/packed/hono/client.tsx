/** The page of a React application with the client of @hono/auth-js. */
import { SessionProvider, authConfigManager, signIn, signOut, useSession } from "@hono/auth-js/react"
import { useState } from "react"
import { createRoot } from "react-dom/client"

authConfigManager.setConfig({ basePath: "/api/auth" })

const Page = () => {
  const { data, status, update } = useSession()
  const [answer, setAnswer] = useState("")
  const withPassword = async (form: FormData) => {
    const result = await signIn("credentials", { redirect: false, ...Object.fromEntries(form) })
    setAnswer(JSON.stringify(result))
  }
  return (
    <main>
      <p>
        {status}: {data?.user?.name ?? "nobody"}
      </p>
      <button onClick={() => signIn("idp", { callbackUrl: "/?back" })}>Sign in at the provider</button>
      <form action={withPassword}>
        <input name="username" aria-label="Username" />
        <input name="password" aria-label="Password" type="password" />
        <button>Sign in with a password</button>
      </form>
      <pre>{answer}</pre>
      <button onClick={() => update({ user: { name: "Renamed" } })}>Rename</button>
      <button onClick={() => signOut({ redirect: false })}>Sign out</button>
    </main>
  )
}

createRoot(document.getElementById("root")!).render(
  <SessionProvider>
    <Page />
  </SessionProvider>
)
