import { Level } from "level"

/** Lets `action` work on the database in a folder as another program would, without a store in between. */
export async function withDatabase<T>(
  path: string,
  action: (database: Level<string, string>) => Promise<T>,
): Promise<T> {
  const database = new Level<string, string>(path)
  await database.open()
  try {
    return await action(database)
  } finally {
    await database.close()
  }
}

/** All that a database holds, in order. */
export function contentsOf(path: string): Promise<[string, string][]> {
  return withDatabase(path, (database) => database.iterator().all())
}
