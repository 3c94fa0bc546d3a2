import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The tests that look for mutants: without those that measure, start servers, browsers and processes, or read the sources. */
export default mergeConfig(base, {
  test: {
    exclude: [
      "**/node_modules/**",
      "test/{adapters,applications,differential,examples,frameworks,fuzz,interchange,real,redis,speed,workshop}/**",
      "test/**/{Crash,NodeHandler,NodeServer,Simulation}*.test.ts"
    ]
  }
})
