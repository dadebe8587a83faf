import type { Database } from "better-sqlite3"

/**
 * The tables as the first releases with a database made them, and opencode's own record of how far it has come:
 * every later release knows its way from here.
 */
const tables = `
CREATE TABLE __drizzle_migrations (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  created_at NUMERIC,
  name TEXT,
  applied_at TEXT
);
CREATE TABLE project (
  id TEXT PRIMARY KEY,
  worktree TEXT NOT NULL,
  vcs TEXT,
  name TEXT,
  icon_url TEXT,
  icon_color TEXT,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  time_initialized INTEGER,
  sandboxes TEXT NOT NULL,
  commands TEXT
);
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  parent_id TEXT,
  slug TEXT NOT NULL,
  directory TEXT NOT NULL,
  title TEXT NOT NULL,
  version TEXT NOT NULL,
  share_url TEXT,
  summary_additions INTEGER,
  summary_deletions INTEGER,
  summary_files INTEGER,
  summary_diffs TEXT,
  revert TEXT,
  permission TEXT,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  time_compacting INTEGER,
  time_archived INTEGER
);
CREATE TABLE message (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE TABLE part (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE TABLE todo (
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  status TEXT NOT NULL,
  priority TEXT NOT NULL,
  position INTEGER NOT NULL,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  PRIMARY KEY (session_id, position)
);
CREATE TABLE session_share (
  session_id TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  secret TEXT NOT NULL,
  url TEXT NOT NULL,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL
);
CREATE TABLE permission (
  project_id TEXT PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
  time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX message_session_idx ON message (session_id);
CREATE INDEX part_message_idx ON part (message_id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX session_project_idx ON session (project_id);
CREATE INDEX session_parent_idx ON session (parent_id);
CREATE INDEX todo_session_idx ON todo (session_id);
`

/** The steps that the tables above have behind them, by the names that opencode gave them. */
const steps = ["20260127222353_familiar_lady_ursula", "20260211171708_add_project_commands"]

/** Fills an empty database with the tables that every release from 1.2 to 1.18 takes over as its own. */
export function makeTables(database: Database, now: number): void {
  database.exec(tables)
  const insert = database.prepare(
    "INSERT INTO __drizzle_migrations (hash, created_at, name, applied_at) VALUES ('', ?, ?, ?)",
  )
  for (const step of steps) insert.run(timeOfStep(step), step, new Date(now).toISOString())
}

/** The time with which the name of a step begins. */
function timeOfStep(name: string): number {
  const [, date, hour, minute, second] = /^(\d{8})(\d\d)(\d\d)(\d\d)/.exec(name) ?? []
  return Date.parse(`${date?.replace(/(....)(..)/, "$1-$2-")}T${hour}:${minute}:${second}Z`)
}
