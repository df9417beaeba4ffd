/**
 * Stubs of the chat tools, which respond as those do, including errors. Each refuses what the real tool would refuse,
 * so that tests notice malformed messages.
 */
import { createHmac } from 'node:crypto'
import { Receiver } from '../support/receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: payloads of third parties, inspected field by field
type Payload = any

const text = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'Content-Type': 'text/plain', ...headers } })

const length = (value: string) => [...value].length

function slackError(payload: Payload): string | null {
  if (!payload.text) return 'no_text'
  if (payload.attachments?.length > 100) return 'too_many_attachments'
  const blocks: Payload[] = payload.blocks ?? []
  if (blocks.length > 50 || payload.text.length > 40_000) return 'invalid_blocks'
  if (JSON.stringify(blocks).length > 13_200) return 'msg_blocks_too_long'
  for (const block of blocks) {
    if (block.type === 'header' && (block.text.type !== 'plain_text' || length(block.text.text) > 150)) return 'invalid_blocks'
    if (block.type === 'section' && block.text && (block.text.text === '' || length(block.text.text) > 3000))
      return 'invalid_blocks'
    if (block.type === 'section' && !block.text && !block.fields) return 'invalid_blocks'
    if (block.fields && (block.fields.length > 10 || block.fields.some((each: Payload) => length(each.text) > 2000)))
      return 'invalid_blocks'
  }
  return null
}

/** A Slack incoming webhook: `ok`, or a word that names the error. */
export function slack(port = 0): Receiver {
  const receiver = new Receiver(port)
  receiver.answer = ({ body }) => {
    const error = slackError(JSON.parse(body))
    return error ? text(error, 400) : text('ok')
  }
  return receiver
}

function teamsError(payload: Payload): string | null {
  const [attachment] = payload.attachments ?? []
  if (payload.type !== 'message' || payload.attachments?.length !== 1) return 'TriggerInputSchemaMismatch'
  if (attachment.contentType !== 'application/vnd.microsoft.card.adaptive') return 'TriggerInputSchemaMismatch'
  return attachment.content?.type === 'AdaptiveCard' ? null : 'TriggerInputSchemaMismatch'
}

/** A Teams workflow: an empty 202, whatever happens to the message later. */
export function teams(port = 0): Receiver {
  const receiver = new Receiver(port)
  receiver.answer = ({ body }) => {
    if (Buffer.byteLength(body) > 28_000) return text('Request Entity too large', 413)
    const code = teamsError(JSON.parse(body))
    return code ? Response.json({ error: { code, message: 'The input does not fit.' } }, { status: 400 }) : text('', 202)
  }
  return receiver
}

const PROPERTIES: Record<string, string[]> = {
  card: ['schema', 'config', 'header', 'body'],
  config: ['update_multi', 'width_mode', 'summary'],
  header: ['title', 'subtitle', 'template'],
  body: ['direction', 'elements'],
  div: ['tag', 'text'],
  hr: ['tag'],
  column_set: ['tag', 'columns'],
  column: ['tag', 'width', 'weight', 'elements'],
  button: ['tag', 'text', 'type', 'behaviors'],
  plain_text: ['tag', 'content'],
}

const hasUnknownProperty = (kind: string, value: object): boolean =>
  Object.keys(value).some((key) => !PROPERTIES[kind]?.includes(key))

/** Card JSON 2.0 refuses unknown properties. */
function isCard(card: Payload): boolean {
  if (card?.schema !== '2.0' || card.config?.update_multi !== true || hasUnknownProperty('card', card)) return false
  if (
    hasUnknownProperty('config', card.config) ||
    hasUnknownProperty('header', card.header) ||
    hasUnknownProperty('body', card.body)
  )
    return false
  const isText = (each: Payload) => each?.tag === 'plain_text' && !hasUnknownProperty('plain_text', each)
  const isElement = (element: Payload): boolean => {
    if (!PROPERTIES[element.tag] || hasUnknownProperty(element.tag, element)) return false
    if (element.tag === 'column_set') {
      return element.columns.every((each: Payload) => !hasUnknownProperty('column', each) && each.elements.every(isElement))
    }
    return element.tag === 'hr' || isText(element.text)
  }
  return isText(card.header.title) && isText(card.header.subtitle) && card.body.elements.every(isElement)
}

/** A Feishu custom bot: always 200, with a code in the body. */
export function feishu(secret: string | null = null, port = 0): Receiver {
  const receiver = new Receiver(port)
  receiver.answer = ({ body }) => {
    const payload: Payload = JSON.parse(body)
    const failed = (code: number, msg: string) => Response.json({ code, data: {}, msg })
    if (Buffer.byteLength(body) > 20_000) return failed(9499, 'Bad Request')
    if (secret !== null) {
      const sign = createHmac('sha256', `${payload.timestamp}\n${secret}`).update('').digest('base64')
      const age = Math.abs(Date.now() / 1000 - Number(payload.timestamp))
      if (payload.sign !== sign || !(age < 3600))
        return failed(19021, 'sign match fail or timestamp is not within one hour from current time')
    }
    if (payload.msg_type !== 'interactive') return failed(19002, 'params error, msg_type need')
    if (!isCard(payload.card)) return failed(9499, 'Bad Request')
    return Response.json({ StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' })
  }
  return receiver
}
