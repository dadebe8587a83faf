export { unsupportedReason } from "./isolation.js"
export { OpencodeSandbox, type Outcome } from "./opencode-sandbox.js"
