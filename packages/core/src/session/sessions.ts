import type { FileDiff } from "../model/file-diff.js"
import type { PermissionRule, PermissionRuleset } from "../model/permission.js"
import type { Session } from "../model/session.js"
import type { Todo } from "../model/todo.js"
import { NoSnapshots } from "../snapshot/no-snapshots.js"
import { AutoShare } from "./auto-share.js"
import { type CreateSessionOptions, createSession, type SessionDefaults } from "./create-session.js"
import { filterCompacted } from "./filter-compacted.js"
import { type ForkOptions, forkSession } from "./fork-session.js"
import { indexSessions } from "./index-sessions.js"
import { listSessions, pageOfSessions, type SessionListOptions, type SessionPage } from "./list-sessions.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { Messages } from "./messages.js"
import { Parts } from "./parts.js"
import { type PlanPlace, planPath } from "./plan-path.js"
import type { PrunablePart } from "./prune.js"
import { pruneSession } from "./prune-session.js"
import type { ReadOptions } from "./read-messages.js"
import { removeSession } from "./remove-session.js"
import type { RevertPoint } from "./revert-point.js"
import { cleanUpSession, revertSession, unrevertSession } from "./revert-session.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import type { SessionIndexEntry } from "./session-index.js"
import { readSession } from "./session-records.js"
import { childrenOf, type SessionTree, treeOf } from "./session-tree.js"
import { type UsageOptions, usageOfSessions } from "./session-usage.js"
import { createContext, type SessionsOptions } from "./sessions-options.js"
import { type ShareService, shareSession, unshareSession } from "./share-session.js"
import { readDiffs, type SummarizeOptions, summarizeSession, type Worktree } from "./summarize-session.js"
import { readTodos, writeTodos } from "./todos.js"
import { type TranscriptEntry, transcript } from "./transcript.js"
import { changeSession, type UpdateSessionOptions, updateSession } from "./update-session.js"
import type { UsageTotals } from "./usage-totals.js"

/**
 * The conversations of a project, on any store.
 *
 * - The changes that one `Sessions` makes to a session happen one after the other, and each is told to the bus once it
 *   is stored, so events come in the order of the changes. Only the text of growing parts is told before.
 * - What adds, marks or removes several records does so in one batch.
 * - What is refused rejects with a `SessionError`, or a `StorageError` where the store refuses; then nothing has
 *   changed.
 * - Ids come from the keys of the store, fields that are not known here stay.
 *
 * @example
 * ```ts
 * const sessions = new Sessions({ storage, project: await new Projects({ storage }).resolve(process.cwd()) })
 * const session = await sessions.create({ title: "Fix the login" })
 * const { info } = await sessions.messages.add(session.id, question, [{ type: "text", text: "Why does it fail?" }])
 * const fork = await sessions.fork(session.id)
 * for await (const { title } of sessions.list({ limit: 20 })) console.log(title)
 * ```
 */
export class Sessions implements AsyncDisposable {
  readonly messages: Messages
  readonly parts: Parts
  readonly #context: SessionContext
  readonly #defaults: SessionDefaults
  readonly #worktree: Worktree
  readonly #planPlace: PlanPlace
  readonly #shareService: ShareService | undefined
  readonly #mayShare: boolean
  readonly #autoShare: AutoShare | undefined

  constructor(options: SessionsOptions) {
    this.#context = createContext(options)
    const { project, worktree = project.worktree, random, shareService, share } = options
    this.#defaults = {
      directory: options.directory ?? worktree,
      version: options.version ?? "sessile",
      random,
    }
    this.#worktree = { path: worktree, snapshots: options.snapshots ?? new NoSnapshots() }
    this.#planPlace = { vcs: project.vcs, worktree, plansFolder: options.plansFolder }
    this.#shareService = shareService
    this.#mayShare = share !== "disabled"
    if (share === "auto" && shareService) this.#autoShare = new AutoShare(this.#context, shareService)
    this.messages = new Messages(this.#context)
    this.parts = new Parts(this.#context)
  }

  /** The root of what the sessions are about. */
  get worktree(): string {
    return this.#worktree.path
  }

  /**
   * Begins a session. A child inherits the folder of its parent, and its permission rules, before its own. Sharing,
   * where that is automatic, is not waited for: `session.updated` tells of it, or `session.error`.
   *
   * @throws SessionError `NOT_FOUND` without such a parent, `EXISTS` for an id that is taken, `INVALID_RECORD`
   */
  async create(options: CreateSessionOptions = {}): Promise<Session> {
    const session = await createSession(this.#context, this.#defaults, options)
    this.#autoShare?.begin(session)
    return session
  }

  /** @throws SessionError `NOT_FOUND` */
  get(sessionID: string): Promise<Session> {
    return readSession(this.#context, sessionID)
  }

  /** Sessions by the time of their last update, newest first; archived ones only on request. */
  list(options: SessionListOptions = {}): AsyncGenerator<Session, void, void> {
    return listSessions(this.#context, options)
  }

  /**
   * The first sessions of `list`, and a cursor for those behind them. Sessions that are updated between two pages move
   * to the top.
   *
   * @throws SessionError `INVALID_CURSOR`
   */
  page(options: SessionListOptions & { readonly limit: number }): Promise<SessionPage> {
    return pageOfSessions(this.#context, options)
  }

  /**
   * The sessions whose parent this is, oldest first.
   *
   * @throws SessionError `NOT_FOUND` when there are neither children nor a session
   */
  async children(sessionID: string, options: ReadOptions = {}): Promise<Session[]> {
    const children = await childrenOf(this.#context, sessionID, options)
    if (children.length === 0) await this.get(sessionID)
    return children
  }

  /**
   * A session with all that descend from it.
   *
   * @throws SessionError `NOT_FOUND`
   */
  tree(sessionID: string, options: ReadOptions = {}): Promise<SessionTree> {
    return treeOf(this.#context, sessionID, options)
  }

  /**
   * Lets `edit` change a session; nothing comes between reading and writing. When it sets a parent it is called twice.
   *
   * @throws SessionError `NOT_FOUND`, also for the parent that was set; `IMMUTABLE` when ids were changed, `CYCLE`,
   * `INVALID_RECORD`
   */
  update(
    sessionID: string,
    edit: (draft: Session) => void,
    options: UpdateSessionOptions = {},
  ): Promise<Session> {
    return updateSession(this.#context, sessionID, edit, options)
  }

  /** Brings a session to the top of the list. */
  touch(sessionID: string): Promise<Session> {
    return this.#changeTime(sessionID, () => undefined)
  }

  /** Takes a session out of lists that do not ask for it, until it is brought back by `unarchive`. */
  archive(sessionID: string): Promise<Session> {
    return this.#changeTime(sessionID, (time) => {
      time.archived = this.#context.clock()
    })
  }

  /** Brings back what was archived. */
  unarchive(sessionID: string): Promise<Session> {
    return this.#changeTime(sessionID, (time) => {
      delete time.archived
    })
  }

  /**
   * Removes a session, all that descend from it, and what belongs to them. Public copies are taken away first, if
   * there is a share service.
   *
   * @throws SessionError `NOT_FOUND`, `SHARE_FAILED`
   */
  remove(sessionID: string): Promise<void> {
    return removeSession(this.#context, this.#shareService, sessionID)
  }

  /**
   * A copy of a session up to, not including, some message: with ids of its own, and all else as it was. It has no
   * parent, begins now, and is shared only where every new session is.
   *
   * @throws SessionError `NOT_FOUND`
   */
  async fork(sessionID: string, options: ForkOptions = {}): Promise<Session> {
    const session = await forkSession(this.#context, this.#defaults, sessionID, options)
    this.#autoShare?.begin(session)
    return session
  }

  /**
   * Puts a copy of the session where others can see it; `share.url` says where. One that is shared stays so.
   *
   * @throws SessionError `NOT_FOUND`, `UNSUPPORTED`, `SHARE_FAILED`
   */
  async share(sessionID: string): Promise<Session> {
    if (!this.#mayShare) throw new SessionError("UNSUPPORTED", "Sharing is disabled, by the option share")
    return shareSession(this.#context, this.#shareService, sessionID)
  }

  /**
   * Takes the public copy away.
   *
   * @throws SessionError `NOT_FOUND`, `UNSUPPORTED`, `SHARE_FAILED`
   */
  unshare(sessionID: string): Promise<Session> {
    return unshareSession(this.#context, this.#shareService, sessionID)
  }

  /**
   * Takes a session back to a point, its files included, until it is undone with `unrevert` or done for good with
   * `cleanUp`. An answer goes together with its question, and a part together with its message when nothing was said
   * or done before it.
   *
   * @throws SessionError `NOT_FOUND`, SnapshotError
   */
  revert(sessionID: string, point: RevertPoint): Promise<Session> {
    return revertSession(this.#context, this.#worktree, sessionID, point)
  }

  /**
   * Brings back what `revert` took back, if anything.
   *
   * @throws SessionError `NOT_FOUND`, SnapshotError
   */
  unrevert(sessionID: string): Promise<Session> {
    return unrevertSession(this.#context, this.#worktree, sessionID)
  }

  /**
   * Removes the messages and parts that `revert` took back, if any: the thing to do before the next question.
   *
   * @throws SessionError `NOT_FOUND`
   */
  cleanUp(sessionID: string): Promise<Session> {
    return cleanUpSession(this.#context, sessionID)
  }

  /**
   * The files that a session changed, as `summarize` found them last.
   *
   * @throws SessionError `NOT_FOUND`
   */
  diffs(sessionID: string): Promise<FileDiff[]> {
    return readDiffs(this.#context, sessionID)
  }

  /**
   * Works out which files a session changed, stores that with its totals, and publishes `session.diff`. Of the turn
   * that begins with the question `messageID`, it is also stored in `summary.diffs` of the question.
   *
   * @throws SessionError `NOT_FOUND`, SnapshotError
   */
  summarize(sessionID: string, options: SummarizeOptions = {}): Promise<Session> {
    return summarizeSession(this.#context, this.#worktree, sessionID, options)
  }

  /**
   * The tasks of a session.
   *
   * @throws SessionError `NOT_FOUND`
   */
  todos(sessionID: string): Promise<Todo[]> {
    return readTodos(this.#context, sessionID)
  }

  /** @throws SessionError `NOT_FOUND`, `INVALID_RECORD` */
  setTodos(sessionID: string, todos: readonly Todo[]): Promise<void> {
    return writeTodos(this.#context, sessionID, [...todos])
  }

  /** The rules of a session, those that it inherited first; the last one that matches decides. */
  async permissionRules(sessionID: string): Promise<PermissionRuleset> {
    return (await this.get(sessionID)).permission ?? []
  }

  /** @throws SessionError `NOT_FOUND`, `INVALID_RECORD` */
  setPermissionRules(sessionID: string, rules: readonly PermissionRule[]): Promise<Session> {
    return this.update(sessionID, (draft) => {
      draft.permission = [...rules]
    })
  }

  /**
   * The file for the plan of a session.
   *
   * @throws SessionError `UNSUPPORTED` outside repositories without a `plansFolder`
   */
  planPath(session: Session): string {
    return planPath(this.#planPlace, session)
  }

  /** What a model is to be shown of a session, oldest message first; see `filterCompacted`. */
  history(sessionID: string, options: ReadOptions = {}): Promise<MessageWithParts[]> {
    return filterCompacted(this.messages.stream(sessionID, options))
  }

  /**
   * Marks the tool calls whose outputs the context can do without, as one batch, and gives them as they now are; see
   * `partsToPrune`. Models are no longer shown those outputs; in the store they stay.
   *
   * @throws SessionError `NOT_FOUND`
   */
  prune(sessionID: string): Promise<PrunablePart[]> {
    return pruneSession(this.#context, sessionID)
  }

  /** What was said and done in a session; see `transcript`. */
  async transcript(sessionID: string, options: ReadOptions = {}): Promise<TranscriptEntry[]> {
    return transcript(await this.messages.load(sessionID, options))
  }

  /** What a list of conversations shows, newest first; without children unless `roots` is false. */
  index(options: SessionListOptions = {}): AsyncGenerator<SessionIndexEntry, void, void> {
    return indexSessions(this.#context, options)
  }

  /** What the answers of models used, by session, project, model and day. */
  usage(options: UsageOptions = {}): Promise<UsageTotals> {
    return usageOfSessions(this.#context, options)
  }

  /** Stores all text that was not stored yet. */
  async flush(): Promise<void> {
    for (const writer of [...this.#context.writers.values()]) await writer.flush()
  }

  /**
   * Stores all text, ends all writers of parts, and waits for what is being shared. The store stays open: it is the
   * caller's.
   */
  async close(): Promise<void> {
    await this.flush()
    for (const writer of this.#context.writers.values()) writer.abandon()
    this.#context.writers.clear()
    await this.#autoShare?.settled()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  // Whatever else a session of another tool lacks, its times can be changed.
  #changeTime(sessionID: string, edit: (time: Session["time"]) => void): Promise<Session> {
    return this.#context.locks.exclusive(sessionID, () =>
      changeSession(this.#context, sessionID, ({ time }) => {
        time.updated = this.#context.clock()
        edit(time)
      }),
    )
  }
}
