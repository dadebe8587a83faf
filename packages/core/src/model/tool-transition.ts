import type { ToolStatus } from "./tool-state.js"

// A state may be written again while its call goes on; a completed one too, for pruning marks its output.
const successors: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  pending: ["pending", "running", "error"],
  running: ["running", "completed", "error"],
  completed: ["completed"],
  error: [],
}

/** Whether a tool call in state `from` may be stored in state `to`. */
export function canTransition(from: ToolStatus, to: ToolStatus): boolean {
  return successors[from].includes(to)
}

/**
 * Refuses a step that a tool call cannot take.
 *
 * @throws {ToolTransitionError} naming both states.
 */
export function assertTransition(from: ToolStatus, to: ToolStatus): void {
  if (!canTransition(from, to)) throw new ToolTransitionError(from, to)
}

/** A tool call was to take a step that its state does not allow. */
export class ToolTransitionError extends Error {
  override readonly name = "ToolTransitionError"
  readonly code = "INVALID_TRANSITION"
  readonly from: ToolStatus
  readonly to: ToolStatus

  constructor(from: ToolStatus, to: ToolStatus) {
    super(`A tool call that is ${from} cannot become ${to}`)
    this.from = from
    this.to = to
  }
}
