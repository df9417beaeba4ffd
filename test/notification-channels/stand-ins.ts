/**
 * Stand-ins for the chat tools, which answer exactly as those do, faults included. Each refuses what the tool would
 * refuse, so that a message that is wrong does not pass.
 */
import { createHmac } from 'node:crypto'
import { Receiver } from '../support/receiver.ts'

// biome-ignore lint/suspicious/noExplicitAny: payloads of others, looked at field by field
type Payload = any

const text = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'Content-Type': 'text/plain', ...headers } })

const length = (value: string) => [...value].length

function slackFault(payload: Payload): string | null {
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

/** An incoming webhook of Slack: `ok`, or a word that says what is wrong. */
export function slack(): Receiver {
  const receiver = new Receiver()
  receiver.answer = ({ body }) => {
    const fault = slackFault(JSON.parse(body))
    return fault ? text(fault, 400) : text('ok')
  }
  return receiver
}

function teamsFault(payload: Payload): string | null {
  const [attachment] = payload.attachments ?? []
  if (payload.type !== 'message' || payload.attachments?.length !== 1) return 'TriggerInputSchemaMismatch'
  if (attachment.contentType !== 'application/vnd.microsoft.card.adaptive') return 'TriggerInputSchemaMismatch'
  return attachment.content?.type === 'AdaptiveCard' ? null : 'TriggerInputSchemaMismatch'
}

/** A Workflow of Teams: 202 with nothing, whatever becomes of it. */
export function teams(): Receiver {
  const receiver = new Receiver()
  receiver.answer = ({ body }) => {
    if (Buffer.byteLength(body) > 28_000) return text('Request Entity too large', 413)
    const code = teamsFault(JSON.parse(body))
    return code ? Response.json({ error: { code, message: 'The input does not fit.' } }, { status: 400 }) : text('', 202)
  }
  return receiver
}

const KNOWN: Record<string, string[]> = {
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

const strange = (kind: string, value: object): boolean => Object.keys(value).some((key) => !KNOWN[kind]?.includes(key))

/** Card JSON 2.0 takes no property that it does not know. */
function isCard(card: Payload): boolean {
  if (card?.schema !== '2.0' || card.config?.update_multi !== true || strange('card', card)) return false
  if (strange('config', card.config) || strange('header', card.header) || strange('body', card.body)) return false
  const isText = (each: Payload) => each?.tag === 'plain_text' && !strange('plain_text', each)
  const isElement = (element: Payload): boolean => {
    if (!KNOWN[element.tag] || strange(element.tag, element)) return false
    if (element.tag === 'column_set') {
      return element.columns.every((each: Payload) => !strange('column', each) && each.elements.every(isElement))
    }
    return element.tag === 'hr' || isText(element.text)
  }
  return isText(card.header.title) && isText(card.header.subtitle) && card.body.elements.every(isElement)
}

/** A custom bot of Feishu: 200 whatever happens, with a code in the body. */
export function feishu(secret: string | null = null): Receiver {
  const receiver = new Receiver()
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
