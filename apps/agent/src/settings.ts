import {
  configureAgents,
  loadAgents,
  loadConfiguration,
  TrustedFolders,
  trustBoundary,
} from "@sessile/core/engine"
import type { PathEnvironment } from "@sessile/core/paths"
import { rulesFromConfig } from "@sessile/core/permission"
import { printableLine } from "./printable.js"

/** Whose settings count, and how to talk to people about them. */
export interface SettingsOptions {
  readonly folder: string
  readonly worktree: string
  /** Where the user's own settings are; by default those of the running process. */
  readonly environment?: PathEnvironment | undefined
  print(text: string): void
  ask(question: string): Promise<string>
}

/** The agents and instructions for a folder. What it may only do once it is trusted is shown, and asked about. */
export async function loadSettings({ folder, worktree, environment, print, ask }: SettingsOptions) {
  const trust = new TrustedFolders({ environment })
  const trusted = trustBoundary(worktree, folder)
  const load = async () => {
    const isTrusted = await trust.has(trusted)
    const loaded = await loadConfiguration({ directory: folder, worktree, environment, isTrusted })
    const { definitions, ignored } = await loadAgents(loaded.folders)
    return { ...loaded, definitions, isTrusted, ignored: [...loaded.ignored, ...ignored] }
  }
  let loaded = await load()
  for (const { source, setting, reason } of loaded.ignored) {
    print(`Ignored: ${printableLine([source, setting, reason].filter(Boolean).join(": "))}\n`)
  }
  if (loaded.ignored.length > 0 && (await ask(`Trust ${printableLine(trusted)}? (y)es, (n)o: `)) === "y") {
    await trust.add(trusted)
    loaded = await load()
  }
  const { configuration, definitions, isTrusted } = loaded
  const permission = [...rulesFromConfig({ edit: "ask", bash: "ask" }), ...configuration.permission]
  const agents = configureAgents({ configuration: { ...configuration, permission }, definitions })
  return { agents, instructions: configuration.instructions, isTrusted }
}
