/** The bodies that are rendered from the templates of hooks: once for each dispatch, and encrypted if they contain secrets. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_BODY_BYTES, renderTemplate, type SecretValues, type Template, templateOf } from '../deployment-hooks/templates.ts'
import { discardText } from '../platform/garbage.ts'
import { reportUrl } from '../rollouts/rollouts.ts'
import { reportToken } from '../security/report-token.ts'
import { decrypt, encrypt, MASK } from '../security/secrets.ts'
import { originOf } from '../values/web-addresses.ts'

export interface BodyToRender<Dispatch> {
  dispatch: Dispatch
  id: string
  hook: { id: string; url: string | null; body_template: string; template_secrets: Uint8Array | null }
  envelope: () => object
  /** Whether its receiver can report. Otherwise the values of reports are empty: CI systems reject null in place of text. */
  reportable: boolean
}

export interface RenderedBody {
  id: string
  /** What may be shown, with secrets masked; null if the body is too large. */
  body: string | null
  /** The body that is sent, encrypted; null if it contains no secrets. */
  encrypted: Buffer | null
  /** Whether it contains the report URL or token of the dispatch. */
  has_report: boolean
}

/** A body with secrets, as it is encrypted. */
interface SecretBody {
  body: string
  /** The secrets in it. They are masked in what its receiver sends back, also after those of the hook were changed. */
  secrets: string[]
  /**
   * Where its template secrets may be sent: the origin of the hook's url when it was rendered. Null if it contains none, or for a
   * pull hook.
   */
  origin: string | null
}

/** Masks secrets and report values. */
const MASKED: SecretValues = { secret: () => MASK, report: () => MASK }

/** A body as previews and records show it; null if it is larger than `maximum`. */
export const renderMasked = (template: Template, envelope: object, maximum = MAX_BODY_BYTES): string | null =>
  renderTemplate(template, envelope, MASKED, maximum)

export async function decryptTemplateSecrets(encrypted: Uint8Array | null): Promise<Map<string, string>> {
  return new Map(encrypted ? Object.entries(JSON.parse(await decrypt(encrypted)) as Record<string, string>) : [])
}

/** @throws UnreadableSecret if no key decrypts it */
export const decryptBody = async (encrypted: Uint8Array): Promise<SecretBody> => JSON.parse(await decrypt(encrypted))

/**
 * Whether a body may be sent to a url. Otherwise, who may change the url of a hook could read its secrets by sending a kept body
 * to a server of their own.
 */
export const mayBeSentTo = (origin: string | null, url: string): boolean => origin === null || originOf(origin) === originOf(url)

async function render(
  { id, hook, envelope, reportable }: BodyToRender<unknown>,
  stored: ReadonlyMap<string, string>,
): Promise<RenderedBody> {
  const template = templateOf(hook.body_template)
  const data = envelope()
  const used = { secret: new Set<string>(), report: new Set<string>() }
  const use = (kind: keyof typeof used, value: string | undefined) => {
    if (value !== undefined) used[kind].add(value)
    return value
  }
  const report = template.isSecret && reportable ? { url: reportUrl(id), token: reportToken(id) } : null
  const values: SecretValues = {
    secret: (name) => use('secret', stored.get(name)),
    report: (name) => use('report', report?.[name]) ?? '',
  }
  const body = renderTemplate(template, data, values)
  if (body === null || !template.isSecret) return { id, body, encrypted: null, has_report: false }
  const origin = hook.url !== null && used.secret.size > 0 ? originOf(hook.url) : null
  const secret: SecretBody = { body, secrets: [...used.secret, ...used.report], origin }
  const encrypted = Buffer.from(await encrypt(JSON.stringify(secret)))
  return { id, body: renderMasked(template, data, Number.POSITIVE_INFINITY), encrypted, has_report: used.report.size > 0 }
}

/**
 * How many bytes of bodies are rendered before they are written: a project may have many hooks with large bodies. While a chunk is
 * written, it is in memory several times.
 */
const CHUNK_BYTES = MAX_BODY_BYTES

/** Characters of templates and bodies that are processed at once. They take milliseconds if they consist of many values. */
const CHARACTERS_PER_TURN = 65_536

/**
 * Renders bodies, in the given order and in chunks of bounded size. The process does other things in between.
 *
 * @throws UnreadableSecret if no key decrypts the template secrets of a hook
 */
export async function* renderInChunks<Dispatch>(
  bodies: BodyToRender<Dispatch>[],
): AsyncGenerator<(RenderedBody & { dispatch: Dispatch })[]> {
  const secrets = new Map<string, Map<string, string>>()
  let chunk: (RenderedBody & { dispatch: Dispatch })[] = []
  let size = 0
  let characters = 0
  for (const body of bodies) {
    const stored = secrets.get(body.hook.id) ?? (await decryptTemplateSecrets(body.hook.template_secrets))
    secrets.set(body.hook.id, stored)
    const rendered = await render(body, stored)
    chunk.push({ ...rendered, dispatch: body.dispatch })
    size += (rendered.body?.length ?? 0) + (rendered.encrypted?.length ?? 0)
    characters += body.hook.body_template.length + (rendered.body?.length ?? 0)
    if (characters >= CHARACTERS_PER_TURN) {
      characters = 0
      await nextTurn()
    }
    if (size < CHUNK_BYTES) continue
    yield chunk
    discardText(size)
    chunk = []
    size = 0
  }
  if (chunk.length > 0) yield chunk
}
