export { identifyProject, type ProjectIdentity } from "./project-id.js"
