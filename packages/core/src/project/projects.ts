import { existsSync } from "node:fs"
import type { NewProject, Project } from "../model/project.js"
import type { Key } from "../storage/key.js"
import { KeyLock } from "../storage/key-lock.js"
import { checkOptions } from "../storage/options.js"
import type { ScanOptions, Storage } from "../storage/storage.js"
import { StorageError } from "../storage/storage-error.js"
import { adoptSessions } from "./adopt-sessions.js"
import {
  type DiscoveredProject,
  type DiscoverOptions,
  discoverProject,
  GLOBAL_PROJECT,
} from "./discover-project.js"
import { rankByName } from "./rank-by-name.js"

/** What {@link Projects} work on. */
export interface ProjectsOptions extends DiscoverOptions {
  readonly storage: Storage
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: (() => number) | undefined
}

/** How to list projects. */
export type ProjectListOptions = Pick<ScanOptions, "onCorrupt">

/**
 * The projects of a store.
 *
 * @example
 * ```ts
 * const projects = new Projects({ storage })
 * const project = await projects.resolve(process.cwd())
 * const [meant] = await projects.findByName("acme")
 * ```
 */
export class Projects {
  readonly #storage: Storage
  readonly #clock: () => number
  readonly #discovery: DiscoverOptions
  readonly #lock = new KeyLock()

  constructor(options: ProjectsOptions) {
    checkOptions("Projects", options, {
      storage: "object",
      clock: "function?",
      remember: "boolean?",
      fakeVcs: ["git"],
    })
    this.#storage = options.storage
    this.#clock = options.clock ?? (() => Date.now())
    this.#discovery = { remember: options.remember, fakeVcs: options.fakeVcs }
  }

  /**
   * The project that a folder belongs to (see `discoverProject`), as it is stored from now on: with its main
   * worktree, with the other worktrees in which it was used and which are still there as `sandboxes`, and with
   * the time of this use. Fields that it does not know stay. Sessions of `global` that were held in its worktree
   * become its own.
   *
   * @throws GitError, StorageError
   */
  async resolve(directory: string): Promise<Project> {
    const found = await discoverProject(directory, this.#discovery)
    const project = await this.#lock.exclusive(found.id, () => this.#store(found))
    if (found.id !== GLOBAL_PROJECT) await adoptSessions(this.#storage, found)
    return project
  }

  /** The project with this id; rejects with `NOT_FOUND` when there is none, `CORRUPT` when it is no project. */
  async get(id: string): Promise<Project> {
    const key = ["project", id]
    return asProject(key, await this.#storage.read(key))
  }

  /** All projects, by id. What is damaged is told to `onCorrupt`; without it the first such record rejects. */
  async list(options: ProjectListOptions = {}): Promise<Project[]> {
    const projects: Project[] = []
    for await (const { key, value } of this.#storage.scan(["project"], options)) {
      if (key.length !== 2) continue
      try {
        projects.push(asProject(key, value))
      } catch (error) {
        if (options.onCorrupt === undefined || !StorageError.is(error)) throw error
        options.onCorrupt(error)
      }
    }
    return projects
  }

  /**
   * The projects that a name or a path may mean, best match first: by the whole worktree, by its last folders or
   * the project's name, by how they begin, by what they contain, and last by letters in that order. Neither
   * letter case nor the kind of slash counts; among equals the project used last comes first.
   */
  async findByName(name: string, options: ProjectListOptions = {}): Promise<Project[]> {
    return rankByName(await this.list(options), name)
  }

  /** Notes that the project has been set up, now. Rejects with `NOT_FOUND` when there is none. */
  async markInitialized(id: string): Promise<Project> {
    const key = ["project", id]
    const now = this.#clock()
    return this.#storage.update<Project>(key, (draft) => {
      Object.assign(asProject(key, draft).time, { updated: now, initialized: now })
    })
  }

  async #store(found: DiscoveredProject): Promise<Project> {
    const key = ["project", found.id]
    const now = this.#clock()
    try {
      return await this.#storage.update<Project>(key, (draft) => refresh(asProject(key, draft), found, now))
    } catch (error) {
      if (!StorageError.is(error, "NOT_FOUND")) throw error
      const project = createProject(found, now)
      await this.#storage.write(key, project)
      return project
    }
  }
}

function createProject(found: DiscoveredProject, now: number): NewProject {
  const { id, worktree, vcs } = found
  const time = { created: now, updated: now }
  return { id, worktree, ...(vcs && { vcs }), sandboxes: sandboxesWith(found, []), time }
}

function refresh(draft: Project, found: DiscoveredProject, now: number): void {
  draft.time.updated = now
  if (found.id === GLOBAL_PROJECT) return
  draft.worktree = found.worktree
  draft.vcs = "git"
  draft.sandboxes = sandboxesWith(found, draft.sandboxes ?? [])
}

function sandboxesWith({ root, worktree }: DiscoveredProject, known: readonly string[]): string[] {
  const others = [...new Set([...known, root])].filter((sandbox) => sandbox !== worktree)
  return others.filter((sandbox) => existsSync(sandbox))
}

/** The record itself, with the id that its key tells. The schema would do, but takes zod to load. */
function asProject(key: Key, value: unknown): Project {
  const project = value as Project | null
  if (typeof project?.worktree !== "string" || typeof project.time?.created !== "number") {
    throw new StorageError("CORRUPT", "The record is no project: it needs worktree and time.created", { key })
  }
  project.id = key[1] as string
  return project
}
