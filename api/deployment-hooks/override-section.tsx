/** The manual trigger of a hook whose environment requires an approved gate, on its page: an override, with a reason. */
import { Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import type { Hook } from './schema.ts'

/** @param mayOverride whether the reader is an owner or admin of the organization */
export function OverrideSection({ hook, mayOverride }: { hook: Hook; mayOverride: boolean }) {
  return (
    <Section title="Trigger without an approval">
      <div class="card">
        <p>
          <bdi>{hook.environment}</bdi> requires an approved gate.
          {!mayOverride && ' Only owners and admins of the organization can trigger the hook without one.'}
        </p>
        {mayOverride && (
          <Form action={`/app/deployment-hooks/${hook.id}/trigger`}>
            <TextArea name="override/reason" label="Reason" maxLength={2000} required hint="It is shown, and audited." />
            <Submit kind="danger" confirm={`Trigger ${hook.name} without an approval?`}>
              Trigger
            </Submit>
          </Form>
        )}
      </div>
    </Section>
  )
}
