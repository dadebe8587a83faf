import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The project of the fixtures, named after the first commit of its repository. */
export const projectID = "a08918a10ff26f65d55fc0bead5534907d8df481"

// The commit gets its name from all of this.
const identity = {
  GIT_AUTHOR_NAME: "dev",
  GIT_AUTHOR_EMAIL: "dev@example.com",
  GIT_AUTHOR_DATE: "2025-06-01T00:00:00Z",
  GIT_COMMITTER_NAME: "dev",
  GIT_COMMITTER_EMAIL: "dev@example.com",
  GIT_COMMITTER_DATE: "2025-06-01T00:00:00Z",
}

/** Makes a folder with the repository of the fixtures, whose only commit is {@link projectID}. */
export async function makeWorktree(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await writeFile(join(path, "index.js"), "export const add = (a, b) => a + b\n")
  // Settings of the person who runs the tests would make another commit of it.
  const env = { ...identity, PATH: process.env.PATH, HOME: path, GIT_CONFIG_NOSYSTEM: "1" }
  const git = (...args: string[]) => run("git", args, { cwd: path, env })
  await git("init", "--quiet", "--initial-branch=main")
  await git("add", "index.js")
  await git("commit", "--quiet", "--message=init")
  const { stdout } = await git("rev-parse", "HEAD")
  if (stdout.trim() !== projectID) throw new Error(`git made commit ${stdout.trim()}, not ${projectID}`)
}

/** Makes the records in a folder tell of another worktree than that of the fixtures. */
export async function useWorktree(folder: string, worktree: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".json")) continue
    const text = await readFile(join(folder, name), "utf8")
    await writeFile(join(folder, name), text.replaceAll("/home/dev/code/acme", worktree))
  }
}
