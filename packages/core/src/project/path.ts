/**
 * One spelling for comparing paths: of a Windows path, told by its drive letter or server, the separators are
 * slashes and letter case does not count. No other path changes, for there `\` is a letter like any other.
 */
export function comparablePath(path: string): string {
  const spelling = /^([a-z]:|\\)\\|^[a-z]:\//i.test(path) ? path.replaceAll("\\", "/").toLowerCase() : path
  return spelling.replace(/(?<=.)\/+$/, "")
}

/** Whether `path` is `folder` or lies below it. */
export function isInside(folder: string, path: string): boolean {
  const [outer, inner] = [comparablePath(folder), comparablePath(path)]
  return inner === outer || inner.startsWith(outer === "/" ? outer : `${outer}/`)
}
