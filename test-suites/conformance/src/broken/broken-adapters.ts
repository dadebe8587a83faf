import type { BrokenAdapter } from "./broken-adapter.js"
import { brokenArguments } from "./broken-arguments.js"
import { brokenBatch } from "./broken-batch.js"
import { brokenCapabilities } from "./broken-capabilities.js"
import { brokenCrash } from "./broken-crash.js"
import { brokenFind } from "./broken-find.js"
import { brokenIsolation } from "./broken-isolation.js"
import { brokenKeys } from "./broken-keys.js"
import { brokenLifeCycle } from "./broken-life-cycle.js"
import { brokenList } from "./broken-list.js"
import { brokenMedia } from "./broken-media.js"
import { brokenModel } from "./broken-model.js"
import { brokenProcesses } from "./broken-processes.js"
import { brokenReadWrite } from "./broken-read-write.js"
import { brokenRemove } from "./broken-remove.js"
import { brokenScan } from "./broken-scan.js"
import { brokenUpdate } from "./broken-update.js"
import { brokenValues } from "./broken-values.js"

/** Every deliberate fault. Between them they break every contract. */
export const brokenAdapters: readonly BrokenAdapter[] = [
  ...brokenLifeCycle,
  ...brokenKeys,
  ...brokenReadWrite,
  ...brokenValues,
  ...brokenUpdate,
  ...brokenRemove,
  ...brokenList,
  ...brokenScan,
  ...brokenFind,
  ...brokenBatch,
  ...brokenArguments,
  ...brokenIsolation,
  ...brokenCapabilities,
  ...brokenModel,
  ...brokenProcesses,
  ...brokenCrash,
  ...brokenMedia,
]
