/** Service accounts of a site, as callers. */
import type { Answer } from './actor.ts'
import { Actor, type Box, type Site } from './signalbox.ts'

export interface Machine {
  /** As the API shows it. */
  account: Answer['body']
  /** Calls with its key. */
  caller: Actor
  /** As the API showed it once. */
  key: Answer['body']
}

/** A day from now. */
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString()

/** Creates a service account with a key, in all of the organization unless the input says more. */
export async function makeMachine(
  box: Box,
  admin: Actor,
  { organization }: Pick<Site, 'organization'>,
  scopes: string[],
  input: object = {},
): Promise<Machine> {
  const path = `/api/v1/organizations/${organization.id}/service-accounts`
  const account = await admin.make(path, { name: 'Release pipeline', scopes, ...input })
  const key = await admin.make(`/api/v1/service-accounts/${account.id}/keys`, { name: 'Build server', expires_at: tomorrow() })
  return { account, key, caller: new Actor(box, account.name, '', account.id, key.key, '') }
}
