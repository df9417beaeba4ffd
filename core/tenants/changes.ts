/** Announces to API processes what has changed: to pages, streams and requests that wait for it. */
import { announcer, listenTo } from '../platform/announcements.ts'
import type { Scope } from './scopes.ts'

/** The NOTIFY channel with what has changed, after the time. Every API process listens on it. */
export const CHANGES_CHANNEL = 'signalbox_changes'

/** Changes within this time share one notification. */
const PAUSE_MS = 20

/** A scope as one word, its path: the ids of the organization, and of the workspace and the project, if it is in one. */
export const scopePath = ({ organization_id, workspace_id, project_id }: Scope): string =>
  [organization_id, workspace_id, project_id].filter((id) => id !== null).join('/')

/** What belongs to a user, such as their notifications. */
export const userPath = (user_id: string): string => `user/${user_id}`

export const CLAIM = 'claim'

/** What can be claimed of a pull hook. */
export const claimPath = (hook_id: string): string => `${CLAIM}/${hook_id}`

/** Pages compare the time of announcements, which is the same in all processes. */
export const { announce: announceChange, announced: changesAnnounced } = announcer(CHANGES_CHANNEL, PAUSE_MS, () =>
  String(Date.now()),
)

interface Observer {
  /** @param at when they were announced, in milliseconds */
  received(paths: string[], at: string): void
  /** Announcements may have been missed: at the beginning, and after a lost connection. */
  missed(): void
}

const observers: Observer[] = []
let isListening = false

function listen(): void {
  if (isListening) return
  isListening = true
  listenTo(
    CHANGES_CHANNEL,
    ([at = '', ...paths]) => {
      for (const { received } of observers) received(paths, at)
    },
    () => {
      for (const { missed } of observers) missed()
    },
  )
}

/** @returns begins to listen, if this process does not yet */
export function observeChanges(observer: Observer): () => void {
  observers.push(observer)
  return listen
}
