import { dirname, relative } from "node:path"
import { quoteArgument } from "./quote-argument.js"

/** What commands are made of: paths in, lines out that can be pasted into the shell of the platform. */
export interface ShellCommands {
  /** Starts `opencode session list` in a folder, with a database that it would not open by itself. */
  listSessions(folder: string, options: { database?: string | undefined; atLeast?: number }): string
  /** Notes the project of a folder, in a file that opencode reads. */
  noteProject(path: string, project: string, isNewRepository: boolean): string
  /**
   * Puts a backup in the place of a database, or removes one that was new. A log of the newer state would damage the
   * older one, and is removed when the copy is known to be there.
   */
  restore(database: string, backup: string | undefined, others: readonly string[]): string
}

/** `opencode session list` shows so many by itself. */
const LISTED = 100

/** The files that SQLite keeps beside a database. */
const COMPANIONS = ["-wal", "-shm"]

const posix: ShellCommands = {
  listSessions: (folder, { database, atLeast = 0 }) => {
    const variable = database === undefined ? "" : `OPENCODE_DB=${quoteArgument(database)} `
    return `cd ${quoteArgument(folder)} && ${variable}opencode session list${limit(atLeast)}`
  },
  noteProject: (path, project, isNewRepository) => {
    const folder = dirname(dirname(path))
    const init = isNewRepository ? `git init -q ${quoteArgument(folder)} && ` : ""
    return `${init}printf %s ${quoteArgument(project)} > ${quoteArgument(path)}`
  },
  restore: (database, backup, others) => {
    const folder = dirname(database)
    const name = (path: string) => quoteArgument(`./${relative(folder, path)}`)
    const gone = [...COMPANIONS.map((suffix) => database + suffix), ...others]
    const copy = name(`${database}.restored`)
    const steps =
      backup === undefined
        ? [`rm -f ${[database, ...gone].map(name).join(" ")}`]
        : [`cp ${name(backup)} ${copy}`, `rm -f ${gone.map(name).join(" ")}`, `mv ${copy} ${name(database)}`]
    return `(${[`cd ${quoteArgument(folder)}`, ...steps].join(" && ")})`
  },
}

const powerShell: ShellCommands = {
  listSessions: (folder, { database, atLeast = 0 }) => {
    const variable = database === undefined ? "" : `$env:OPENCODE_DB=${single(database)}; `
    return `cd ${single(folder)}; ${variable}opencode session list${limit(atLeast)}`
  },
  noteProject: (path, project, isNewRepository) => {
    const init = isNewRepository ? `git init -q ${single(dirname(dirname(path)))}; ` : ""
    return `${init}Set-Content -NoNewline -Path ${single(path)} -Value ${single(project)}`
  },
  restore: (database, backup, others) => {
    const gone = [...COMPANIONS.map((suffix) => database + suffix), ...others]
    const remove = (paths: readonly string[]) =>
      `Remove-Item -ErrorAction Ignore ${paths.map(single).join(", ")}`
    if (backup === undefined) return remove([database, ...gone])
    const copy = single(`${database}.restored`)
    return [
      `Copy-Item -ErrorAction Stop ${single(backup)} ${copy}`,
      remove(gone),
      `Move-Item -Force ${copy} ${single(database)}`,
    ].join("; ")
  },
}

/** Commands for the shell that people have on a platform. */
export function shellCommands(platform: NodeJS.Platform = process.platform): ShellCommands {
  return platform === "win32" ? powerShell : posix
}

function limit(sessions: number): string {
  return sessions > LISTED ? ` -n ${sessions}` : ""
}

function single(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
