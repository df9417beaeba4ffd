/** Slack's limits of messages (https://docs.slack.dev/reference/block-kit). */

// biome-ignore lint/suspicious/noExplicitAny: payloads of a third party, inspected field by field
type Payload = any

const length = (text: string): number => [...text].length

const isText = (value: Payload, most: number, types = ['plain_text', 'mrkdwn']): boolean =>
  types.includes(value?.type) && typeof value.text === 'string' && value.text !== '' && length(value.text) <= most

const isPlain = (value: Payload, most: number): boolean => isText(value, most, ['plain_text'])

const isConfirmation = ({ title, text, confirm, deny, style = 'primary' }: Payload): boolean =>
  isPlain(title, 100) && isText(text, 300) && isPlain(confirm, 30) && isPlain(deny, 30) && ['primary', 'danger'].includes(style)

function isButton({ type, text, action_id = '', value = '', url = '', style = 'primary', confirm }: Payload): boolean {
  return (
    type === 'button' &&
    isPlain(text, 75) &&
    length(action_id) <= 255 &&
    length(value) <= 2000 &&
    length(url) <= 3000 &&
    ['primary', 'danger'].includes(style) &&
    (confirm === undefined || isConfirmation(confirm))
  )
}

function isBlock(block: Payload): boolean {
  if (length(block.block_id ?? '') > 255) return false
  if (block.type === 'header') return isPlain(block.text, 150)
  if (block.type === 'section') {
    const fields: Payload[] | undefined = block.fields
    const hasFields = fields !== undefined && fields.length > 0
    if (hasFields && (fields.length > 10 || !fields.every((field) => isText(field, 2000)))) return false
    return block.text ? isText(block.text, 3000) : hasFields
  }
  if (block.type === 'context') return block.elements.length <= 10 && block.elements.every((each: Payload) => isText(each, 2000))
  if (block.type === 'actions') {
    const ids = block.elements.map(({ action_id }: Payload) => action_id)
    return block.elements.length <= 25 && block.elements.every(isButton) && new Set(ids).size === ids.length
  }
  return block.type === 'divider'
}

/** @returns Slack's error code for a message that breaks a rule; null for one that it accepts */
export function problemOfMessage({ text, blocks = [], thread_ts }: Payload): string | null {
  if (typeof text !== 'string' || text === '') return 'no_text'
  if (length(text) > 40_000) return 'msg_too_long'
  if (!Array.isArray(blocks) || blocks.length > 50 || !blocks.every(isBlock)) return 'invalid_blocks'
  if (JSON.stringify(blocks).length > 13_200) return 'msg_blocks_too_long'
  if (thread_ts !== undefined && thread_ts !== null && !/^\d{10}\.\d{6}$/.test(thread_ts)) return 'invalid_arguments'
  return null
}
