import { race } from "../measure.js"
import type { Part } from "../selection.js"
import { OpenStores } from "../stores/open-stores.js"
import { sqlite } from "../stores/sessile.js"
import type { EngineRun } from "./engine-run.js"
import { engineOn, runBare } from "./sides.js"
import { streamingModel } from "./streaming-model.js"

/** How many words the model says in each step of a run. */
const WORDS = [1, 1_000] as const

/** Runs of few words and of many, by the AI SDK bare and by the engine on SQLite, in turn. */
export async function raceOnSteps(parts: ReadonlySet<Part>): Promise<EngineRun[]> {
  if (!parts.has("steps")) return []
  await using stores = await OpenStores.create()
  const runEngine = engineOn(await stores.open(sqlite))
  const rows = await race(
    WORDS.flatMap((words) => [
      { row: String(words), store: "bare", work: () => runBare(streamingModel(words)) },
      { row: String(words), store: "engine", work: () => runEngine(streamingModel(words)) },
    ]),
  )
  return rows.map(({ name, times: { bare = [], engine = [] } }) => ({ words: Number(name), bare, engine }))
}
