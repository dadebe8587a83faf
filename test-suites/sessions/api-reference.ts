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
  const exported = entries.map(({ name }, index) => {
    const file = program.getSourceFile(paths[index] as string)
    const module = file && checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${name} has no declarations; build it first`)
    return { name, symbols: checker.getExportsOfModule(module).map((symbol) => resolve(checker, symbol)) }
  })
  const bases = hiddenBases(
    program,
    exported.flatMap(({ symbols }) => symbols),
  )
  const sections = [...exported, { name: "Not exported, but extended by the above", symbols: bases }]
    .filter(({ symbols }) => symbols.length > 0)
    .flatMap(({ name, symbols }) => {
      const sorted = symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return [`## ${name}`, ...sorted.flatMap((symbol) => describe(checker, symbol))]
    })
  const text = ["# API reference", "Generated from the sources.", ...sections].join("\n\n")
  return `${text.replaceAll(/\{@link (\w+)\}/g, "`$1`")}\n`
}

function resolve(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

/** The classes from which exported ones have members, directly or not, without being exported themselves. */
function hiddenBases(program: ts.Program, exported: readonly ts.Symbol[]): ts.Symbol[] {
  const checker = program.getTypeChecker()
  const known = new Set(exported)
  // Grows while it is gone through.
  for (const symbol of known) {
    for (const declaration of symbol.declarations?.filter(ts.isClassDeclaration) ?? []) {
      for (const { expression } of declaration.heritageClauses?.flatMap(({ types }) => [...types]) ?? []) {
        const named = checker.getSymbolAtLocation(expression)
        const base = named && resolve(checker, named)
        const file = base?.declarations?.[0]?.getSourceFile()
        if (base && file && !program.isSourceFileDefaultLibrary(file)) known.add(base)
      }
    }
  }
  return [...known].slice(new Set(exported).size)
}

function describe(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  const said = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => {
    const body = ts.displayPartsToString(text)
    return name === "example" ? body : `**${name}** ${body}`
  })
  const code = (symbol.declarations ?? []).map(declarationText).join("\n")
  return [`### ${symbol.name}`, ...[said, ...tags].filter(Boolean), `\`\`\`ts\n${code}\n\`\`\``]
}

/** A declaration with what is said of its members, but without what is said of itself. */
function declarationText(declaration: ts.Declaration): string {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return statement
    .getText()
    .replace(/^export (declare )?/, "")
    .replace(/^ *#private;\n/m, "")
}
