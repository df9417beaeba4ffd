/** The id of usage: what identifies it always has the same one. */
export function usageId(key: string | Uint8Array): string {
  const digits = new Bun.CryptoHasher('sha256').update(key).digest('hex')
  return [8, 12, 16, 20, 32].map((end, at, ends) => digits.slice(ends[at - 1] ?? 0, end)).join('-')
}
