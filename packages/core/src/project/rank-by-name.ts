import type { Project } from "../model/project.js"
import { compareUtf8 } from "../storage/key.js"

/**
 * The projects that may be meant by a name or a path, the likeliest first; among equals the one used last. Letter
 * case and the kind of slash do not count.
 */
export function rankByName(projects: readonly Project[], name: string): Project[] {
  const wanted = spelling(name)
  if (wanted === "") return []
  return projects
    .map((project) => ({ project, rank: rank(project, wanted) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || compareUse(a.project, b.project))
    .map(({ project }) => project)
}

interface Names {
  readonly path: string
  readonly short: readonly string[]
}

/** From the closest resemblance to the faintest. */
const resemblances: readonly ((names: Names, wanted: string) => boolean)[] = [
  ({ path }, wanted) => path === wanted,
  ({ path, short }, wanted) => path.endsWith(`/${wanted}`) || short.includes(wanted),
  ({ short }, wanted) => short.some((name) => name.startsWith(wanted)),
  ({ short }, wanted) => short.some((name) => name.includes(wanted)),
  ({ path }, wanted) => path.includes(wanted),
  ({ short }, wanted) => short.some((name) => hasInOrder(name, wanted)),
]

function rank(project: Project, wanted: string): number {
  const path = spelling(project.worktree)
  const short = [path.slice(path.lastIndexOf("/") + 1), spelling(project.name ?? "")]
  return resemblances.findIndex((resembles) => resembles({ path, short }, wanted))
}

function spelling(text: string): string {
  const slashed = text.trim().normalize().toLowerCase().replaceAll("\\", "/")
  return slashed.replace(/(?<=.)\/+$/, "")
}

function hasInOrder(name: string, letters: string): boolean {
  let position = 0
  for (const letter of letters) {
    position = name.indexOf(letter, position) + 1
    if (position === 0) return false
  }
  return true
}

function compareUse(a: Project, b: Project): number {
  const lastUse = ({ time }: Project) => time.updated ?? time.created
  return lastUse(b) - lastUse(a) || compareUtf8(a.id, b.id)
}
