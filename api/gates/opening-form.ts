/** The form that opens a gate, as the request of the API: lists are rows, and the subject has fields of its own. */
import { Maybe, Nullable, Shape, type Static, Type } from '../../core/values/schema.ts'
import { filledRows, type Row, type RowsOf, RowTexts } from '../pages/components/rows.tsx'
import { digestIn } from '../pages/typed-texts.ts'
import { bodyInput } from '../plugins/validation.ts'
import { atOtherFields } from '../problems.ts'
import { GateInput } from './schema.ts'

const text = (name: string, label: string) => ({ name, label })
const address = (label: string) => ({ name: 'url', label, type: 'url' as const })
const choice = (name: string, label: string, ...options: [value: string, text: string][]) => ({ name, label, options })

export const CHECKS: RowsOf = {
  name: 'checks',
  label: 'Checks',
  one: 'check',
  hint: 'What was tested, and how it ended.',
  maximum: 50,
  cells: [
    text('name', 'Name'),
    choice('state', 'How it ended', ['passed', 'passed'], ['failed', 'failed'], ['skipped', 'skipped']),
    address('Address of its report'),
    text('detail', 'What it found'),
  ],
}

export const LINKS: RowsOf = {
  name: 'links',
  label: 'Links',
  one: 'link',
  hint: 'Where to read more, such as the pull request.',
  maximum: 20,
  cells: [text('label', 'Label'), address('Address')],
}

export const METRICS: RowsOf = {
  name: 'metrics',
  label: 'Metrics',
  one: 'metric',
  hint: 'Such as tests_passed, tests_failed, lines_added or duration_seconds.',
  maximum: 100,
  cells: [text('name', 'Name'), { name: 'value', label: 'Number', inputMode: 'decimal' }],
}

export const ARTIFACTS: RowsOf = {
  name: 'artifacts',
  label: 'Artifacts',
  one: 'artifact',
  hint: 'What was made, such as an image or a report.',
  maximum: 20,
  cells: [text('name', 'Name'), text('kind', 'Kind'), address('Address')],
}

export const QUESTIONS: RowsOf = {
  name: 'fields',
  label: 'Questions to the approver',
  one: 'question',
  hint: 'What an approver has to answer, such as the number of a change ticket. The name identifies the answer in the API: lower-case letters, digits and underscores.',
  maximum: 8,
  cells: [
    text('label', 'Question'),
    text('name', 'Name'),
    choice('type', 'Answer', ['text', 'text'], ['number', 'number'], ['boolean', 'yes or no'], ['choice', 'one of some']),
    text('choices', 'Choices, with commas'),
    choice('required', 'Whether an answer is required', ['true', 'required'], ['false', 'optional']),
  ],
}

const { name, description, environment, required_approvals, expires_in_seconds } = GateInput.properties

export const GateForm = Shape({
  name,
  description,
  environment,
  required_approvals: Maybe(Nullable(required_approvals)),
  prevent_self_approval: Maybe(Nullable(Type.Boolean())),
  expires_in_seconds,
  subject_uri: Type.String(),
  subject_digest: Type.String(),
  subject_version: Type.String(),
  summary: Type.String(),
  checks: Maybe(RowTexts),
  links: Maybe(RowTexts),
  metrics: Maybe(RowTexts),
  artifacts: Maybe(RowTexts),
  fields: Maybe(RowTexts),
})
export type GateForm = Static<typeof GateForm>

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

const listOf = (text: string): string[] => text.split(',').flatMap((each) => each.trim() || [])

const questionOf = ({ texts: { choices = '', required, ...texts } }: Row) => ({
  ...withoutEmpty(texts),
  ...(choices === '' ? {} : { choices: listOf(choices) }),
  required: required !== 'false',
})

/** A number if it is one; else the API refuses what was typed. */
const numberOf = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

function evidenceOf(form: GateForm) {
  const metrics = filledRows(METRICS, form.metrics)
  const lists = { checks: CHECKS, links: LINKS, artifacts: ARTIFACTS }
  return {
    ...(form.summary.trim() === '' ? {} : { summary: form.summary }),
    ...(metrics.length === 0
      ? {}
      : { metrics: Object.fromEntries(metrics.map(({ texts }) => [texts.name ?? '', numberOf(texts.value ?? '')])) }),
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([list, of]) => {
        const rows = filledRows(of, form[list as keyof typeof lists])
        return rows.length === 0 ? [] : [[list, rows.map(({ texts }) => withoutEmpty(texts))]]
      }),
    ),
  }
}

/** The request that a form stands for. @throws Problem `validation_failed`, as the API does */
export function gateIn(form: GateForm): GateInput {
  const { subject_uri: uri, subject_version: version } = form
  const digest = digestIn(form.subject_digest)
  const subject = { ...withoutEmpty({ uri: uri.trim(), version: version.trim() }), ...(digest === null ? {} : { digest }) }
  const evidence = evidenceOf(form)
  const fields = filledRows(QUESTIONS, form.fields).map(questionOf)
  return bodyInput(GateInput)['~standard'].validate({
    name: form.name,
    description: form.description ?? null,
    environment: form.environment ?? null,
    ...(form.required_approvals == null ? {} : { required_approvals: form.required_approvals }),
    ...(form.prevent_self_approval == null ? {} : { prevent_self_approval: form.prevent_self_approval }),
    ...(form.expires_in_seconds == null ? {} : { expires_in_seconds: form.expires_in_seconds }),
    ...(Object.keys(subject).length === 0 ? {} : { subject }),
    ...(Object.keys(evidence).length === 0 ? {} : { evidence }),
    ...(fields.length === 0 ? {} : { fields }),
  }).value
}

const LISTS = [CHECKS, LINKS, ARTIFACTS, QUESTIONS]

/** The field of the form that a pointer of the API is about. */
function fieldAt(form: GateForm, pointer: string): string {
  const [, list = '', index = '', cell] = /^\/(?:evidence\/)?(\w+)\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? []
  const of = LISTS.find((each) => each.name === list)
  if (of) {
    const row = filledRows(of, form[of.name as 'checks'])[Number(index)]
    return row ? `/${list}/${row.at}.${cell ?? of.cells[0]?.name}` : `/${list}`
  }
  const [, metric] = /^\/evidence\/metrics\/(.*)$/s.exec(pointer) ?? []
  if (metric !== undefined) {
    const row = filledRows(METRICS, form.metrics).find(({ texts }) => texts.name === metric)
    return row ? `/metrics/${row.at}.value` : '/metrics'
  }
  if (pointer === '/subject') return '/subject_uri'
  if (pointer.startsWith('/subject/digest')) return '/subject_digest'
  return pointer.replace(/^\/subject\//, '/subject_').replace(/^\/evidence\//, '/')
}

/** Runs the work of the form. @throws Problem with errors at the fields of the form */
export const atGateFields = <Result>(form: GateForm, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => atOtherFields(error, (each) => ({ ...each, pointer: fieldAt(form, each.pointer) })))
