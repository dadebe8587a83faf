export type { Agent } from "./agent.js"
export { AgentDefinition } from "./agents/agent-definition.js"
export { Agents, type AgentsOptions } from "./agents/agents.js"
export { type BuiltInAgentsOptions, builtInAgents } from "./agents/built-in-agents.js"
export { type ConfigureAgentsOptions, configureAgents } from "./agents/configure-agents.js"
export { type AgentFolder, type LoadedAgents, loadAgents } from "./agents/load-agents.js"
export type { AgentDefinitions } from "./agents/merge-agents.js"
export { Configuration } from "./config/configuration.js"
export { ConfigurationError, type ConfigurationProblem } from "./config/configuration-error.js"
export { engineSettings } from "./config/engine-settings.js"
export { type Flags, readFlags } from "./config/flags.js"
export { trustBoundary } from "./config/folders.js"
export type { IgnoredSetting } from "./config/ignored-setting.js"
export {
  type ConfigurationText,
  type LoadConfigurationOptions,
  type LoadedConfiguration,
  loadConfiguration,
  type RemoteConfiguration,
} from "./config/load-configuration.js"
export { ModelName } from "./config/model-name.js"
export { TrustedFolders, type TrustedFoldersOptions } from "./config/trusted-folders.js"
export { DriverError, type DriverErrorDetails, type DriverErrorKind } from "./driver-error.js"
export { type CompactOptions, Engine } from "./engine.js"
export { EngineError, type EngineErrorCode } from "./engine-error.js"
export type { EngineOptions, EngineSettings, SystemPrompt, SystemPromptContext } from "./engine-options.js"
export { type Model, type Models, oneModel, type ReachableModel } from "./model.js"
export type {
  DriverEvent,
  ModelDriver,
  ModelRequest,
  RequestMessage,
  ToolDefinition,
  ToolResult,
} from "./model-driver.js"
export type { Hook, Plugin } from "./plugin.js"
export { type HookInput, type HookName, type HookOutput, Plugins } from "./plugins.js"
export { withCacheMarks } from "./prompt/cache-marks.js"
export { COMPACTION_PROMPT, COMPACTION_REQUEST, CONTINUATION_REQUEST } from "./prompt/compaction-prompt.js"
export { LAST_STEP_REMINDER } from "./prompt/max-steps.js"
export { type ModelFamily, modelFamily } from "./prompt/model-family.js"
export { type PlanReminderOptions, planReminder } from "./prompt/plan-reminder.js"
export { type ProjectPromptOptions, projectPrompt } from "./prompt/project-prompt.js"
export { providerHeader } from "./prompt/provider-prompt.js"
export { type SystemPromptOptions, systemPrompt } from "./prompt/system-prompt.js"
export { TITLE_PROMPT, TITLE_REQUEST } from "./prompt/title-prompt.js"
export type { PromptInput, PromptPart } from "./prompt-input.js"
export type { RecordingOptions } from "./recording/identify-request.js"
export { type RecordingSink, recordDriver } from "./recording/record-driver.js"
export { RecordedError } from "./recording/recorded-error.js"
export { RecordedEvent, RecordedExchange, RecordedRequest, Recording } from "./recording/recording.js"
export { RecordingError, type RecordingErrorCode } from "./recording/recording-error.js"
export { type ReplayDriver, replayDriver } from "./recording/replay-driver.js"
export { defineTool, type Tool, type ToolAttachment, type ToolCall, type ToolOutput } from "./tool.js"
