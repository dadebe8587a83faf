import { execFile } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Makes a repository on branch `first` with one commit, and gives the id of that. */
export async function repository(path: string, message = "first"): Promise<string> {
  await emptyRepository(path)
  return commit(path, message)
}

/** Makes a repository on branch `first` without a commit. */
export async function emptyRepository(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await git(path, "init")
  await git(path, "symbolic-ref", "HEAD", "refs/heads/first")
}

/** Commits what is staged, and gives the id of the commit. */
export async function commit(path: string, message: string): Promise<string> {
  await git(path, "commit", "--allow-empty", "--message", message)
  return git(path, "rev-parse", "HEAD")
}

/** Runs git as a user would, without the settings of whoever runs the tests. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = { NAME: "dev", EMAIL: "dev@example.com", DATE: "2025-06-01T00:00:00Z" }
  const signatures = Object.entries(identity).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ])
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(signatures),
  }
  return (await run("git", ["-c", "protocol.file.allow=always", ...args], { cwd, env })).stdout.trim()
}
