export {
  type DiscoveredProject,
  type DiscoverOptions,
  discoverProject,
  GLOBAL_PROJECT,
} from "./discover-project.js"
export { GitError } from "./git-error.js"
export { identifyProject, type ProjectIdentity } from "./project-id.js"
export { type ProjectListOptions, Projects, type ProjectsOptions } from "./projects.js"
