"use client"

import { SessionProvider, useSession } from "next-auth/react"

const Required = () => {
  const { data, status } = useSession({ required: true })
  return <h1>{status === "loading" ? "One moment" : `Only for ${data.user.name}`}</h1>
}

export default function Page() {
  return (
    <SessionProvider>
      <Required />
    </SessionProvider>
  )
}
