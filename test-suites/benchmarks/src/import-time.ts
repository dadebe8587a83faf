import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { median } from "./measure.js"

const run = promisify(execFile)
const RUNS = 11

/** How long `import` of a package takes in a fresh process, in milliseconds. */
export async function importTime(specifier: string): Promise<number> {
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
