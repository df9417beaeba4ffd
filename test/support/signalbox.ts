/** The start of a test file: `const box = await signalbox()`. */
import { Box, type Options } from './box.ts'
import { sharedBox } from './shared-boxes.ts'

export { Actor, type Answer, PASSWORD, type Site } from './actor.ts'
export type { Box, Options } from './box.ts'
export { Process } from './process.ts'

/** Opens an empty box. Files with the same settings share one, unless they set `own`. */
export function signalbox(options: Options = {}): Promise<Box> {
  const isShared = !options.own && !options.url && !options.realPasswords && !options.folder
  return isShared ? sharedBox(options) : Box.open(options)
}
