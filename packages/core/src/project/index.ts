export {
  type DiscoveredProject,
  type DiscoverOptions,
  discoverProject,
  GLOBAL_PROJECT,
} from "./discover-project.js"
export { GitError } from "./git-error.js"
export { type ListedProjects, listedProjects } from "./listed-projects.js"
export { identifyProject, type ProjectIdentity } from "./project-id.js"
export { type ProjectListOptions, Projects, type ProjectsOptions } from "./projects.js"
