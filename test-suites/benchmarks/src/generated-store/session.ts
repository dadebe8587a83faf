import type { NewFileDiff, NewPermissionRule, NewProject, NewSession } from "@sessile/core/model"
import type { Conversation } from "./conversation.js"
import { writeTurn } from "./turn.js"
import type { Workshop } from "./workshop.js"

const ADJECTIVES = ["quiet", "gentle", "crisp", "nimble", "proud", "tidy", "calm"] as const
const NOUNS = ["harbor", "forest", "star", "tiger", "engine", "island", "wolf"] as const

// What a subagent may not do.
const CHILD_PERMISSION: NewPermissionRule[] = ["todowrite", "todoread", "task"].map((permission) => ({
  permission,
  action: "deny",
  pattern: "*",
}))

/**
 * Writes a session of a project with all that belongs to it, and on the way up to `mostChildren` child sessions.
 * Gives the number of sessions written.
 */
export function writeSession(workshop: Workshop, project: NewProject, mostChildren: number): number {
  const { random, texts, clock } = workshop
  let children = 0
  const title = texts.title(random.integer(3, 8))
  clock.pass(random.longTailed(7_200_000, 0.8))
  holdSession(workshop, project, { title, turns: random.longTailed(3.75, 0.8) }, (childTitle, parentID) => {
    if (children === mostChildren) return undefined
    children++
    return holdSession(workshop, project, { title: childTitle, turns: 1, parentID })
  })
  return 1 + children
}

interface Plan {
  readonly title: string
  readonly turns: number
  readonly parentID?: string
}

function holdSession(
  workshop: Workshop,
  project: NewProject,
  { title, turns, parentID }: Plan,
  delegate?: (title: string, parentID: string) => string | undefined,
): string {
  const { random, clock, identifiers, files } = workshop
  const id = identifiers.descending("session")
  const created = clock.now()
  const diffs = new Map<string, NewFileDiff>()
  const conversation: Conversation = {
    workshop,
    sessionID: id,
    worktree: project.worktree,
    agent: parentID === undefined ? random.pick(["build", "build", "plan"]) : "general",
    model: { providerID: "example", modelID: random.pick(["large", "small"]) },
    diffs,
    delegate: (childTitle) => delegate?.(childTitle, id),
  }
  for (let turn = 0; turn < turns; turn++) writeTurn(conversation)
  const session: NewSession = {
    id,
    slug: `${random.pick(ADJECTIVES)}-${random.pick(NOUNS)}`,
    version: "1.1.65",
    projectID: project.id,
    directory: project.worktree,
    ...(parentID === undefined ? {} : { parentID }),
    title,
    ...(parentID === undefined ? {} : { permission: CHILD_PERMISSION }),
    time: { created, updated: clock.now() },
    summary: {
      additions: sum([...diffs.values()].map(({ additions }) => additions)),
      deletions: sum([...diffs.values()].map(({ deletions }) => deletions)),
      files: diffs.size,
    },
  }
  files.write(["session", project.id, id], session)
  files.write(["session_diff", id], [...diffs.values()])
  if (conversation.todos !== undefined) files.write(["todo", id], conversation.todos)
  return id
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
