import type { ModelDriver } from "@sessile/core/engine"
import { createIdentifiers } from "@sessile/core/identifier"
import type { Storage } from "@sessile/core/storage"
import { openEngine } from "../open-engine.js"
import type { Scenario } from "./scenarios.js"
import { tools } from "./tools.js"

/** Plays a scenario on a store, at a time that stands still and with chance that is none. */
export async function play(scenario: Scenario, storage: Storage, driver: ModelDriver): Promise<void> {
  let byte = 0
  const clock = () => 1_800_000_000_000
  const random = (size: number) => Uint8Array.from({ length: size }, () => byte++ % 251)
  const identifiers = createIdentifiers({ clock, random })
  const opened = openEngine(storage, { driver, tools, clock, random, identifiers })
  const { id } = await opened.sessions.create()
  await scenario.ask(id, opened)
  await opened.engine.close()
  await opened.sessions.close()
}
