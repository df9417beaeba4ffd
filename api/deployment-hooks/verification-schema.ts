/** The schemas of `verify`, which diagnoses rejected requests. */
import { OneOf, Shape, type Static, Text, Type } from '../../core/values/schema.ts'

export const Verification = Shape({
  headers: Type.Record(Type.String(), Text(16_384), {
    maxProperties: 200,
    description: 'All headers as received. Names are case-insensitive; the CGI form `HTTP_X_…` is accepted.',
    examples: [
      {
        'X-Signalbox-Delivery': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'X-Signalbox-Signature': 'sha256=9f2c…',
        'webhook-id': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'webhook-timestamp': '1795253400',
        'webhook-signature': 'v1,K5oZ…',
      },
    ],
  }),
  body: Text(1_048_576, {
    description: 'The raw body as received, before parsing.',
    examples: ['{"id":"019a2f6e-…","event":"gate.approved",…}'],
  }),
})
export type Verification = Static<typeof Verification>

export const CHECKS = {
  signature_form: 'The signature headers are present and well-formed.',
  key: "The signatures were made with this hook's secret or private key.",
  body: 'The body is identical to the one that was sent.',
  id_and_time: '`webhook-id` and `webhook-timestamp` are the signed values.',
  clock: 'The request was signed within the last 300 seconds.',
  old_secret: 'The secret or private key is the current one, or the previous one during a rotation.',
} as const

export const Verdict = Shape(
  {
    valid: Type.Boolean({ description: 'Whether all checks in the list passed.' }),
    checks: Type.Array(
      Shape({
        name: OneOf(Object.keys(CHECKS) as (keyof typeof CHECKS)[]),
        ok: Type.Boolean(),
        detail: Type.String({ description: 'What was found and, if the check failed, what to look for.' }),
      }),
      { description: 'In this order. Checks that cannot be decided because an earlier one failed are left out.' },
    ),
  },
  { title: 'Verdict' },
)
export type Verdict = Static<typeof Verdict>
