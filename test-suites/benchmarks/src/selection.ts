/** The parts of a run, each a group of measurements that share their stores. */
export const groups = {
  records: ["write", "read", "batch", "scan"],
  session: ["load"],
  lists: ["newest", "children"],
  sessions: ["messages", "overview", "fork", "deltas"],
  engine: ["steps"],
  imports: ["imports"],
  convert: ["convert"],
} as const

/** The name of one measurement. */
export type Part = (typeof groups)[keyof typeof groups][number]

/** The parts that a name stands for; all of them without a name. */
export function partsNamed(name: string | undefined): ReadonlySet<Part> {
  const all = Object.values(groups).flat()
  const named = Object.entries(groups).find(([group]) => group === name)?.[1]
  const chosen = name === undefined ? all : (named ?? all.filter((part) => part === name))
  if (chosen.length > 0) return new Set(chosen)
  const names = new Set([...Object.keys(groups), ...all])
  throw new Error(`There is no part "${name}"; it takes one of: ${[...names].join(", ")}`)
}
