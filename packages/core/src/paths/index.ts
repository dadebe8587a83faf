export { DataFolderError } from "./data-folder-error.js"
export {
  type OpencodePaths,
  opencodeChannelDatabase,
  opencodePaths,
  type PathEnvironment,
} from "./opencode-paths.js"
