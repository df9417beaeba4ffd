/** What a file of tests begins with: `const box = await signalbox()`. */
import { Box, type Options } from './box.ts'
import { sharedBox } from './shared-boxes.ts'

export { Actor, type Answer, type Site } from './actor.ts'
export { type Box, type Options, PASSWORD } from './box.ts'
export { Process } from './process.ts'

/** Opens a box. It is empty; files with the same settings use the same one, unless they ask for their own. */
export function signalbox(options: Options = {}): Promise<Box> {
  const isShared = !options.own && !options.url && !options.realPasswords
  return isShared ? sharedBox(options) : Box.open(options)
}
