export {
  ContractFailure,
  expectRejection,
  expectSame,
  expectThat,
  type Finding,
  gather,
} from "./assertions.js"
export { type Contract, type ContractGroup, ContractSkip } from "./contract.js"
export { contractGroups } from "./contracts/index.js"
export { type FormatOptions, formatReport } from "./format-report.js"
export type { BreakDownOptions, Harness, Place, ReopenOptions } from "./harness.js"
export type { Lab } from "./lab.js"
export { loadHarness } from "./load-harness.js"
export type { ConformanceReport, ContractResult, GroupResult } from "./report.js"
export { type ConformanceOptions, runConformance } from "./run-conformance.js"
export type { RunStart } from "./summary.js"
