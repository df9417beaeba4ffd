/** Boxes that the files of one test process share, one after another, because starting processes costs more than most tests. */
import { Box, type Options } from './box.ts'
import { beforeEnd } from './server.ts'

interface Shared {
  box: Box
  isTaken: boolean
}

/**
 * Number of unused boxes with workers that stay open, in addition to those with default settings. An idle worker takes as much
 * CPU time in two minutes as its start; an idle API takes none.
 */
const MAX_SPARE = 2

/** By number of workers and settings, least recently used first. */
const boxes = new Map<string, Shared>()

const keyOf = ({ workers = 1, environment = {} }: Options): string =>
  JSON.stringify([workers, Object.entries(environment).toSorted()])

const DEFAULTS = [0, 1].map((workers) => keyOf({ workers }))

/**
 * Returns an empty box with these settings. Opens a new one if the file already uses the shared one, or if one of its processes
 * has ended.
 */
export async function sharedBox(options: Options): Promise<Box> {
  const key = keyOf(options)
  const known = boxes.get(key)
  if (known?.isTaken) return Box.open(options)
  boxes.delete(key)
  // After a timeout of a test, bun kills all processes that the test process started.
  if (known && (await known.box.isReady())) {
    known.isTaken = true
    boxes.set(key, known)
    return known.box
  }
  await known?.box.shutDown()
  const shared = { box: await Box.open(options), isTaken: true }
  shared.box.release = async () => {
    // A job that does not end would disturb the next file.
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
  const spare = [...boxes].filter(([key, { box, isTaken }]) => !isTaken && !DEFAULTS.includes(key) && box.workers.length > 0)
  for (const [key, { box }] of spare.slice(0, -MAX_SPARE)) {
    boxes.delete(key)
    await box.shutDown()
  }
}

beforeEnd.push(async () => {
  await Promise.all([...boxes.values()].map(({ box }) => box.shutDown()))
})
