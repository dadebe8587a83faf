import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The path of the command. */
export const command = new URL("../bin/sessile-conformance.js", import.meta.url).pathname

/** How a program ends, and what it prints. */
export async function outcome(
  program: string,
  parameters: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  // Node's runner marks the processes it starts; a nested one must not take itself for one of them.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  try {
    return {
      code: 0,
      ...(await run(program, parameters, { env: { ...env, ...environment }, maxBuffer: 2 ** 26 })),
    }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}
