/**
 * Limits of cards: Teams (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors, Adaptive Cards 1.4) and Feishu
 * (https://open.feishu.cn/document, card JSON 2.0).
 */

// biome-ignore lint/suspicious/noExplicitAny: payloads of third parties, inspected field by field
type Payload = any

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Properties of the elements of Adaptive Cards 1.4 that messages use, and what each must be. */
const TEAMS: Record<string, (element: Payload) => boolean> = {
  TextBlock: ({ text, size = 'Default', weight = 'Default', color = 'Default' }) =>
    isText(text) &&
    ['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'].includes(size) &&
    ['Default', 'Lighter', 'Bolder'].includes(weight) &&
    ['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'].includes(color),
  Container: ({ items, style = 'default' }) =>
    ['default', 'emphasis', 'good', 'attention', 'warning', 'accent'].includes(style) && items.length > 0 && items.every(isTeams),
  FactSet: ({ facts }) => facts.length > 0 && facts.every(({ title, value }: Payload) => isText(title) && isText(value)),
}

const isTeams = (element: Payload): boolean => TEAMS[element?.type]?.(element) ?? false

/** @returns what breaks a rule of Teams; null if it accepts the message */
export function problemOfTeams(message: Payload): string | null {
  if (bytesOf(message) > 28_000) return 'larger than 28 KB'
  if (message.type !== 'message' || message.attachments?.length !== 1) return 'not one attachment'
  const [{ contentType, content }] = message.attachments
  if (contentType !== 'application/vnd.microsoft.card.adaptive') return 'not an Adaptive Card'
  if (content.type !== 'AdaptiveCard' || !['1.0', '1.1', '1.2', '1.3', '1.4'].includes(content.version)) return 'version'
  const broken = content.body.find((element: Payload) => !isTeams(element))
  if (broken) return `element ${JSON.stringify(broken)}`
  if ((content.actions ?? []).length > 6) return 'more than 6 actions'
  const isAction = ({ type, title, url }: Payload) => type === 'Action.OpenUrl' && isText(title) && URL.canParse(url)
  return (content.actions ?? []).every(isAction) ? null : 'action'
}

const isPlain = (value: Payload): boolean => value?.tag === 'plain_text' && isText(value.content)

/** Elements of Feishu cards that messages use. */
const FEISHU: Record<string, (element: Payload) => boolean> = {
  hr: () => true,
  div: ({ text }) => isPlain(text),
  button: ({ text, behaviors }) =>
    isPlain(text) && behaviors.every(({ type, default_url }: Payload) => type === 'open_url' && URL.canParse(default_url)),
  column_set: ({ columns }) =>
    columns.length > 0 && columns.length <= 5 && columns.every(({ elements }: Payload) => elements.every(isFeishu)),
}

const isFeishu = (element: Payload): boolean => FEISHU[element?.tag]?.(element) ?? false

/** The number of elements, at any depth. */
const countOf = (elements: Payload[]): number =>
  elements.reduce(
    (sum, { columns = [] }) => sum + 1 + columns.reduce((inner: number, each: Payload) => inner + 1 + countOf(each.elements), 0),
    0,
  )

/** @returns what breaks a rule of Feishu; null if it accepts the message */
export function problemOfFeishu(message: Payload): string | null {
  if (bytesOf(message) > 20_000) return 'larger than 20 KB'
  if (message.msg_type !== 'interactive' || message.card?.schema !== '2.0') return 'not a card'
  const { header, body, config } = message.card
  if (!isText(config.summary.content)) return 'summary'
  if (!isPlain(header.title) || !isPlain(header.subtitle)) return 'header'
  const broken = body.elements.find((element: Payload) => !isFeishu(element))
  if (broken) return `element ${JSON.stringify(broken)}`
  return countOf(body.elements) <= 200 ? null : 'more than 200 elements'
}
