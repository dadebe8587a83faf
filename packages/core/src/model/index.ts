export { AssistantMessage, type NewAssistantMessage, newAssistantMessage } from "./assistant-message.js"
export { checkModel } from "./check-model.js"
export { AgentPart, ReasoningPart, SubtaskPart, TextPart, ToolPart } from "./content-part.js"
export { FileDiff, FileDiffList, type NewFileDiff, newFileDiff } from "./file-diff.js"
export { FilePart } from "./file-part.js"
export { FilePartSource, FileSource, ResourceSource, SourceText, SymbolSource } from "./file-source.js"
export { type ModelJsonSchema, modelJsonSchema } from "./json-schema.js"
export { Message } from "./message.js"
export {
  type ErrorDetails,
  errorDetails,
  MessageError,
  type NewMessageError,
  newMessageError,
} from "./message-error.js"
export { ModelError, type ModelIssue } from "./model-error.js"
export { MessageID, PartID, ProjectID, SessionID } from "./model-id.js"
export { ModelReference } from "./model-reference.js"
export { type NewPart, newPart, Part, type PartType } from "./part.js"
export { PartBase } from "./part-base.js"
export {
  type NewPermissionRule,
  newPermissionRule,
  PermissionAction,
  PermissionRule,
  PermissionRuleset,
} from "./permission.js"
export { JsonObject, Timestamp } from "./primitives.js"
export { type NewProject, newProject, Project } from "./project.js"
export { type NewSession, newSession, RevertState, Session, SessionSummary, Slug } from "./session.js"
export { type NewSessionShare, newSessionShare, SessionShare } from "./share.js"
export {
  CompactionPart,
  PatchPart,
  RetryPart,
  SnapshotPart,
  StepFinishPart,
  StepStartPart,
} from "./step-part.js"
export { type NewTodo, newTodo, Todo, TodoList } from "./todo.js"
export { type NewTokenUsage, TokenUsage } from "./token-usage.js"
export {
  type NewToolState,
  newToolState,
  ToolState,
  ToolStateCompleted,
  ToolStateError,
  ToolStatePending,
  ToolStateRunning,
  ToolStatus,
} from "./tool-state.js"
export { assertTransition, canTransition, ToolTransitionError } from "./tool-transition.js"
export { type NewUserMessage, newUserMessage, UserMessage } from "./user-message.js"
