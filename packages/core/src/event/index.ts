export {
  type BusEvent,
  EventBus,
  type EventBusOptions,
  type EventListener,
  type EventStreamOptions,
} from "./event-bus.js"
export { EventOverflowError } from "./event-stream.js"
export type { PermissionReply, PermissionRequest, SessionEvents, SessionStatus } from "./session-events.js"
