import { z } from "zod"
import { AssistantMessage } from "./assistant-message.js"
import { AgentPart, ReasoningPart, SubtaskPart, TextPart, ToolPart } from "./content-part.js"
import { FileDiff, FileDiffList } from "./file-diff.js"
import { FilePart } from "./file-part.js"
import { FilePartSource, FileSource, ResourceSource, SourceText, SymbolSource } from "./file-source.js"
import { Message } from "./message.js"
import { MessageError } from "./message-error.js"
import { MessageID, PartID, ProjectID, SessionID } from "./model-id.js"
import { ModelReference } from "./model-reference.js"
import { Part } from "./part.js"
import { PartBase } from "./part-base.js"
import { PermissionAction, PermissionRule, PermissionRuleset } from "./permission.js"
import { JsonObject, Timestamp } from "./primitives.js"
import { Project } from "./project.js"
import { RevertState, Session, SessionSummary, Slug } from "./session.js"
import { SessionShare } from "./share.js"
import {
  CompactionPart,
  PatchPart,
  RetryPart,
  SnapshotPart,
  StepFinishPart,
  StepStartPart,
} from "./step-part.js"
import { Todo, TodoList } from "./todo.js"
import { TokenUsage } from "./token-usage.js"
import {
  ToolState,
  ToolStateCompleted,
  ToolStateError,
  ToolStatePending,
  ToolStateRunning,
  ToolStatus,
} from "./tool-state.js"
import { UserMessage } from "./user-message.js"

const models = {
  Project,
  Session,
  SessionSummary,
  RevertState,
  SessionShare,
  Slug,
  UserMessage,
  AssistantMessage,
  Message,
  MessageError,
  ModelReference,
  TokenUsage,
  PartBase,
  TextPart,
  ReasoningPart,
  ToolPart,
  FilePart,
  StepStartPart,
  StepFinishPart,
  SnapshotPart,
  PatchPart,
  AgentPart,
  SubtaskPart,
  RetryPart,
  CompactionPart,
  Part,
  ToolStatus,
  ToolStatePending,
  ToolStateRunning,
  ToolStateCompleted,
  ToolStateError,
  ToolState,
  FileSource,
  SymbolSource,
  ResourceSource,
  FilePartSource,
  SourceText,
  FileDiff,
  FileDiffList,
  Todo,
  TodoList,
  PermissionAction,
  PermissionRule,
  PermissionRuleset,
  ProjectID,
  SessionID,
  MessageID,
  PartID,
  Timestamp,
  JsonObject,
}

/** A JSON Schema document that defines the models by name. */
export interface ModelJsonSchema {
  $schema: string
  $defs: Record<string, z.core.JSONSchema.JSONSchema>
}

/**
 * The models as one JSON Schema document (draft 2020-12), for readers in other languages. Each stands under
 * `$defs` by its name and describes records as they are read: fields beyond the known ones are allowed.
 */
export function modelJsonSchema(): ModelJsonSchema {
  const registry = z.registry<{ id: string; type?: "object" }>()
  for (const [id, model] of Object.entries(models)) registry.add(model, { id })
  // zod cannot look into a custom check: the type of free-form objects is given here.
  registry.add(JsonObject, { id: "JsonObject", type: "object" })

  const { $defs } = z.toJSONSchema(z.object(models), { metadata: registry, unrepresentable: "any" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { ...$defs } }
}
