/** Key segments that are no file names, or bad ones, on some file system. */
export const nastySegments: readonly string[] = [
  ...["..", ".", "...", "a/b", "a\\b", "../../a", "/", "/etc/passwd", "C:", "C:\\a"],
  ...["CON", "con.txt", "nul", "aux", "COM1", "lpt9.tar.gz", "prn."],
  ...["a.", "a ", " a", ".hidden", ".sessile", "migration", "~", "-", "a:b", "a*?", "a|b", '"', "<>"],
  ...["a.json", "A.JSON", ".json", "json", "a.json.", "a.json.json"],
  ...["%", "%2E", "%2e", "%25", "%00", "%zz", "100%"],
  ...["😀", "\u{e9}", "e\u{301}", "\u{c9}", "ß", "日本語", "\uffff", "\u{10ffff}", "\u{feff}"],
  ...["\u0001", "\n", "\x7f", "a\tb"],
]
