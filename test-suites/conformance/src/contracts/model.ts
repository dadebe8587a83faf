import { type Storage, StorageError } from "@sessile/core/storage"
import fc from "fast-check"
import { ContractFailure, expectSame, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import type { Lab } from "../lab.js"
import { addTo, ReferenceModel, type Result } from "../model/reference-model.js"
import { regressions } from "../model/regressions.js"
import { type Step, stepsOf } from "../model/step.js"
import { show } from "../show.js"

// Half as long on average as they may be: over 10,000 steps in all, with all but certainty.
const RUNS = 120
const LONGEST_RUN = 200

/** Random operations against a simple model. */
export const model: ContractGroup = {
  name: "Random operations",
  required: true,
  contracts: [
    {
      id: "model/random-operations",
      title: "10,000 random operations give what a simple model gives",
      check: async (lab) => {
        const { durable } = lab.storage.capabilities
        const property = fc.asyncProperty(stepsOf(LONGEST_RUN, durable), (steps) =>
          playAgainstModel(lab, steps),
        )
        const outcome = await fc.check(property, {
          seed: lab.seed,
          numRuns: RUNS,
          examples: regressions.map((steps) => [[...steps]]),
        })
        if (!outcome.failed) return
        const [steps = []] = outcome.counterexample ?? []
        const cause =
          outcome.errorInstance instanceof ContractFailure ? outcome.errorInstance.finding : undefined
        const list = steps.map((step, index) => `  ${index + 1}. ${show(step)}`).join("\n")
        const problem = cause?.problem ?? `The store failed: ${show(outcome.errorInstance)}`
        throw new ContractFailure({
          ...cause,
          problem: `${problem}\nseed ${lab.seed}, shortest steps that show it:\n${list}`,
        })
      },
    },
  ],
}

async function playAgainstModel(parent: Lab, steps: readonly Step[]): Promise<void> {
  await using lab = await parent.fresh()
  const reference = new ReferenceModel()
  let { storage } = lab
  for (const step of steps) {
    if (step.do === "reopen") storage = await lab.reopen()
    const problem = `A step gave another result than the model: ${show(step)}`
    expectSame(await resultOf(storage, step), reference.apply(step), problem)
  }
  const everything = { do: "scan", prefixes: [[]], range: {} } as const
  const problem = "The store does not hold what the model holds at the end"
  expectSame(await resultOf(storage, everything), reference.apply(everything), problem)
}

async function resultOf(storage: Storage, step: Step): Promise<Result> {
  try {
    return await perform(storage, step)
  } catch (error) {
    if (StorageError.is(error)) return error.code
    throw error
  }
}

async function perform(storage: Storage, step: Step): Promise<Result> {
  switch (step.do) {
    case "read":
      return storage.read(step.key)
    case "write":
      return storage.write(step.key, step.value)
    case "update":
      return storage.update(step.key, (draft) => addTo(draft, step.add))
    case "remove":
      return storage.remove(step.key)
    case "list":
      return storage.list(step.prefix, step.range)
    case "scan":
      return gather(storage.scanMany(step.prefixes, step.range))
    case "batch":
      return storage.batch(step.operations)
    case "reopen":
      return undefined
  }
}
