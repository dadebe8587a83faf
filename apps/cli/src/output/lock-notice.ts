import type { Output } from "./output.js"
import type { ProgressDisplay } from "./progress-display.js"

/** Shorter waits are part of normal work. */
const FIRST_NOTICE = 1_000
const NEXT_NOTICE = 15_000

/** Says now and then that the target is held by another program, with the milliseconds for which that was so. */
export function lockNotice(
  output: Pick<Output, "note">,
  progress: Pick<ProgressDisplay, "clear"> | undefined,
): (waited: number) => void {
  let next = FIRST_NOTICE
  let last = 0
  return (waited) => {
    if (waited < last) next = FIRST_NOTICE
    last = waited
    if (waited < next) return
    next = waited + NEXT_NOTICE
    progress?.clear()
    const seconds = Math.round(waited / 1000)
    output.note(
      `opencode or another program is writing to the database; waiting for it (${seconds} s so far).`,
    )
  }
}
