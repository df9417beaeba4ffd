/** The form that reports what became of a deployment, for people whose CI system does not. */
import { Shape, type Static, Text } from '../../core/values/schema.ts'
import { Folded } from '../pages/components/folded.tsx'
import { Choice, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { DIGEST_HINT, digestIn } from '../pages/digests.ts'
import { bodyInput } from '../plugins/validation.ts'
import { invalidField, Problem } from '../problems.ts'
import { MAX_DESCRIPTION, MAX_VERSION, ReportInput, type Rollout } from './rollout-schema.ts'

export const ReportForm = Shape({ ...ReportInput.properties, digest: Text(200) })
type ReportForm = Static<typeof ReportForm>

/** The report that a form stands for. @throws Problem 422 at its fields */
export function reportIn({ digest, ...report }: ReportForm): ReportInput {
  try {
    return bodyInput(ReportInput)['~standard'].validate({ ...report, digest: digestIn(digest) }).value
  } catch (error) {
    const [first] = error instanceof Problem ? (error.errors ?? []) : []
    throw first?.pointer.startsWith('/digest/') ? invalidField('/digest', first.code, first.detail) : error
  }
}

/** Nothing once the outcome is reported: the first one stands. */
export function Report({ of: { state, version, url, description }, path }: { of: Rollout; path: string }) {
  if (state === 'succeeded' || state === 'failed') return null
  return (
    <Folded action={path} title="Report the outcome…">
      <p>For deployments whose receiver does not report. The first success or failure stands.</p>
      <Form action={path}>
        <Choice
          name="state"
          label="Outcome"
          value="succeeded"
          options={[
            ['succeeded', 'It succeeded'],
            ['failed', 'It failed'],
            ['in_progress', 'It is in progress'],
          ]}
        />
        <Field
          name="version"
          label="Version"
          maxLength={MAX_VERSION}
          value={version ?? ''}
          hint="What was deployed, such as v1.5.0."
        />
        <Field name="digest" label="Digest" maxLength={200} hint={DIGEST_HINT} />
        <Field name="url" label="Address of a page about it" type="url" maxLength={2048} value={url ?? ''} />
        <TextArea name="description" label="Description" maxLength={MAX_DESCRIPTION} value={description ?? ''} />
        <Submit>Report</Submit>
      </Form>
    </Folded>
  )
}
