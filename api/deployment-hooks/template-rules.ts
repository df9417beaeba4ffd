/** Validation of body templates, their secrets and filters. Every error names its field, and within a template the string. */
import { type Filter, filterErrors } from '../../core/deployment-hooks/filters.ts'
import { depthOf, type TemplateError, templateErrors } from '../../core/deployment-hooks/templates.ts'
import { secretValueError } from '../../core/outbound-requests.ts'
import { escapePointer, type FieldError } from '../problems.ts'

const MAX_TEMPLATE_BYTES = 32_768
const MAX_TEMPLATE_DEPTH = 16
const MAX_FILTER_BYTES = 8192
const SECRET_NAME = /^[a-z0-9_]{1,32}$/

/** The fields that are validated here. */
export interface TemplateFields {
  body_template?: unknown
  template_secrets?: Record<string, string> | null
  filter?: Filter | null
  /** The placeholders of reports require it. */
  report_within_seconds?: number | null
}

/** What is stored of a hook that is changed. */
export interface StoredTemplate {
  body_template: unknown
  template_secret_names: string[]
  report_within_seconds: number | null
}

const pointerOf = (field: string, path: string[]): string => ['', field, ...path].map(escapePointer).join('/')

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const EXPLANATIONS: Record<TemplateError['reason'], [code: string, detail: (name: string) => string]> = {
  malformed: [
    'malformed',
    () =>
      'contains {{ that begins no placeholder: write {{/pointer}}, {{secret:name}}, {{report:url}} or {{report:token}}, or {{{{ for a literal {{',
  ],
  unknown_secret: ['unknown_secret', (name) => `names the secret ${name}, which template_secrets does not contain`],
  no_reports: ['reports_required', () => 'contains {{report:…}}, which requires report_within_seconds'],
  out_of_range: ['out_of_range', () => 'is a number of more than 400 characters, or outside 1e-324 to 1e308'],
}

/** A given template: its size and its strings. */
function givenTemplateErrors(template: unknown, secrets: ReadonlySet<string>, hasReports: boolean): FieldError[] {
  const whole = (code: string, detail: string): FieldError[] => [{ pointer: '/body_template', code, detail }]
  if (depthOf(template) > MAX_TEMPLATE_DEPTH)
    return whole('nested_too_deep', `must not be nested more than ${MAX_TEMPLATE_DEPTH} levels deep`)
  if (size(template) > MAX_TEMPLATE_BYTES) return whole('too_long', `must not be larger than ${MAX_TEMPLATE_BYTES} bytes as JSON`)
  return templateErrors(template, { secrets, hasReports }).map(({ path, reason, name = '' }) => {
    const [code, detail] = EXPLANATIONS[reason]
    return { pointer: pointerOf('body_template', path), code, detail: detail(name) }
  })
}

/** A stored template must stay valid when what it names is changed. */
function keptTemplateErrors(template: unknown, secrets: ReadonlySet<string>, hasReports: boolean): FieldError[] {
  const found = templateErrors(template, { secrets, hasReports }).map(({ reason, name = '' }): [string, FieldError] => {
    const pointer = reason === 'no_reports' ? '/report_within_seconds' : '/template_secrets'
    const detail =
      reason === 'no_reports'
        ? 'cannot be null while body_template names {{report:…}}'
        : `must contain ${name}: body_template names it`
    return [`${pointer} ${name}`, { pointer, code: 'in_use', detail }]
  })
  return [...new Map(found).values()]
}

function secretErrors(given: Record<string, string>, stored: readonly string[]): FieldError[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const error: [string, string] | null = SECRET_NAME.test(name)
      ? secretValueError(value, stored.includes(name))
      : ['malformed', 'must have a name of 1 to 32 of the characters a-z, 0-9 and _']
    return error ? [{ pointer: pointerOf('template_secrets', [name]), code: error[0], detail: error[1] }] : []
  })
}

function givenFilterErrors(filter: Filter): FieldError[] {
  if (size(filter) > MAX_FILTER_BYTES)
    return [{ pointer: '/filter', code: 'too_long', detail: `must not be larger than ${MAX_FILTER_BYTES} bytes as JSON` }]
  return filterErrors(filter).map(({ path, code, detail }) => ({ pointer: pointerOf('filter', path), code, detail }))
}

/**
 * The errors of a template, its secrets and a filter.
 *
 * @param stored the hook to be changed or previewed; null for a new one
 */
export function templateFieldErrors(given: TemplateFields, stored: StoredTemplate | null): FieldError[] {
  const { body_template: template, template_secrets, filter } = given
  const names = template_secrets === undefined ? (stored?.template_secret_names ?? []) : Object.keys(template_secrets ?? {})
  const secrets = new Set(names)
  const seconds = given.report_within_seconds === undefined ? stored?.report_within_seconds : given.report_within_seconds
  const hasReports = seconds != null
  return [
    ...secretErrors(template_secrets ?? {}, stored?.template_secret_names ?? []),
    ...(template === undefined
      ? keptTemplateErrors(stored?.body_template ?? null, secrets, hasReports)
      : givenTemplateErrors(template, secrets, hasReports)),
    ...(filter ? givenFilterErrors(filter) : []),
  ]
}
