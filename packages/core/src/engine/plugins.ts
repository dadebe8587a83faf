import type { Hook, Plugin } from "./plugin.js"

/** The names of the hooks. */
export type HookName = keyof Plugin

/** What a hook of this name is told. */
export type HookInput<Name extends HookName> =
  NonNullable<Plugin[Name]> extends Hook<infer Input, infer _> ? Input : never

/** What a hook of this name may alter. */
export type HookOutput<Name extends HookName> =
  NonNullable<Plugin[Name]> extends Hook<infer _, infer Output> ? Output : never

/** Several plugins as one. */
export class Plugins {
  readonly #plugins: readonly Plugin[]

  constructor(plugins: readonly Plugin[] = []) {
    this.#plugins = [...plugins]
  }

  /**
   * Lets each plugin in turn alter `output`, and gives it back. What a hook throws comes through, and the plugins
   * after it are not asked.
   *
   * @example
   * ```ts
   * const { system } = await plugins.trigger("experimental.chat.system.transform", { sessionID }, { system: layers })
   * ```
   */
  async trigger<Name extends HookName>(
    name: Name,
    input: HookInput<Name>,
    output: HookOutput<Name>,
  ): Promise<HookOutput<Name>> {
    for (const plugin of this.#plugins) {
      const hook = plugin[name] as Hook<HookInput<Name>, HookOutput<Name>> | undefined
      // Called on the plugin, which may be an object with state.
      await hook?.call(plugin, input, output)
    }
    return output
  }
}
