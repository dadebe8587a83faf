/** What is found in a file of a damaged store. */
export type Salvaged =
  | {
      readonly type: "entry"
      readonly key: Buffer
      /** The entry with the highest number counts among those of one key. */
      readonly sequence: number
      /** `undefined` where the entry says that the key was removed. */
      readonly value: Buffer | undefined
    }
  /** What cannot be read, in words. */
  | { readonly type: "lost"; readonly what: string }
