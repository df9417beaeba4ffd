/** The shapes of rollbacks and recoveries. */
import { InstantInput, Maybe, Name, Nullable, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { Dispatch } from './schema.ts'

export const RollbackInput = Shape({
  target_version: Name(120, { description: 'The version to return to.', examples: ['v1.4.2'] }),
  reason: Maybe(Nullable(Text(2000, { examples: ['Checkout fails for card payments.'] }))),
  environment: Maybe(
    Nullable(
      Name(64, {
        description: 'Passed to every hook, whatever its own environment is; the receiver decides what to do with it.',
        examples: ['production'],
      }),
    ),
  ),
})
export type RollbackInput = Static<typeof RollbackInput>

export const Rollback = Shape({ event_id: Uuid, dispatches: Type.Array(Dispatch) }, { title: 'Rollback' })
export type Rollback = Static<typeof Rollback>

export const RecoverInput = Shape({
  since: InstantInput,
  until: Maybe(Nullable(InstantInput)),
  dry_run: Maybe(Type.Boolean({ description: 'Only counts, without redelivering.', examples: [true] })),
})
export type RecoverInput = Static<typeof RecoverInput>

export const Recovered = Shape(
  { redelivered: Type.Integer({ description: 'How many dispatches were redelivered or, with `dry_run`, would be.' }) },
  { title: 'Recovered' },
)
export type Recovered = Static<typeof Recovered>
