/** The fields of a trust, whose claims are lines. */
import { config } from '../../core/platform/config.ts'
import { Field, TextArea } from '../pages/components/forms.tsx'
import { invalidField } from '../problems.ts'
import type { Trust } from './schema.ts'

/** @param of null for a new one; `claims` as they are typed */
export function TrustFields({
  of,
}: {
  of: (Pick<Trust, 'issuer' | 'audience' | 'max_ttl_seconds'> & { claims: string }) | null
}) {
  return (
    <>
      <Field
        name="issuer"
        label="Issuer"
        required
        maxLength={2048}
        value={of?.issuer ?? 'https://token.actions.githubusercontent.com'}
        hint="For GitLab https://gitlab.com, for Buildkite https://agent.buildkite.com."
      />
      <TextArea
        name="claims"
        label="Claims"
        required
        maxLength={20_000}
        value={of?.claims}
        hint="One per line, such as repository_id: 74 (gh api repos/acme/checkout --jq .id shows it) and ref: refs/heads/main. Several lines with the same name are alternatives. GitHub needs repository_id and ref, environment or job_workflow_ref; gitlab.com needs project_id and ref, ref_protected or environment; others need sub, or two other claims."
      />
      <Field
        name="audience"
        label="Audience"
        value={of?.audience}
        maxLength={2048}
        hint={`What the job asks its token for. Empty: ${config.PUBLIC_URL}`}
      />
      <Field
        name="max_ttl_seconds"
        label="Access in seconds"
        type="number"
        value={String(of?.max_ttl_seconds ?? 900)}
        hint="From 60 to 3600."
        required
      />
    </>
  )
}

/** Claims as they are typed. @throws Problem 422 at `/claims` */
export function claimsIn(text: string): Record<string, string[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (value === '') throw invalidField('/claims', 'malformed', 'must have a name, a colon and a value on each line')
    return [name, value]
  })
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, some]) => [name, some.map(([, value]) => value)]),
  )
}

/** Claims as they are typed, from those of a trust. */
export const claimLines = (claims: Trust['claims']): string =>
  Object.entries(claims)
    .flatMap(([name, values]) => values.map((value) => `${name}: ${value}`))
    .join('\n')
