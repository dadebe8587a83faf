import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { median } from "./measure.js"

const run = promisify(execFile)
const RUNS = 11

/** How long `import` of an entry takes in a fresh process, and how long it may. */
export interface ImportTime {
  readonly name: string
  readonly milliseconds: number
  readonly limit: number
}

/** The entries of core. The models load zod, and may take twice as long as zod alone. */
export async function importTimes(): Promise<ImportTime[]> {
  const zod = await importTime("zod")
  return [
    { name: "@sessile/core", milliseconds: await importTime("@sessile/core"), limit: 100 },
    { name: "@sessile/core/model", milliseconds: await importTime("@sessile/core/model"), limit: 2 * zod },
  ]
}

async function importTime(specifier: string): Promise<number> {
  const url = JSON.stringify(import.meta.resolve(specifier))
  const script = `const start = performance.now(); await import(${url}); console.log(performance.now() - start)`
  const times: number[] = []
  for (let round = 0; round < RUNS; round++) {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: here })
    times.push(Number(stdout))
  }
  return median(times)
}

const here = fileURLToPath(new URL(".", import.meta.url))
