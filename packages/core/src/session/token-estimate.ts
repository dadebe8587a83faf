/** About how many tokens a text takes: a quarter of its length. Good enough to decide what to prune. */
export function estimateTokens(text: string): number {
  return Math.round(text.length / 4)
}
