/**
 * Draws files as a tree, one line each, indented by folder. Where there are more than `limit`, those nearest to the
 * root are shown, and of each folder how many files are left out of it.
 *
 * @param paths relative, with slashes
 *
 * @example
 * ```ts
 * fileTree(["src/index.ts", "package.json"], 200) // "src/\n  index.ts\npackage.json"
 * ```
 */
export function fileTree(paths: readonly string[], limit: number): string {
  const nearestFirst = [...paths].sort((a, b) => depth(a) - depth(b) || compareTexts(a, b))
  const root = newFolder()
  for (const path of nearestFirst.slice(0, limit)) insert(root, path)
  for (const path of nearestFirst.slice(limit)) nearestFolder(root, path).hidden++
  return draw(root, "").join("\n")
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
  hidden: number
}

function newFolder(): Folder {
  return { folders: new Map(), files: [], hidden: 0 }
}

function insert(root: Folder, path: string): void {
  const names = path.split("/")
  const file = names.pop() as string
  let folder = root
  for (const name of names) {
    const next = folder.folders.get(name) ?? newFolder()
    folder.folders.set(name, next)
    folder = next
  }
  folder.files.push(file)
}

function nearestFolder(root: Folder, path: string): Folder {
  let folder = root
  for (const name of path.split("/").slice(0, -1)) {
    const next = folder.folders.get(name)
    if (next === undefined) return folder
    folder = next
  }
  return folder
}

function draw({ folders, files, hidden }: Folder, indentation: string): string[] {
  const sorted = [...folders].sort(([a], [b]) => compareTexts(a, b))
  const inner = sorted.flatMap(([name, folder]) => [
    `${indentation}${name}/`,
    ...draw(folder, `${indentation}  `),
  ])
  const rest = hidden === 0 ? [] : [`${indentation}[${hidden} more]`]
  return [...inner, ...files.map((file) => `${indentation}${file}`), ...rest]
}

function depth(path: string): number {
  return path.split("/").length
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
