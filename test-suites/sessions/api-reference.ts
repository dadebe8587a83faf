import { fileURLToPath } from "node:url"
import ts from "typescript"

/** An entry of a package and the declarations that it was built to. */
export interface Entry {
  readonly name: string
  readonly declarations: URL
}

/** What can be imported from entries, with what the sources say of it, as Markdown. */
export function apiReference(entries: readonly Entry[]): string {
  const paths = entries.map(({ declarations }) => fileURLToPath(declarations))
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
  })
  const checker = program.getTypeChecker()
  const sections = entries.flatMap(({ name }, index) => {
    const file = program.getSourceFile(paths[index] as string)
    const module = file && checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${name} has no declarations; build it first`)
    const symbols = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1))
    return [`## ${name}`, ...symbols.flatMap((symbol) => describe(checker, symbol))]
  })
  const text = ["# API reference", "Generated from the sources.", ...sections].join("\n\n")
  return `${text.replaceAll(/\{@link (\w+)\}/g, "`$1`")}\n`
}

function describe(checker: ts.TypeChecker, exported: ts.Symbol): string[] {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
  const said = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => {
    const body = ts.displayPartsToString(text)
    return name === "example" ? body : `**${name}** ${body}`
  })
  const code = (symbol.declarations ?? []).map(declarationText).join("\n")
  return [`### ${exported.name}`, ...[said, ...tags].filter(Boolean), `\`\`\`ts\n${code}\n\`\`\``]
}

/** A declaration with what is said of its members, but without what is said of itself. */
function declarationText(declaration: ts.Declaration): string {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return statement
    .getText()
    .replace(/^export (declare )?/, "")
    .replace(/^ *#private;\n/m, "")
}
