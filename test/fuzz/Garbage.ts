/**
 * The garbage collector, called by hand, whatever flags the process was started with.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

export const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  return () => {
    collect()
    collect()
  }
}
