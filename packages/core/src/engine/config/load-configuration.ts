import { join, resolve } from "node:path"
import type { NewPermissionRule } from "../../model/permission.js"
import type { PathEnvironment } from "../../paths/opencode-paths.js"
import { PermissionConfig, rulesFromConfig } from "../../permission/permission-config.js"
import { checkOptions } from "../../storage/options.js"
import { checkText } from "./check-text.js"
import { Configuration } from "./configuration.js"
import { ConfigurationError } from "./configuration-error.js"
import { type Flags, readFlags } from "./flags.js"
import { configurationFolder, foldersBetween, homeFolder } from "./folders.js"
import { mergeConfiguration } from "./merge-configuration.js"
import { parseJsonc } from "./parse-jsonc.js"
import { readText } from "./read-text.js"
import { substitute } from "./substitute.js"

/** Whose configuration to load. */
export interface LoadConfigurationOptions {
  /** Where the work is done. */
  readonly directory: string
  /** The root of the repository around it, where looking for files ends. */
  readonly worktree: string
  /** What decides where the user's settings are, and which flags are set; by default the running process. */
  readonly environment?: PathEnvironment | undefined
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
  readonly folders: readonly string[]
  readonly flags: Flags
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
 * @throws ConfigurationError with line, column and reason, when a layer is no such thing
 *
 * @example
 * ```ts
 * const { configuration, folders } = await loadConfiguration({ directory: process.cwd(), worktree })
 * const agents = configureAgents({ configuration, definitions: await loadAgents(folders) })
 * ```
 */
export async function loadConfiguration(options: LoadConfigurationOptions): Promise<LoadedConfiguration> {
  checkOptions("loadConfiguration", options, {
    directory: "string",
    worktree: "string",
    environment: "object?",
    remote: "function?",
  })
  const { directory, worktree, environment = {}, remote } = options
  const flags = readFlags(environment.variables)
  const userFolder = configurationFolder(environment)
  const userFolders = userFolder === undefined ? [] : [userFolder]
  const projectFolders = foldersBetween(worktree, directory)
  const dotFolders = projectFolders.map((folder) => join(folder, ".opencode"))

  const layers = [
    ...(await readLayers(userFolders, ["config.json", ...FILE_NAMES], environment)),
    ...((await remote?.()) ?? []).map(readLayer),
    ...(await readLayers(projectFolders, FILE_NAMES, environment)),
    ...(await readLayers(dotFolders, FILE_NAMES, environment)),
    ...(await readNamedFile(directory, flags, environment)),
    ...readContent(flags),
  ]
  const merged = layers
    .map(({ configuration }) => configuration)
    .reduce(mergeConfiguration, Configuration.parse({}))
  return {
    configuration: applyFlags(merged, flags),
    sources: layers.map(({ source }) => source),
    folders: [...userFolders, ...dotFolders],
    flags,
  }
}

const FILE_NAMES = ["opencode.json", "opencode.jsonc"]

interface Layer {
  readonly source: string
  readonly configuration: Configuration
}

async function readLayers(
  folders: readonly string[],
  names: readonly string[],
  environment: PathEnvironment,
): Promise<Layer[]> {
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const layers = await Promise.all(paths.map((path) => readFileLayer(path, environment)))
  return layers.filter((layer) => layer !== undefined)
}

async function readFileLayer(path: string, environment: PathEnvironment): Promise<Layer | undefined> {
  const text = await readText(path)
  if (text === undefined) return undefined
  const { variables = process.env } = environment
  const checked = await substitute(parseJsonc(path, text), { variables, home: homeFolder(environment) })
  return { source: path, configuration: checkText(Configuration, checked) }
}

async function readNamedFile(
  directory: string,
  { configurationFile }: Flags,
  environment: PathEnvironment,
): Promise<Layer[]> {
  if (configurationFile === undefined) return []
  const path = resolve(directory, configurationFile)
  const layer = await readFileLayer(path, environment)
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
