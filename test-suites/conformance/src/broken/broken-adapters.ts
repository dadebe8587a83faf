import type { BrokenAdapter } from "./broken-adapter.js"
import { brokenArguments } from "./broken-arguments.js"
import { brokenBatch } from "./broken-batch.js"
import { brokenBulk } from "./broken-bulk.js"
import { brokenCapabilities } from "./broken-capabilities.js"
import { brokenChecksums } from "./broken-checksums.js"
import { brokenCrash } from "./broken-crash.js"
import { brokenFailures } from "./broken-failures.js"
import { brokenFind } from "./broken-find.js"
import { brokenIsolation } from "./broken-isolation.js"
import { brokenKeys } from "./broken-keys.js"
import { brokenLifeCycle } from "./broken-life-cycle.js"
import { brokenList } from "./broken-list.js"
import { brokenMedia } from "./broken-media.js"
import { brokenModel } from "./broken-model.js"
import { brokenPages } from "./broken-pages.js"
import { brokenProcesses } from "./broken-processes.js"
import { brokenReadWrite } from "./broken-read-write.js"
import { brokenRemove } from "./broken-remove.js"
import { brokenResources } from "./broken-resources.js"
import { brokenScan } from "./broken-scan.js"
import { brokenUpdate } from "./broken-update.js"
import { brokenValues } from "./broken-values.js"

/** Every deliberate fault of adapters in memory and in files. Those of a networked adapter are its mutants. */
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
  ...brokenPages,
  ...brokenResources,
  ...brokenBatch,
  ...brokenBulk,
  ...brokenArguments,
  ...brokenIsolation,
  ...brokenCapabilities,
  ...brokenChecksums,
  ...brokenModel,
  ...brokenProcesses,
  ...brokenCrash,
  ...brokenFailures,
  ...brokenMedia,
]
