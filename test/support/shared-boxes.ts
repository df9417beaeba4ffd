/** Boxes that the files of one test process use one after another, since starting processes costs more than most tests. */
import { Box, type Options } from './box.ts'
import { beforeEnd } from './server.ts'

interface Shared {
  box: Box
  isTaken: boolean
}

/** As many stay open while no file uses them; those of the default settings do in any case. */
const MOST_SPARE = 3

/** By number of workers and settings, the one used longest ago first. */
const boxes = new Map<string, Shared>()

const keyOf = ({ workers = 1, environment = {} }: Options): string =>
  JSON.stringify([workers, Object.entries(environment).toSorted()])

const DEFAULTS = [0, 1].map((workers) => keyOf({ workers }))

/**
 * Hands out the box with these settings; it is empty. Another one is opened where the file has it already, and where a
 * process of it has ended.
 */
export async function sharedBox(options: Options): Promise<Box> {
  const key = keyOf(options)
  const known = boxes.get(key)
  if (known?.isTaken) return Box.open(options)
  boxes.delete(key)
  // After a test that took too long, bun ends all processes that its test process has started.
  if (known && (await known.box.isReady())) {
    known.isTaken = true
    boxes.set(key, known)
    return known.box
  }
  await known?.box.shutDown()
  const shared = { box: await Box.open(options), isTaken: true }
  shared.box.release = async () => {
    // A job that does not end would disturb the next file; processes that have ended are replaced then.
    const isEmpty =
      (await shared.box.isReady()) &&
      (await shared.box.empty().then(
        () => true,
        () => false,
      ))
    if (!isEmpty) await shared.box.kill()
    shared.isTaken = false
    await closeOldest()
  }
  boxes.set(key, shared)
  return shared.box
}

async function closeOldest(): Promise<void> {
  const spare = [...boxes].filter(([key, { isTaken }]) => !isTaken && !DEFAULTS.includes(key))
  for (const [key, { box }] of spare.slice(0, -MOST_SPARE)) {
    boxes.delete(key)
    await box.shutDown()
  }
}

beforeEnd.push(async () => {
  await Promise.all([...boxes.values()].map(({ box }) => box.shutDown()))
})
