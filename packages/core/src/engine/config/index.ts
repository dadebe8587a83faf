export { Configuration } from "./configuration.js"
export { ConfigurationError, type ConfigurationProblem } from "./configuration-error.js"
export { type Flags, readFlags } from "./flags.js"
export {
  type ConfigurationText,
  type LoadConfigurationOptions,
  type LoadedConfiguration,
  loadConfiguration,
  type RemoteConfiguration,
} from "./load-configuration.js"
export { ModelName } from "./model-name.js"
