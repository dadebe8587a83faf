import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** One way to damage one file. */
export interface Mutation {
  readonly file: string
  readonly kind: "flip" | "zero" | "garbage" | "truncate" | "remove"
  readonly offset: number
  readonly length: number
}

const kinds = ["flip", "flip", "flip", "zero", "garbage", "truncate", "truncate", "remove"] as const

/** Mutations of the files in a folder, the same ones for the same seed, small files as often as large ones. */
export async function mutationsOf(folder: string, count: number, seed: number): Promise<Mutation[]> {
  const sizes: [string, number][] = []
  for (const name of (await readdir(folder)).sort()) {
    const { length } = await readFile(join(folder, name))
    if (length > 0 && !name.startsWith("LOG")) sizes.push([name, length])
  }
  const below = random(seed)
  return Array.from({ length: count }, () => {
    const [file, size] = sizes[below(sizes.length)] as [string, number]
    const kind = kinds[below(kinds.length)] as Mutation["kind"]
    const offset = below(size)
    return { file, kind, offset, length: Math.min(1 + below(below(2) === 0 ? 16 : 5000), size - offset) }
  })
}

export async function mutate(folder: string, { file, kind, offset, length }: Mutation): Promise<void> {
  const path = join(folder, file)
  if (kind === "remove") return rm(path)
  if (kind === "truncate") return truncate(path, offset)
  const bytes = await readFile(path)
  const before = bytes.readUInt8(offset)
  if (kind === "flip") bytes.writeUInt8(before ^ (1 << (length & 7)), offset)
  else bytes.fill(kind === "zero" ? 0 : before ^ 0x5a, offset, offset + length)
  await writeFile(path, bytes)
}

/** A generator of integers from 0 up to a limit. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
