import type { NextConfig } from "next"

const config: NextConfig = {
  // This folder is the application, whatever lies around it.
  turbopack: { root: import.meta.dirname }
}

export default config
