const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const CONTROLS_BESIDE_LINE_ENDS = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/gu

/** A line that cannot control the terminal: control characters, line ends included, become U+FFFD. */
export function printable(text: string): string {
  return text.replace(CONTROLS, "�")
}

/** JSON text with the control characters in its strings escaped; the line ends of its layout stay. */
export function escapeControls(json: string): string {
  return json.replace(
    CONTROLS_BESIDE_LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
