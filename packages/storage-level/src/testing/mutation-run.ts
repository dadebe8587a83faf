import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Mutation, mutate } from "./mutation.js"

/** What was read from a store, as `read-stores.mjs` prints it. */
export interface Reading {
  readonly records?: Readonly<Record<string, unknown>>
  readonly invalid?: readonly unknown[]
  readonly findings?: readonly string[]
  readonly error?: { readonly code?: string; readonly message: string }
  readonly isTouched?: boolean
  readonly repaired?: Reading & { readonly count?: number; readonly losses?: readonly string[] }
}

const script = fileURLToPath(new URL("read-stores.mjs", import.meta.url))

/** Reads copies of a store, each damaged by one mutation, in another process; `undefined` where that process died. */
export async function readMutants(
  store: string,
  mutations: readonly Mutation[],
  work: string,
): Promise<(Reading | undefined)[]> {
  await mkdir(work, { recursive: true })
  for (const [number, mutation] of mutations.entries()) {
    await cp(store, join(work, String(number)), { recursive: true })
    await mutate(join(work, String(number)), mutation)
  }
  const readings: (Reading | undefined)[] = []
  while (readings.length < mutations.length) {
    readings.push(...(await readFrom(work, readings.length, mutations.length)))
    if (readings.length < mutations.length) readings.push(undefined)
  }
  await rm(work, { recursive: true })
  return readings
}

async function readFrom(work: string, first: number, end: number): Promise<Reading[]> {
  const child = spawn(process.execPath, [script, work, String(first), String(end)], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  await once(child, "close")
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
