import { git } from "../../project/git.js"
import { userExcludesFile } from "../../project/user-excludes.js"
import { fileTree } from "./file-tree.js"

/** Where a model works. */
export interface EnvironmentOptions {
  readonly directory: string
  /** Whether the directory lies in a git repository. */
  readonly isRepository: boolean
  /** `process.platform` when not given. */
  readonly platform?: string | undefined
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined
}

/** How many files a model is shown. */
const FILE_LIMIT = 200

/**
 * What a model is told of where it works: directory, platform, date, and in a repository its first 200 files.
 *
 * @throws GitError when git cannot list the files
 */
export async function environmentPrompt(options: EnvironmentOptions): Promise<string> {
  const { directory, isRepository, platform = process.platform, clock = () => Date.now() } = options
  const environment = [
    "<env>",
    `  Working directory: ${directory}`,
    `  Is directory a git repo: ${isRepository ? "yes" : "no"}`,
    `  Platform: ${platform}`,
    `  Today's date: ${new Date(clock()).toDateString()}`,
    "</env>",
  ]
  if (!isRepository) return environment.join("\n")
  const tree = fileTree(await listFiles(directory), FILE_LIMIT)
  return [...environment, "<files>", ...(tree === "" ? [] : [tree]), "</files>"].join("\n")
}

async function listFiles(directory: string): Promise<string[]> {
  const excludes = ["-c", `core.excludesFile=${(await userExcludesFile()) ?? ""}`]
  const args = [...excludes, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  // A file in conflict is listed once for each side.
  const listed = new Set((await git(args, { cwd: directory })).toString().split("\0"))
  // A line break in a name must not look like a line of the prompt.
  return [...listed].filter((path) => path !== "").map((path) => path.replaceAll(/\p{Cc}/gu, "?"))
}
