/** A project of the legacy layout, and the id it got. */
export interface MigratedProject {
  /** The name of its legacy folder. */
  readonly folder: string
  readonly id: string
  readonly worktree: string
  /**
   * Why its real id could not be found, so that its sessions are in the project `global`: opencode lists them where it runs
   * outside of a repository, and brings them home when it runs in a repository at the directory of the session.
   */
  readonly unidentified?: string
}

/** Something that a person may want to look at. Nothing was lost over it. */
export interface MigrationRemark {
  readonly path: string
  readonly remark: string
}

/** What a migration did. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  readonly projects: readonly MigratedProject[]
  /** Records that were written. */
  readonly written: number
  /** Records that were there already, from an earlier run or from opencode. */
  readonly present: number
  readonly remarks: readonly MigrationRemark[]
}
