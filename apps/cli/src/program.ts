import { Argument, Command, InvalidArgumentError, Option } from "commander"
import type { ConvertCommandOptions } from "./commands/convert.js"
import type { InspectCommandOptions } from "./commands/inspect.js"
import type { RescueCommandOptions } from "./commands/rescue.js"
import type { VerifyCommandOptions } from "./commands/verify.js"
import { completionScript, SHELLS, type Shell } from "./completion/completion-script.js"
import { ExitCode } from "./exit-code.js"
import type { OutputOptions } from "./output/output.js"
import { runCommand } from "./run-command.js"
import { parseSince } from "./since.js"
import { DEFAULT_TARGET } from "./stores/store-address.js"
import { storeKinds } from "./stores/store-kinds.js"

const addresses = `
Stores:
${[...storeKinds].map(([name, { description, medium }]) => `  ${`${name}:${medium === "file" ? "FILE" : "DIR"}`.padEnd(14)} ${description}`).join("\n")}
  adapter:…      a store that the module of --adapter opens
  PATH           recognised by its content; a new file by its extension (.db, .sqlite, .sqlite3)`

const exitCodes = `
Exit codes: 0 fine · 1 failed · 2 usage · 3 not found · 5 corrupt · 7 locked ·
            8 done, but some records were set aside · 130 interrupted`

// Each command is loaded when it is run: a conversion need not wait for the code of the rescue.
/** The command line of the program. `finish` is called with the exit code of the command that ran. */
export function createProgram(version: string, finish: (exitCode: ExitCode) => void): Command {
  const program = new Command("sessile")
    .description("Brings stranded opencode histories back: converts, verifies and inspects stores.")
    .version(version)
    .exitOverride()
    .addHelpText("after", `${addresses}\n${exitCodes}`)
  addRescue(program, finish)
  addConvert(program, finish)
  addVerify(program, finish)
  addInspect(program, finish)
  addRepair(program, finish)
  program
    .command("demo")
    .description("convert a small sample store into a temporary folder")
    .option("--json", "the whole result as JSON on stdout")
    .option("--quiet", QUIET)
    .action(async (options: OutputOptions) => {
      const { demoCommand } = await import("./commands/demo.js")
      finish(await runCommand("demo", options, demoCommand))
    })
  addCompletion(program, finish)
  return program
}

type Finish = (exitCode: ExitCode) => void

function addRescue(program: Command, finish: Finish): void {
  program
    .command("rescue")
    .description("bring the sessions that opencode left in JSON files into the database that it opens")
    .option("--data <dir>", "the folder with the JSON files (default: opencode's data folder)")
    .option("--database <file>", "the database (default: the one that opencode opens)")
    .option("--session <id>", "only this session, with its children (may be repeated)", collect)
    .option("--project <id>", "only sessions of this project (may be repeated)", collect)
    .option("--since <when>", "only sessions updated since a date (2026-01-31) or duration (30d)", since)
    .option("--include-deleted", "also what was deleted in opencode")
    .option("--yes", "do not ask")
    .option("--dry-run", "show what would be brought in, and write nothing")
    .option("--no-backup", "do not copy the database before writing to it")
    .option("--json", "the whole result as JSON on stdout")
    .option("--quiet", QUIET)
    .addHelpText(
      "after",
      `
The JSON files are only read, and what is in the database stays as it is. opencode may be running.
Sessions that were deleted in opencode are shown, and brought back with --session or --include-deleted.
Run the same command again at any time: it does nothing when nothing is missing.

Examples:
  sessile rescue                             show what is missing, ask, and bring it in
  sessile rescue --dry-run                   only show what is missing
  sessile rescue --yes --json                for machines
  sessile rescue --data ~/backup/opencode    sessions of a backup into opencode's database
${exitCodes}`,
    )
    .action(async (options: RescueCommandOptions) => {
      const { rescueCommand } = await import("./commands/rescue.js")
      finish(await runCommand("rescue", options, (output) => rescueCommand(options, output)))
    })
}

function addConvert(program: Command, finish: Finish): void {
  const command = program
    .command("convert")
    .description("copy every record of one store into another, byte for byte, and report on each")
    .argument("[source]", "where to read; opencode's whole history by default")
    .argument("[target]", `where to write; ${DEFAULT_TARGET} by default`)
    .option("--verify", "read all records back and compare them (default)")
    .option("--no-verify", "do not read the records back")
    .option("--strict", "write nothing if a record would be set aside")
    .option("--dry-run", "write nothing, and show what would be written")
    .addOption(
      new Option(
        "--on-conflict <policy>",
        "which version to keep if the target holds other content under a key (default: newer; for opencode: skip)",
      ).choices(["fail", "skip", "newer", "replace"]),
    )
    .option("--no-backup", "do not copy opencode's database before writing to it")
    .option("--since <when>", "only sessions updated since a date (2026-01-31) or duration (30d)", since)
    .option("--project <id>", "only sessions of this project (may be repeated)", collect)
    .option("--session <id>", "only this session, with its children (may be repeated)", collect)
    .option("--report <file>", "write the whole report as JSON to a file")
    .option("--set-aside <dir>", "the folder for the bytes of what is set aside (default: TARGET.set-aside)")
  withCommonOptions(command)
    .addHelpText(
      "after",
      `
One argument alone is the source if it is a data folder, JSON files, an adapter's store or an existing database of
opencode, and the target otherwise.
The source is never written to. Run the same command again at any time: what changed since is brought up to date, and
the replaced versions are kept in TARGET.set-aside.

Examples:
  sessile convert                                 opencode's history into ${DEFAULT_TARGET}
  sessile convert history.db                      opencode's history into history.db
  sessile convert ~/backup/storage history.db     JSON files into SQLite
  sessile convert history.db json:storage         and back, byte for byte
  sessile convert storage opencode:opencode.db    JSON files into what opencode itself opens
  sessile convert --dry-run --json                what would happen, for machines
  sessile convert --since 30d recent.db           the sessions of the last 30 days
${addresses}
${exitCodes}`,
    )
    .action(
      async (source: string | undefined, target: string | undefined, options: ConvertCommandOptions) => {
        const { convertCommand } = await import("./commands/convert.js")
        const places = [source, target].filter((place) => place !== undefined)
        finish(await runCommand("convert", options, (output) => convertCommand(places, options, output)))
      },
    )
}

function addVerify(program: Command, finish: Finish): void {
  const command = program
    .command("verify")
    .description("compare two stores of any kinds, record by record")
    .argument("<first>", "a store")
    .argument("<second>", "the store to compare it with")
  withCommonOptions(command)
    .addHelpText(
      "after",
      `
Exit codes: 0 equal · 1 different · and those of sessile --help

Examples:
  sessile verify ~/.local/share/opencode history.db
  sessile verify sqlite:history.db level:history --json
${addresses}`,
    )
    .action(async (first: string, second: string, options: VerifyCommandOptions) => {
      const { verifyCommand } = await import("./commands/verify.js")
      finish(await runCommand("verify", options, (output) => verifyCommand([first, second], options, output)))
    })
}

function addInspect(program: Command, finish: Finish): void {
  const command = program
    .command("inspect")
    .description("show what a store holds, and what is wrong with it")
    .argument("[store]", "a store; opencode's whole history by default")
  withCommonOptions(command, "no progress")
    .addHelpText(
      "after",
      `
Examples:
  sessile inspect
  sessile inspect history.db --json
${addresses}
${exitCodes}`,
    )
    .action(async (store: string | undefined, options: InspectCommandOptions) => {
      const { inspectCommand } = await import("./commands/inspect.js")
      finish(await runCommand("inspect", options, (output) => inspectCommand(store, options, output)))
    })
}

function addRepair(program: Command, finish: Finish): void {
  program
    .command("repair")
    .description("make a damaged LevelDB store readable again, after a copy of it")
    .argument("<store>", "the store, such as level:DIR")
    .option("--json", "the whole result as JSON on stdout")
    .option("--quiet", QUIET)
    .addHelpText(
      "after",
      `
What is left of a damaged database of another kind is copied by sessile convert.

Examples:
  sessile repair level:history
${exitCodes}`,
    )
    .action(async (store: string, options: OutputOptions) => {
      const { repairCommand } = await import("./commands/repair.js")
      finish(await runCommand("repair", options, (output) => repairCommand(store, output)))
    })
}

function addCompletion(program: Command, finish: Finish): void {
  program
    .command("completion")
    .description("print the completions for a shell")
    .addArgument(new Argument("<shell>").choices([...SHELLS]))
    .addHelpText(
      "after",
      `
Examples:
  source <(sessile completion bash)                                        in ~/.bashrc
  source <(sessile completion zsh)                                         in ~/.zshrc
  sessile completion fish > ~/.config/fish/completions/sessile.fish`,
    )
    .action(async (shell: Shell) => {
      const script = completionScript(shell, program).trimEnd().split("\n")
      finish(
        await runCommand("completion", {}, async (output) => {
          await output.print(script)
          return ExitCode.fine
        }),
      )
    })
}

const QUIET = "no progress and no summary, only errors and warnings"

function withCommonOptions(command: Command, quiet = QUIET): Command {
  return command
    .option("--adapter <module>", "a JavaScript module that opens addresses adapter:…")
    .option("--json", "the whole result as JSON on stdout")
    .option("--quiet", quiet)
}

function collect(id: string, ids: readonly string[] = []): string[] {
  return [...ids, id]
}

function since(text: string): number {
  try {
    return parseSince(text, Date.now())
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
