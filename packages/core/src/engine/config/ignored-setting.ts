/** Something in a folder that the user does not trust, which has no effect. */
export interface IgnoredSetting {
  /** The path of the file. */
  readonly source: string
  /** The setting or reference, such as `plugin` or `{env:TOKEN}`; missing when it is the whole file. */
  readonly setting?: string
  readonly reason: string
}

/** Why something of a folder has no effect. */
export const IGNORED = {
  outside: "leads out of the folder, which is not trusted",
  variable: "the folder is not trusted with environment variables",
  setting: "only a folder that is trusted may set this",
  rules: "only a folder that is trusted may widen the rules of the user: these can only narrow them",
} as const
