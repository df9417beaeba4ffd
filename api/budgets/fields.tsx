/** The fields of a budget, in the settings of an organization and of a workspace. */
import { Field } from '../pages/components/forms.tsx'

export function BudgetFields({ of }: { of: { budget_monthly_limit_usd: number | null; budget_alert_threshold: number } | null }) {
  return (
    <>
      <Field
        name="budget_monthly_limit_usd"
        label="Monthly budget in US dollars"
        inputMode="decimal"
        value={of?.budget_monthly_limit_usd?.toString()}
        hint="New executions are refused when it is used up. Empty: no limit."
      />
      <Field
        name="budget_alert_threshold"
        label="Alert above this part of it"
        inputMode="decimal"
        required
        value={String(of?.budget_alert_threshold ?? 0.8)}
        hint="More than 0 and at most 1: 0.8 is 80 %."
      />
    </>
  )
}
