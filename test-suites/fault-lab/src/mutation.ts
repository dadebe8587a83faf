import { createHash } from "node:crypto"
import { readdir, readFile, truncate, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"

/** One way to damage one file of a store. */
export interface Mutation {
  readonly kind: "flip" | "truncate" | "zero"
  /** The file, relative to the folder of the store. */
  readonly file: string
  /** The first byte that is damaged, or the new size. */
  readonly offset: number
  /** How many bytes are zeroed; the number of the bit that is flipped. */
  readonly extent: number
  /** The size of the file before. */
  readonly size: number
}

/** The files of a store that have bytes to damage, with their sizes, in a fixed order. */
export async function damageableFiles(folder: string): Promise<ReadonlyMap<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = new Map<string, number>()
  for (const path of paths.sort()) {
    const { length } = await readFile(path)
    if (length > 0) sizes.set(relative(folder, path), length)
  }
  return sizes
}

/**
 * The mutation with a number: the same for the same seed, number and files, so that one of thousands can be repeated
 * alone.
 */
export function mutationOf(seed: number, number: number, files: ReadonlyMap<string, number>): Mutation {
  const draw = draws(seed, number)
  const [file, size] = [...files][draw(files.size)] as [string, number]
  const offset = draw(size)
  // Flips are what bit rot is made of, and there are more ways to make them.
  const kind = (["flip", "flip", "zero", "truncate"] as const)[draw(4)] as Mutation["kind"]
  // From a few bytes to a few pages of any engine.
  const length = 1 + draw(2 ** (1 + draw(14)))
  const extent = kind === "flip" ? draw(8) : Math.min(length, size - offset)
  return { kind, file, offset, extent, size }
}

/** Damages the copy of a store in a folder. */
export async function applyMutation(folder: string, mutation: Mutation): Promise<void> {
  const path = join(folder, mutation.file)
  if (mutation.kind === "truncate") return truncate(path, mutation.offset)
  const bytes = await readFile(path)
  if (mutation.kind === "zero") bytes.fill(0, mutation.offset, mutation.offset + mutation.extent)
  else bytes[mutation.offset] = (bytes[mutation.offset] as number) ^ (1 << mutation.extent)
  await writeFile(path, bytes)
}

/** Describes a mutation in words. */
export function describeMutation({ kind, file, offset, extent, size }: Mutation): string {
  if (kind === "truncate") return `${file} cut from ${size} to ${offset} bytes`
  if (kind === "zero") return `${extent} bytes zeroed at ${offset} of ${file}`
  return `bit ${extent} of byte ${offset} flipped in ${file}`
}

/** Whether a mutation reaches the end of its file. */
export function reachesEnd({ kind, offset, extent, size }: Mutation): boolean {
  return kind === "truncate" || (kind === "zero" && offset + extent === size)
}

function draws(seed: number, number: number): (limit: number) => number {
  const bytes = createHash("sha256").update(`${seed}/${number}`).digest()
  let position = 0
  return (limit) => {
    position += 4
    return bytes.readUInt32LE(position - 4) % limit
  }
}
