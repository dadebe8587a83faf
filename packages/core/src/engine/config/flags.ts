/** What environment variables switch. */
export interface Flags {
  /** `OPENCODE_DISABLE_AUTOCOMPACT`: conversations are summarised only when somebody asks for it. */
  readonly disableAutoCompaction: boolean
  /** `OPENCODE_DISABLE_PRUNE`: no outputs of tools are cleared. */
  readonly disablePrune: boolean
  /** `OPENCODE_AUTO_SHARE`: new sessions are shared (see `Sessions`), unless configuration has sharing disabled. */
  readonly autoShare: boolean
  /** `OPENCODE_EXPERIMENTAL_WATCHER`: changes of files are told (see `EngineSettings`). */
  readonly experimentalWatcher: boolean
  /** `OPENCODE_FAKE_VCS`: what folders outside of repositories pass for (see `Projects`); only git is known. */
  readonly fakeVcs: "git" | undefined
  /** `OPENCODE_PERMISSION`: permissions as in configuration, in JSON, over all others. */
  readonly permission: string | undefined
  /** `OPENCODE_CONFIG`: a file with configuration. */
  readonly configurationFile: string | undefined
  /** `OPENCODE_CONFIG_CONTENT`: the text of a configuration. */
  readonly configurationContent: string | undefined
}

/** Reads the flags. A switch is on when it is `1` or `true`; an empty variable counts as unset. */
export function readFlags(variables: Readonly<Record<string, string | undefined>> = process.env): Flags {
  const isOn = (name: string) => ["1", "true"].includes(variables[name]?.toLowerCase() ?? "")
  return {
    disableAutoCompaction: isOn("OPENCODE_DISABLE_AUTOCOMPACT"),
    disablePrune: isOn("OPENCODE_DISABLE_PRUNE"),
    autoShare: isOn("OPENCODE_AUTO_SHARE"),
    experimentalWatcher: isOn("OPENCODE_EXPERIMENTAL_WATCHER"),
    fakeVcs: variables.OPENCODE_FAKE_VCS === "git" ? "git" : undefined,
    permission: variables.OPENCODE_PERMISSION || undefined,
    configurationFile: variables.OPENCODE_CONFIG || undefined,
    configurationContent: variables.OPENCODE_CONFIG_CONTENT || undefined,
  }
}
