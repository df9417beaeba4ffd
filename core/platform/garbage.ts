/** Frees the memory of large texts that are no longer used. */

/** Smaller texts are left to the garbage collector. */
const LARGE = 16_384
const COLLECT_AFTER = 8 * 1_048_576

let discarded = 0

/**
 * Notes that a text is no longer used. Its copies are in buffers and native strings, which the collector hardly counts: without this,
 * a process that renders and sends bodies of a mebibyte grows by hundreds of them.
 *
 * @param length in characters
 */
export function discardText(length: number): void {
  if (length < LARGE) return
  discarded += length
  if (discarded < COLLECT_AFTER) return
  discarded = 0
  Bun.gc(true)
}
