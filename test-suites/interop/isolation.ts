import { spawnSync } from "node:child_process"

// Root needs no user namespace; anyone else gets the right to a network namespace by being root inside one.
const NAMESPACES = [["--net"], ["--net", "--map-root-user"]]

const namespace = NAMESPACES.find((flags) => spawnSync("unshare", withLoopback(flags, ["true"])).status === 0)

/** Why opencode cannot be run on this machine, or `undefined` if it can. */
export function unsupportedReason(): string | undefined {
  const platform = `${process.platform}-${process.arch}`
  if (platform !== "linux-x64") return `needs linux-x64, this is ${platform}`
  if (namespace === undefined) return "needs unshare, ip and the right to make a network namespace"
  if (spawnSync("git", ["--version"]).status !== 0) return "needs git"
  return undefined
}

/**
 * The arguments with which `unshare` runs a command for which the network ends at loopback.
 *
 * @throws Error where {@link unsupportedReason} gives a reason
 */
export function isolated(...command: string[]): string[] {
  if (namespace === undefined) throw new Error(`Cannot isolate ${command[0]}: ${unsupportedReason()}`)
  return withLoopback(namespace, command)
}

// A new namespace has its loopback down. The shell becomes the program, so that signals reach the program itself.
function withLoopback(flags: readonly string[], command: readonly string[]): string[] {
  return [...flags, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...command]
}
