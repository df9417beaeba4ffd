/** The form that sends the unsuccessful dispatches of a period again. */
import { OneOf, Shape, type Static } from '../../core/values/schema.ts'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import type { Hook } from './schema.ts'

const HOUR_MS = 3_600_000

/** The periods that can be chosen, and their lengths in hours. */
const PERIODS = {
  hour: ['the last hour', 1],
  day: ['the last 24 hours', 24],
  week: ['the last 7 days', 7 * 24],
  month: ['the last 30 days', 30 * 24],
} as const satisfies Record<string, [text: string, hours: number]>

type Period = keyof typeof PERIODS

const periods = Object.keys(PERIODS) as Period[]

export const RecoverForm = Shape({ period: OneOf(periods) })
export type RecoverForm = Static<typeof RecoverForm>

/** The start of a period that ends now. */
export const sinceOf = (period: Period): string => new Date(Date.now() - PERIODS[period][1] * HOUR_MS).toISOString()

/** Recovers what failed or was cancelled. */
export function RecoverSection({ hook: { id, mode } }: { hook: Hook }) {
  return (
    <Section title="Send again what failed">
      <Form action={`/app/deployment-hooks/${id}/recover`}>
        <Select
          name="period"
          label="Created in"
          required
          value="day"
          options={periods.map((period) => [period, PERIODS[period][0]])}
          hint={`Failed and cancelled dispatches are ${mode === 'pull' ? 'offered' : 'sent'} again, each payload once. What has succeeded since is left out.`}
        />
        <Submit kind="quiet" confirm="Send all of them again?">
          Recover
        </Submit>
      </Form>
    </Section>
  )
}
