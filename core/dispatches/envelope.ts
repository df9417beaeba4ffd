/** The envelope of a dispatch: its body, unless the hook has a template. */

import { type Event, eventUrl } from '../events/catalogue.ts'
import type { NamedResource, NamedScope } from '../scopes.ts'

/** The fields of a hook that envelopes contain. */
export interface NamedHook extends NamedResource {
  environment: string
  /** How long its receiver may take to report; null if it does not. */
  report_within_seconds: number | null
}

/**
 * The text of the envelope before and after the part that differs between hooks. PostgreSQL concatenates the parts, so that an
 * event for many hooks is sent to it once. The result is the exact text that is signed and sent.
 */
export const commonParts = (event: Event, scope: NamedScope): [head: string, tail: string] => [
  JSON.stringify({ id: event.id, event: event.name, created_at: event.created_at, url: eventUrl(event, scope), ...scope }).slice(
    0,
    -1,
  ),
  `,"data":${JSON.stringify(event.data)}}`,
]

/** The part of the envelope that differs between hooks, up to the sequence number. */
export const hookPart = ({ id, name, environment }: NamedHook): string =>
  `,${JSON.stringify({ hook: { id, name }, environment }).slice(1, -1)},"sequence":`

/** The complete envelope, as templates and filters read it. */
export const envelopeOf = (event: Event, scope: NamedScope, hook: NamedHook, sequence: number | null) => ({
  id: event.id,
  event: event.name,
  created_at: event.created_at,
  url: eventUrl(event, scope),
  ...scope,
  hook: { id: hook.id, name: hook.name },
  environment: hook.environment,
  sequence,
  data: event.data,
})
