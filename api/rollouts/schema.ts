import { Instant, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid, WebUrl } from '../../core/values/schema.ts'

const State = OneOf(['awaiting', 'in_progress', 'succeeded', 'failed', 'unknown'], {
  description:
    '`awaiting`: nothing was reported yet; `unknown`: nothing was reported in time. `succeeded` and `failed` are final.',
})

/** What became of a dispatch. */
export const Rollout = Shape(
  {
    state: State,
    version: Nullable(Type.String({ examples: ['v1.5.0'] })),
    url: Nullable(Type.String({ examples: ['https://ci.example.com/runs/4711'] })),
    description: Nullable(Type.String()),
    reported_by: Nullable(
      Type.Unsafe<string>({ ...Uuid, description: 'The user who reported last. Null for the report token of the dispatch.' }),
    ),
    reported_at: Nullable(Instant),
    deadline_at: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the rollout becomes `unknown`, unless an outcome was reported. Set when the dispatch is delivered, and moved by each `in_progress`.',
        examples: ['2026-11-21T10:00:00.000Z'],
      }),
    ),
  },
  {
    title: 'Rollout',
    description: 'What became of a dispatch, as its receiver reports it. Null if the hook had no `report_within_seconds`.',
  },
)

export const ReportInput = Shape({
  state: OneOf(['in_progress', 'succeeded', 'failed'], { examples: ['succeeded'] }),
  version: Maybe(
    Nullable(
      Name(120, {
        description:
          'What is deployed. If omitted, the value of the last report is kept; null clears it. The same applies to `url` and `description`.',
        examples: ['v1.5.0'],
      }),
    ),
  ),
  url: Maybe(
    Nullable(
      WebUrl(2048, {
        description: 'A page about the deployment, http or https.',
        examples: ['https://ci.example.com/runs/4711'],
      }),
    ),
  ),
  description: Maybe(Nullable(Text(2000, { examples: ['3 of 3 instances are healthy.'] }))),
})
export type ReportInput = Static<typeof ReportInput>

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
      description: 'When it was last reported; if never, when it became `unknown` or, before that, when it was dispatched.',
      examples: ['2026-11-21T09:30:00.000Z'],
    }),
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
    description: 'Maximum number of items. If there are more, the `Link` header has the next URL.',
  }),
  after: Maybe(Name(64, { description: 'The last environment of the previous part.', examples: ['production'] })),
})
export type EnvironmentQuery = Static<typeof EnvironmentQuery>
