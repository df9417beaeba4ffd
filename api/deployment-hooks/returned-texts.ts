/**
 * Texts that receivers and claimers send back, as members of the workspace may read them: the output of a job may contain the
 * secrets that it was given.
 */

import { decryptBody, decryptTemplateSecrets } from '../../core/dispatches/bodies.ts'
import { maskCredentials } from '../../core/security/credentials.ts'
import { type Mask, maskOf, secretsOfHeader, secretsOfSigning } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { Tx } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'

/** The secrets that a receiver of a dispatch may know, encrypted, and the mode of its hook. */
export interface KnownSecrets {
  mode: 'push' | 'pull'
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  template_secrets: Uint8Array | null
  encrypted_body: Uint8Array | null
  pull_token_hash: Uint8Array | null
}

/** @throws Problem `not_found` */
export async function readKnownSecrets(tx: Tx, { id, organization_id }: ResourceKey<'dispatch'>): Promise<KnownSecrets> {
  const [found] = await tx<KnownSecrets[]>`
    select hook.mode, hook.secret, hook.previous_secret, hook.headers, hook.template_secrets, body.encrypted_body,
      hook.pull_token_hash
    from dispatches as dispatch
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    left join dispatch_bodies as body on body.dispatch_id = dispatch.id and body.organization_id = dispatch.organization_id
    where dispatch.id = ${id}
      and dispatch.organization_id = ${organization_id}
  `
  if (!found) throw notFound('dispatch')
  return found
}

/**
 * Masks the secrets of the hook and of the body, the report token of the dispatch, and what looks like a credential.
 *
 * @param presented the token with which the text was sent
 */
export async function maskOfKnown(dispatch_id: string, found: KnownSecrets, presented: string | null): Promise<Mask> {
  const keys = [found.secret, found.previous_secret].filter((each) => each !== null)
  const signing = await Promise.all(keys.map(decrypt))
  const headers: Record<string, string> = found.headers ? JSON.parse(await decrypt(found.headers)) : {}
  const template = [...(await decryptTemplateSecrets(found.template_secrets)).values()]
  const sent = found.encrypted_body ? (await decryptBody(found.encrypted_body)).secrets : []
  const mask = maskOf([
    ...signing.flatMap(secretsOfSigning),
    ...[...Object.values(headers), ...template, ...sent].flatMap(secretsOfHeader),
    reportToken(dispatch_id),
    ...(presented === null ? [] : [presented]),
  ])
  // Whole tokens first: with one of them, the mask also finds the beginning that all have.
  return (text) => storable(mask(maskCredentials(text)))
}

/** The bearer token of a request; null if it has none. */
export const presentedToken = (request: Request): string | null => request.headers.get('authorization')?.split(' ').at(-1) || null
