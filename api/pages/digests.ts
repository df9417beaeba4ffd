/** Digests as people type them: `sha256:9f86…`, `gitCommit:7d3f…`, or the hexadecimal digits alone. */

/** A commit has 40 digits. */
const DIGEST = /^(?:(gitCommit|sha256):)?(.*)$/s

/** The digest as the API takes it, which may refuse it; null for none. */
export function digestIn(text: string): Record<string, string> | null {
  const [, algorithm, digits = ''] = DIGEST.exec(text.trim()) ?? []
  if (digits === '') return null
  return { [algorithm ?? (digits.length === 40 ? 'gitCommit' : 'sha256')]: digits }
}

export const DIGEST_HINT =
  'sha256: with 64, or gitCommit: with 40 or 64 hexadecimal digits. Digits alone: those of a commit if there are 40.'
