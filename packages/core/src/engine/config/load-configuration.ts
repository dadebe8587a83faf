import { join, resolve } from "node:path"
import type { NewPermissionRule } from "../../model/permission.js"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { leadsInside } from "../../permission/path-target.js"
import { PermissionConfig, rulesFromConfig } from "../../permission/permission-config.js"
import { checkOptions } from "../../storage/options.js"
import type { AgentFolder } from "../agents/load-agents.js"
import { checkText } from "./check-text.js"
import { Configuration } from "./configuration.js"
import { ConfigurationError } from "./configuration-error.js"
import { type Flags, readFlags } from "./flags.js"
import { configurationFolder, foldersBetween, homeFolder, trustBoundary } from "./folders.js"
import { IGNORED, type IgnoredSetting } from "./ignored-setting.js"
import { mergeConfiguration } from "./merge-configuration.js"
import { parseJsonc } from "./parse-jsonc.js"
import { readText } from "./read-text.js"
import { restrictLayer } from "./restrict-layer.js"
import { substitute } from "./substitute.js"

/** Whose configuration to load. */
export interface LoadConfigurationOptions {
  /** Where the work is done. */
  readonly directory: string
  /** The root of the repository around it, where looking for files ends. */
  readonly worktree: string
  /** What decides where the user's settings are, and which flags are set; by default the running process. */
  readonly environment?: PathEnvironment | undefined
  /** Whether the user trusts the folder that `trustBoundary` names, see `TrustedFolders`; not when not given. */
  readonly isTrusted?: boolean | undefined
  /** Configuration that comes from elsewhere; there is none when not given. */
  readonly remote?: RemoteConfiguration | undefined
}

/**
 * Gives the configuration that an organisation hands out, such as that under `.well-known/opencode` of its hosts. It
 * is taken as it is: references to files and variables are not followed.
 */
export type RemoteConfiguration = () => Promise<readonly ConfigurationText[]>

/** The text of a configuration, in JSON with comments. */
export interface ConfigurationText {
  /** What to call it in errors. */
  readonly source: string
  readonly text: string
}

/** A configuration, and where it came from. */
export interface LoadedConfiguration {
  readonly configuration: Configuration
  /** What it was made of, the weakest first. */
  readonly sources: readonly string[]
  /** Folders that may hold `agent/*.md` and the like, the weakest first; see `loadAgents`. */
  readonly folders: readonly AgentFolder[]
  readonly flags: Flags
  /** What has no effect because the user does not trust the worktree. */
  readonly ignored: readonly IgnoredSetting[]
}

/**
 * Loads the configuration for a folder, out of these layers, the later ones over the earlier:
 * 1. that of the user: `config.json`, `opencode.json` and `opencode.jsonc` in `~/.config/opencode`
 * 2. `remote`
 * 3. `opencode.json` and `opencode.jsonc` in each folder from the worktree down to the directory
 * 4. those in the `.opencode` of each of these folders
 * 5. the file that `OPENCODE_CONFIG` names
 * 6. the text in `OPENCODE_CONFIG_CONTENT`
 * 7. `OPENCODE_PERMISSION` and the switches, see {@link Flags}
 *
 * In files, `{env:NAME}` and `{file:PATH}` stand for variables and for the text of other files.
 *
 * The layers 3 and 4 belong to the author of the repository. Unless the user trusts it, their references do not lead out
 * of it, their rules can only narrow those of the user, and settings that run, send or switch off something have no
 * effect; `ignored` names all of that.
 *
 * @throws ConfigurationError with line, column and reason, when a layer is no such thing
 *
 * @example
 * ```ts
 * const { configuration, folders } = await loadConfiguration({ directory: process.cwd(), worktree })
 * const { definitions } = await loadAgents(folders)
 * const agents = configureAgents({ configuration, definitions })
 * ```
 */
export async function loadConfiguration(options: LoadConfigurationOptions): Promise<LoadedConfiguration> {
  checkOptions("loadConfiguration", options, {
    directory: "string",
    worktree: "string",
    environment: "object?",
    isTrusted: "boolean?",
    remote: "function?",
  })
  const { directory, worktree, environment = {}, isTrusted = false, remote } = options
  const flags = readFlags(environment.variables)
  const userFolder = configurationFolder(environment)
  const userFolders = userFolder === undefined ? [] : [userFolder]
  const boundary = trustBoundary(worktree, directory)
  const projectFolders = foldersBetween(boundary, directory)
  const dotFolders = projectFolders.map((folder) => join(folder, ".opencode"))
  const ofUser = { environment, within: undefined }
  const ofProject = { environment, within: isTrusted ? undefined : boundary }

  const layers = [
    ...(await readLayers(userFolders, ["config.json", ...FILE_NAMES], ofUser)),
    ...((await remote?.()) ?? []).map(readLayer),
    ...(await readLayers(projectFolders, FILE_NAMES, ofProject)),
    ...(await readLayers(dotFolders, FILE_NAMES, ofProject)),
    ...(await readNamedFile(directory, flags, ofUser)),
    ...readContent(flags),
  ]
  const merged = layers
    .flatMap(({ configuration }) => (configuration === undefined ? [] : [configuration]))
    .reduce(mergeConfiguration, Configuration.parse({}))
  return {
    configuration: applyFlags(merged, flags),
    sources: layers.filter(({ configuration }) => configuration).map(({ source }) => source),
    folders: [
      ...userFolders.map((path) => ({ path })),
      ...dotFolders.map((path) => (isTrusted ? { path } : { path, within: boundary })),
    ],
    flags,
    ignored: layers.flatMap(({ ignored = [] }) => ignored),
  }
}

const FILE_NAMES = ["opencode.json", "opencode.jsonc"]

interface Layer {
  readonly source: string
  /** Missing when the whole file is ignored. */
  readonly configuration?: Configuration
  readonly ignored?: readonly IgnoredSetting[]
}

/** Whose layers they are. */
interface LayerOwner {
  readonly environment: PathEnvironment
  /** The folder that is not trusted, and must not be left; none for what the user has written or trusts. */
  readonly within: string | undefined
}

async function readLayers(
  folders: readonly string[],
  names: readonly string[],
  owner: LayerOwner,
): Promise<Layer[]> {
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const layers = await Promise.all(paths.map((path) => readFileLayer(path, owner)))
  return layers.filter((layer) => layer !== undefined)
}

async function readFileLayer(source: string, owner: LayerOwner): Promise<Layer | undefined> {
  const { environment, within } = owner
  if (within !== undefined && !leadsInside(within, source)) {
    return { source, ignored: [{ source, reason: IGNORED.outside }] }
  }
  const text = await readText(source)
  if (text === undefined) return undefined
  const { variables = process.env } = environment
  const references: IgnoredSetting[] = []
  const checked = await substitute(parseJsonc(source, text), {
    variables,
    home: homeFolder(environment),
    within,
    onIgnored: (setting, reason) => references.push({ source, setting, reason }),
  })
  const configuration = checkText(Configuration, checked)
  if (within === undefined) return { source, configuration }
  const restricted = restrictLayer(checked, configuration)
  return { source, ...restricted, ignored: [...references, ...restricted.ignored] }
}

async function readNamedFile(
  directory: string,
  { configurationFile }: Flags,
  owner: LayerOwner,
): Promise<Layer[]> {
  if (configurationFile === undefined) return []
  const path = resolve(directory, configurationFile)
  const layer = await readFileLayer(path, owner)
  if (layer !== undefined) return [layer]
  const reason = "there is no such file, though OPENCODE_CONFIG names it"
  throw new ConfigurationError(path, [{ line: 1, column: 1, reason }])
}

function readContent({ configurationContent: text }: Flags): Layer[] {
  return text === undefined ? [] : [readLayer({ source: "OPENCODE_CONFIG_CONTENT", text })]
}

function readLayer({ source, text }: ConfigurationText): Layer {
  return { source, configuration: checkText(Configuration, parseJsonc(source, text)) }
}

function applyFlags(configuration: Configuration, flags: Flags): Configuration {
  const compaction = {
    ...configuration.compaction,
    ...(flags.disableAutoCompaction && { auto: false }),
    ...(flags.disablePrune && { prune: false }),
  }
  return {
    ...configuration,
    ...(Object.keys(compaction).length > 0 && { compaction }),
    ...(flags.autoShare && configuration.share !== "disabled" && { share: "auto" as const }),
    permission: [...configuration.permission, ...readPermission(flags)],
  }
}

function readPermission({ permission: text }: Flags): NewPermissionRule[] {
  if (text === undefined) return []
  return rulesFromConfig(checkText(PermissionConfig, parseJsonc("OPENCODE_PERMISSION", text)))
}
