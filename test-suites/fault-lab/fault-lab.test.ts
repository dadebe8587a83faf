import { fileURLToPath } from "node:url"
import { runLab, type Subject } from "@sessile/fault-lab"
import { describe, expect, it } from "vitest"
import { subject as json } from "./subjects/json.js"
import { subject as level } from "./subjects/level.js"
import { subject as killedLevel } from "./subjects/level-log.js"
import { subject as opencode } from "./subjects/opencode.js"
import { subject as sqlite } from "./subjects/sqlite.js"
import { subject as killedSqlite } from "./subjects/sqlite-log.js"

const program = fileURLToPath(new URL("../../apps/cli/bin/sessile.js", import.meta.url))

const subjects: readonly Subject[] = [sqlite, killedSqlite, level, killedLevel, opencode, json]

/** More by hand: `LAB_MUTATIONS=5000 LAB_SEED=7 pnpm vitest run --project fault-lab`. */
const mutations = Number(process.env.LAB_MUTATIONS ?? 150)
const seed = Number(process.env.LAB_SEED ?? 1)

describe.each(subjects)("$name", (subject) => {
  it("gives right data, a typed error or a named loss, whatever is damaged", async () => {
    // A store of files takes long to copy, and each file is like the others.
    const count = subject === json ? Math.ceil(mutations / 5) : mutations
    const { failures } = await runLab(subject, { mutations: count, seed })
    expect(failures).toEqual([])
  })

  it("is converted by the program right, with its losses named, or not at all", async () => {
    const { failures } = await runLab(subject, { mutations: Math.ceil(mutations / 10), seed, program })
    expect(failures).toEqual([])
  })
})
