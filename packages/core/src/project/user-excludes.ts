import { join } from "node:path"
import { gitSetting } from "./git.js"

/**
 * The file with what the user wants to be ignored in all repositories. The setting of a repository itself is passed
 * over: it could name any file of this machine, or a pipe.
 */
export async function userExcludesFile(): Promise<string | undefined> {
  const stated = await gitSetting("core.excludesFile", { scope: "user", type: "path" })
  if (stated !== undefined) return stated
  const { XDG_CONFIG_HOME, HOME } = process.env
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, "git", "ignore")
  return HOME ? join(HOME, ".config", "git", "ignore") : undefined
}
