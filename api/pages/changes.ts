/** Where something has changed last, as `core/changes.ts` announces it. Pages with the same version show the same. */
import { CHANGES_CHANNEL } from '../../core/changes.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'

/** Beyond these, the ones that changed longest ago are forgotten: their pages are read once more than needed. */
const MAX_KEYS = 10_000

/**
 * When something changed, by the path of a scope: in it, or in the scope itself (`=` and the path). The same in all processes, which
 * get the same times.
 */
const times = new Map<string, string>()
/** When announcements may have been missed. */
let gap = ''
let state: 'idle' | 'connecting' | 'listening' = 'idle'
const observers = new Set<() => void>()

function remember(path: string, at: string): void {
  const ids = path.split('/')
  const keys = path.startsWith('user/') ? [path] : [`=${path}`, ...ids.map((_, index) => ids.slice(0, index + 1).join('/'))]
  for (const key of keys) {
    // The order of a map is that in which keys were added.
    times.delete(key)
    times.set(key, at)
  }
  for (const key of times.keys()) {
    if (times.size <= MAX_KEYS) break
    times.delete(key)
  }
}

function receive(payload: string): void {
  const [at = '', ...paths] = payload.split(' ')
  for (const path of paths) remember(path, at)
  for (const observe of observers) observe()
}

/** Listens to announcements. The driver reconnects when the connection is lost. */
function listen(): void {
  if (state !== 'idle') return
  state = 'connecting'
  const connected = () => {
    if (state === 'listening') gap = String(Date.now())
    state = 'listening'
    for (const observe of observers) observe()
  }
  listener.listen(CHANGES_CHANNEL, receive, connected).catch((error) => {
    state = 'idle'
    log.warn({ error }, 'LISTEN for live pages failed; relying on the periodic sweep')
  })
}

/** Calls a function when something has changed. */
export function observeChanges(observe: () => void): void {
  observers.add(observe)
  listen()
}

/** The version of what depends on keys; while nothing is heard of changes, a new one each time. */
export function versionOf(keys: string[]): string {
  listen()
  if (state !== 'listening') return crypto.randomUUID()
  return Bun.hash([gap, ...keys.map((key) => times.get(key) ?? '')].join(' ')).toString(36)
}
