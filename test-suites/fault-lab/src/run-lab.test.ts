import { describe, expect, it } from "vitest"
import { runLab } from "./run-lab.js"
import { loadSubject } from "./subject.js"

describe("the lab catches a store that", () => {
  it.each([
    ["forgets records", "forgetting", "missing"],
    ["makes records up", "inventing", "wrong"],
    ["throws an error of its engine", "throwing", "raw"],
    ["aborts the process", "aborting", "crash"],
    ["never ends", "hanging", "hang"],
    ["writes while it is read", "touching", "touched"],
    ["leaves temporary files behind", "littering", "litter"],
  ])("%s", async (_, name, outcome) => {
    const subject = await loadSubject(new URL(`../testing/${name}.ts`, import.meta.url).href)
    const report = await runLab(subject, { mutations: 2, seed: 1, timeLimit: 5000 })
    expect(report.failures.map((failure) => failure.outcome)).toEqual([outcome, outcome])
  })
})

describe("a run of the lab", () => {
  it("repeats its mutations for the same seed, also one alone", async () => {
    const subject = await loadSubject(new URL("../testing/throwing.ts", import.meta.url).href)
    const all = await runLab(subject, { mutations: 5, seed: 3 })
    const one = await runLab(subject, { mutations: 1, seed: 3, first: 4 })
    expect(one.failures).toEqual([all.failures[4]])
  })
})
