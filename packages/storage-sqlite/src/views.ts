/** The records as tables that people can query: ids come from the key, all else from the value. */
export const views = [
  view("projects", "project", 2, {
    id: segment(1),
    name: field("name"),
    worktree: field("worktree"),
    vcs: field("vcs"),
    created: time("time.created"),
    updated: time("time.updated"),
  }),
  view("sessions", "session", 3, {
    id: segment(2),
    project_id: segment(1),
    parent_id: field("parentID"),
    title: field("title"),
    slug: field("slug"),
    directory: field("directory"),
    version: field("version"),
    created: time("time.created"),
    updated: time("time.updated"),
    archived: time("time.archived"),
    additions: field("summary.additions"),
    deletions: field("summary.deletions"),
    files: field("summary.files"),
    cost: total("cost"),
    input_tokens: total("tokens.input"),
    output_tokens: total("tokens.output"),
    reasoning_tokens: total("tokens.reasoning"),
    cache_read_tokens: total("tokens.cache.read"),
    cache_write_tokens: total("tokens.cache.write"),
  }),
  view("messages", "message", 3, {
    id: segment(2),
    session_id: segment(1),
    role: field("role"),
    agent: `coalesce(${field("agent")}, ${field("mode")})`,
    provider: `coalesce(${field("providerID")}, ${field("model.providerID")})`,
    model: `coalesce(${field("modelID")}, ${field("model.modelID")})`,
    created: time("time.created"),
    completed: time("time.completed"),
    finish: field("finish"),
    error: field("error.name"),
    cost: field("cost"),
    input_tokens: field("tokens.input"),
    output_tokens: field("tokens.output"),
    reasoning_tokens: field("tokens.reasoning"),
    cache_read_tokens: field("tokens.cache.read"),
    cache_write_tokens: field("tokens.cache.write"),
  }),
  view("parts", "part", 3, {
    id: segment(2),
    message_id: segment(1),
    session_id: field("sessionID"),
    type: field("type"),
    text: field("text"),
    tool: field("tool"),
    status: field("state.status"),
    input: field("state.input"),
    output: field("state.output"),
  }),
  `CREATE VIEW todos AS
SELECT
  ${segment(1)} AS session_id,
  item.key AS position,
  json_extract(item.value, '$.id') AS id,
  json_extract(item.value, '$.content') AS content,
  json_extract(item.value, '$.status') AS status,
  json_extract(item.value, '$.priority') AS priority
FROM records, json_each(CASE WHEN json_valid(records.value) THEN records.value ELSE '[]' END) AS item
WHERE ${below("todo")} AND ${depth(2)};
`,
].join("")

type Columns = Readonly<Record<string, string>>

function view(name: string, kind: string, segments: number, columns: Columns): string {
  const list = Object.entries(columns).map(([column, expression]) => `  ${expression} AS ${column}`)
  return `CREATE VIEW ${name} AS\nSELECT\n${list.join(",\n")}\nFROM records\nWHERE ${below(kind)} AND ${depth(segments)};\n`
}

/** The records below a one-segment prefix. Bytes compare as the contract orders keys. */
function below(kind: string): string {
  const bytes = Buffer.from(kind).toString("hex")
  return `records.key > x'${bytes}00' AND records.key < x'${bytes}01'`
}

/** Whether a key has so many segments: that many pieces, and no further separator. */
function depth(segments: number): string {
  let rest = "records.key"
  for (let index = 1; index < segments; index++) rest = behindSeparator(rest)
  return `instr(${rest}, x'00') = 0`
}

function segment(position: number): string {
  let rest = "records.key"
  for (let index = 0; index < position; index++) rest = behindSeparator(rest)
  return `CAST(${untilSeparator(rest)} AS TEXT)`
}

function behindSeparator(bytes: string): string {
  return `substr(${bytes}, instr(${bytes}, x'00') + 1)`
}

function untilSeparator(bytes: string): string {
  return `CASE instr(${bytes}, x'00') WHEN 0 THEN ${bytes} ELSE substr(${bytes}, 1, instr(${bytes}, x'00') - 1) END`
}

// A damaged value must not end the whole query.
function field(path: string): string {
  return `CASE WHEN json_valid(records.value) THEN json_extract(records.value, '$.${path}') END`
}

function time(path: string): string {
  return `datetime(${field(path)} / 1000.0, 'unixepoch')`
}

/** A sum over the messages of a session. */
function total(path: string): string {
  const start = `CAST('message' AS BLOB) || x'00' || CAST(${segment(2)} AS BLOB)`
  return `(SELECT sum(CASE WHEN json_valid(m.value) THEN json_extract(m.value, '$.${path}') END) FROM records AS m
    WHERE m.key > CAST(${start} || x'00' AS BLOB) AND m.key < CAST(${start} || x'01' AS BLOB))`
}
