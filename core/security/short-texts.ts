/** Remembers how short texts were masked: names and values of response headers are mostly the same with each response. */

type Masking = (text: string, isPartial?: boolean) => string

const SHORT_TEXT = 64
const MAX_SHORT_TEXTS = 100

/** A mask that remembers how it masked short texts. */
export function rememberShort(mask: Masking): Masking {
  const masked = new Map<string, string>()
  return (text, isPartial = false) => {
    if (isPartial || text.length > SHORT_TEXT) return mask(text, isPartial)
    const known = masked.get(text)
    if (known !== undefined) return known
    const result = mask(text)
    if (masked.size === MAX_SHORT_TEXTS) masked.clear()
    // A copy: a part of a long text would keep all of it in memory.
    const copy = Buffer.from(text).toString()
    masked.set(copy, result === text ? copy : result)
    return result
  }
}
