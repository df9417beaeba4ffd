import { ROLLOUT_STATES } from '../../core/rollouts.ts'
import { reportedDigestFields } from '../../core/values/digest.ts'
import { Maybe, Name, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

const State = OneOf(ROLLOUT_STATES)

/** A rollout in the history of an environment. */
export const EnvironmentRollout = Shape(
  {
    dispatch_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Null once the dispatch is deleted.' })),
    hook_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Null once the hook is deleted.' })),
    event: Type.String({ examples: ['gate.approved'] }),
    version: Nullable(Type.String({ examples: ['v1.5.0'] })),
    url: Nullable(Type.String({ examples: ['https://ci.example.com/runs/4711'] })),
    state: State,
    at: Type.String({
      format: 'date-time',
      description:
        'When it was last reported; if never, when it became `unknown` or `not_delivered` or, before that, when it was dispatched.',
      examples: ['2026-11-21T09:30:00.000Z'],
    }),
    ...reportedDigestFields,
  },
  { title: 'EnvironmentRollout' },
)
export type EnvironmentRollout = Static<typeof EnvironmentRollout>

const figure = (description: string, example: number) => Nullable(Type.Number({ description, examples: [example] }))

export const Environment = Shape(
  {
    environment: Type.String({ examples: ['production'] }),
    current: Nullable(EnvironmentRollout),
    previous: Nullable(EnvironmentRollout),
    latest: Nullable(EnvironmentRollout),
    frequency_30d: figure('Successful rollouts per day.', 1.4),
    change_failure_rate_30d: figure('The share of failed rollouts in those that succeeded or failed.', 0.125),
    lead_time_median_seconds_30d: figure('From the event to the success.', 312),
    restore_time_median_seconds_30d: figure('From the first failure after a success to the next success.', 1260),
  },
  { title: 'Environment' },
)
export type Environment = Static<typeof Environment>

/** An environment is identified by its name. */
export const EnvironmentQuery = Shape({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of items. If there are more, ask for those after the last one; the `Link` header has the URL.',
  }),
  after: Maybe(Name(64, { description: 'The last environment of the previous part.', examples: ['production'] })),
})
export type EnvironmentQuery = Static<typeof EnvironmentQuery>
