/** The names of pages that follow changes: in the URL of the stream, and in its events. */
import { CLAIM, observeChanges, scopePath, userPath } from '../../core/tenants/changes.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import { Form, Maybe, Shape } from '../../core/values/schema.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'

/** What needs its reader, what belongs to them, or what is in a scope: an organization, workspace or project. */
export type LivePage = 'overview' | 'account' | `in:${string}`

export const livePageOf = (resource: Scope | null): LivePage => (resource ? `in:${scopePath(resource)}` : 'account')

/** Pages that one stream follows. */
const MAX_PAGES = 20

const UUID = UUID_PATTERN.replace(/^\^|\$$/g, '')
const NAME = `(?:overview|account|in:${UUID}(?:/${UUID}){0,2})`

export const LiveQuery = Shape({
  pages: Maybe(Form(`^${NAME}(?:,${NAME}){0,${MAX_PAGES - 1}}$`, `must be names of pages, up to ${MAX_PAGES}`)),
})

export const livePagesIn = (pages = 'overview'): LivePage[] => [...new Set(pages.split(','))] as LivePage[]

/** The ids of the scope of a page, the outermost first; none for pages about the reader. */
export const idsIn = (page: LivePage): string[] => (page.startsWith('in:') ? page.slice('in:'.length).split('/') : [])

/** Anything in its scope, what is set for the scopes around it, and its reader. @returns keys of `times` */
export function keysOf(page: LivePage, user_id: string): string[] {
  const ids = idsIn(page)
  const around = ids.slice(0, -1).map((_, index) => `=${ids.slice(0, index + 1).join('/')}`)
  return [userPath(user_id), ...around, ...(ids.length > 0 ? [ids.join('/')] : [])]
}

/** Beyond these, the ones that changed longest ago are forgotten: their pages are read once more than needed. */
const MAX_KEYS = 10_000

/** When something changed, by the path of a scope: in it, or in the scope itself (`=` and the path). The same in all processes. */
const times = new Map<string, string>()
/** When announcements may have been missed. */
let gap = ''
let isListening = false
/** What is called after each change. */
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

const listen = observeChanges({
  received(paths, at) {
    const shown = paths.filter((path) => !path.startsWith(`${CLAIM}/`))
    for (const path of shown) remember(path, at)
    if (shown.length > 0) for (const observe of observers) observe()
  },
  missed() {
    if (isListening) gap = String(Date.now())
    isListening = true
    for (const observe of observers) observe()
  },
})

export function observePages(observe: () => void): void {
  observers.add(observe)
  listen()
}

/** The version of what depends on keys; a new one each time while changes are not received. */
export function versionOf(keys: string[]): string {
  listen()
  if (!isListening) return crypto.randomUUID()
  return Bun.hash([gap, ...keys.map((key) => times.get(key) ?? '')].join(' ')).toString(36)
}
