import type { Progress } from "./supervised-run.js"

/** Shows how far a run has come: in one line of a terminal, or by a line for each contract elsewhere. */
export function showProgress(stream: NodeJS.WriteStream): Progress & { clear(): void } {
  let total = 0
  let done = 0
  const show = (text: string) => stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
  return {
    started: (start) => {
      total = start.total
      if (!stream.isTTY) show(`${total} contracts, seed ${start.seed}`)
    },
    begun: (id) => {
      if (stream.isTTY) show(`${done}/${total} ${id}`)
    },
    done: ({ id, status }) => {
      done++
      if (!stream.isTTY) show(`${done}/${total} ${id} ${status}`)
    },
    clear: () => {
      if (stream.isTTY) show("")
    },
  }
}
