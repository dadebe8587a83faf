import type { ShadowRepository } from "./shadow-repository.js"
import type { Change } from "./tree-changes.js"

const ABSENT = "000000"

/** The contents of the files whose lines were counted, before and after, by hash. */
export async function readContents(
  shadow: ShadowRepository,
  changes: readonly Change[],
): Promise<Map<string, string>> {
  const blobs = changes
    .filter(({ lines }) => lines !== undefined)
    .flatMap(({ before, after }) => [before, after])
  const hashes = new Set(blobs.filter(({ mode }) => mode !== ABSENT).map(({ hash }) => hash))
  const input = Buffer.from([...hashes].map((hash) => `${hash}\n`).join(""))
  return parseBatch(await shadow.run(["cat-file", "--batch"], { input }))
}

/** Each content stands between a line `<hash> blob <size>` and a newline. */
function parseBatch(output: Buffer): Map<string, string> {
  const contents = new Map<string, string>()
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf("\n", start)
    const [hash, , size] = output.toString("latin1", start, end).split(" ") as [string, string, string]
    contents.set(hash, output.toString("utf8", end + 1, end + 1 + Number(size)))
    start = end + 1 + Number(size) + 1
  }
  return contents
}
