import type { NewFileDiff, NewTodo } from "@sessile/core/model"
import type { Conversation } from "./conversation.js"
import type { Random } from "./random.js"
import type { Workshop } from "./workshop.js"

/** What a tool was asked and what it answered. */
export interface ToolCall {
  readonly tool: string
  readonly title: string
  readonly input: Record<string, unknown>
  readonly output: string
  readonly metadata: Record<string, unknown>
  /** The file that it changed. */
  readonly diff?: NewFileDiff
  /** The tasks that it set. */
  readonly todos?: NewTodo[]
}

/** A call of one of the tools that need no session of their own. */
export function makeToolCall(workshop: Workshop, worktree: string): ToolCall {
  return workshop.random.pick(tools)(workshop, worktree)
}

/** Now and then the work is given to a subagent, in a child session, as far as the conversation allows that. */
export function delegateTask({ workshop: { random, texts }, delegate }: Conversation): ToolCall | undefined {
  if (!random.chance(0.015)) return undefined
  const description = texts.title(3)
  const sessionID = delegate(`${description} (@general subagent)`)
  if (sessionID === undefined) return undefined
  return {
    tool: "task",
    title: description,
    input: { description, prompt: texts.prose(random.longTailed(600, 0.5)), subagent_type: "general" },
    output: `task_id: ${sessionID}\n\n<task_result>\n${texts.prose(random.longTailed(900, 0.8))}\n</task_result>`,
    metadata: { sessionId: sessionID, truncated: false },
  }
}

type Tool = (workshop: Workshop, worktree: string) => ToolCall

const bash: Tool = ({ random, texts }) => {
  const description = texts.title(4)
  const output = texts.code(random.longTailed(400, 1.4))
  return {
    tool: "bash",
    title: description,
    input: { command: `pnpm run build && git status -- ${texts.title(2)}`, description },
    output,
    metadata: { output, exit: random.chance(0.9) ? 0 : 1, description, truncated: false },
  }
}

const read: Tool = ({ random, texts }, worktree) => {
  const file = makePath(random)
  const filePath = `${worktree}/${file}`
  const content = texts.code(random.longTailed(1_150, 1.2))
  return {
    tool: "read",
    title: file,
    input: { filePath, ...(random.chance(0.2) ? { offset: 0, limit: 200 } : {}) },
    output: `<path>${filePath}</path>\n<type>file</type>\n<content>${content}</content>`,
    metadata: { preview: content.slice(0, 600), truncated: false, loaded: [] },
  }
}

const grep: Tool = ({ random, texts }) => {
  const pattern = texts.title(1)
  const matches = random.integer(0, 100)
  return {
    tool: "grep",
    title: pattern,
    input: { pattern, include: "*.ts" },
    output: texts.code(random.longTailed(600, 1)),
    metadata: { matches, truncated: matches === 100 },
  }
}

const edit: Tool = (workshop, worktree) => {
  const { random, texts } = workshop
  const diff = makeDiff(workshop)
  const oldString = texts.code(random.longTailed(150, 0.8))
  const newString = texts.code(random.longTailed(200, 0.8))
  const { status: _, ...filediff } = { ...diff, file: `${worktree}/${diff.file}` }
  return {
    tool: "edit",
    title: diff.file,
    input: { filePath: filediff.file, oldString, newString },
    output: "The file was edited.",
    metadata: { diagnostics: {}, diff: `-${oldString}\n+${newString}`, filediff, truncated: false },
    diff,
  }
}

const todowrite: Tool = ({ random, texts }) => {
  const todos = Array.from(
    { length: random.integer(2, 7) },
    (_, index): NewTodo => ({
      id: String(index + 1),
      content: texts.title(random.integer(3, 10)),
      status: random.pick(["completed", "in_progress", "pending"]),
      priority: random.pick(["high", "medium", "low"]),
    }),
  )
  return {
    tool: "todowrite",
    title: `${todos.length} todos`,
    input: { todos },
    output: JSON.stringify(todos, null, 2),
    metadata: { todos, truncated: false },
    todos,
  }
}

// As often as agents call them.
const tools = [
  bash,
  bash,
  bash,
  bash,
  read,
  read,
  read,
  read,
  read,
  grep,
  grep,
  edit,
  edit,
  todowrite,
] as const

function makeDiff({ random, texts }: Workshop): NewFileDiff {
  const isNew = random.chance(0.2)
  const after = texts.code(random.longTailed(700, 1))
  return {
    file: makePath(random),
    before: isNew ? "" : after.slice(random.integer(0, 200)),
    after,
    additions: random.longTailed(12, 1),
    deletions: isNew ? 0 : random.longTailed(5, 1),
    status: isNew ? "added" : "modified",
  }
}

function makePath(random: Random): string {
  return `src/part-${random.integer(1, 20)}/module-${random.integer(1, 20)}.ts`
}
