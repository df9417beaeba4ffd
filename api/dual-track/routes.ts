import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listedPage, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { preferWait } from '../plugins/waiting.ts'
import {
  Comparison,
  ComparisonInput,
  ComparisonQuery,
  cancelComparison,
  createComparison,
  Decision,
  decideComparison,
  deleteComparison,
  endOfComparing,
  getComparison,
  listComparisons,
  startComparing,
} from './comparisons.ts'

export const dualTrack = new Elysia({ name: 'dual-track', prefix: '/api/v1', tags: ['Dual-track comparisons'] })
  .use(access)
  .get(
    '/projects/:project_id/dual-track',
    ({ request, project, query }) => listedPage(request, query, NEWEST_FIRST, (page) => listComparisons(sql, project, page)),
    operation('project', 'member', {
      scopes: ['work:read'],
      id: 'listComparisons',
      summary: 'List the comparisons of a project',
      description: 'Newest first.',
      query: ComparisonQuery,
      responses: { 200: Page(Comparison) },
    }),
  )
  .post(
    '/projects/:project_id/dual-track',
    ({ caller, project, change, body }) => change(201, (tx) => createComparison(tx, caller, project, body), '/api/v1/dual-track'),
    operation('project', 'member', {
      id: 'createComparison',
      summary: 'Create a comparison',
      description:
        'A track consists of all executions of the requirement `work_item_id` with the same `graph_id`. Creating a comparison does not run it. Both agents can be the same.',
      body: ComparisonInput,
      responses: { 201: Comparison },
    }),
  )
  .get(
    '/dual-track/:comparison_id',
    ({ comparison }) => getComparison(sql, comparison),
    operation('comparison', 'member', {
      scopes: ['work:read'],
      id: 'getComparison',
      summary: 'Get a comparison',
      responses: { 200: Comparison },
    }),
  )
  .delete(
    '/dual-track/:comparison_id',
    ({ request, caller, comparison, change }) => change(204, (tx) => deleteComparison(tx, caller, comparison, request)),
    operation('comparison', 'admin', {
      id: 'deleteComparison',
      summary: 'Delete a comparison',
      description: 'Possible in every state.',
      responses: { 204: null },
    }),
  )
  .post(
    '/dual-track/:comparison_id/compare',
    async ({ request, caller, comparison, change }) => {
      const pending = await change(202, (tx) => startComparing(tx, caller, comparison), '/api/v1/dual-track')
      return preferWait(request, pending, endOfComparing(comparison))
    },
    operation('comparison', 'member', {
      id: 'compareTracks',
      summary: 'Compare the two tracks',
      description: `\`created\`, \`compared\` or \`failed\` → \`comparing\`; the worker then sets \`compared\` or \`failed\`. An earlier \`result\` is removed. With \`Prefer: wait=20\` the response contains the outcome. Unfinished tracks can be compared; both are read in one snapshot.

**Figures of a track.** Cost and duration: the sum of its executions. Metrics: those of the execution that completed or failed last. Retries: those it reports, plus the number of executions − 1. Gates: those of all executions, except cancelled ones. A track is completed if its newest execution that was not cancelled is completed.

**Metrics judge.** Evidence first: a track that is completed wins over one that is not; then one with all gates approved; then one with all tests passing (gates and tests only if both tracks have some). \`confidence\` is then 1. Otherwise weights decide: \`tests_pass_rate\` .40, \`gate_approval_rate\` .25, \`cost\` .15, \`duration\` .10, \`retries\` .05, \`change_size\` .05. If higher is better, the figure is the score; if lower is better, the score is min(a, b) / x. A criterion that is missing on either side is dropped and the weights are rescaled; \`coverage\` is the remaining weight. A difference below 0.05 or a coverage below 0.5 is a tie.

**Model judge**, if the operator configured one: it sees the tracks in both orders, without the names of the agents; if the two answers disagree, the result is a tie. Its cost is charged to the budget. If it fails, or the budget is exhausted, the metrics judge decides and \`judge.fallback_reason\` contains the reason; the operator can configure the comparison to fail instead.

The recommendation never sets \`winner\`.`,
      body: Nothing,
      responses: { 200: Comparison, 202: Comparison },
      errors: ['invalid_transition'],
    }),
  )
  .post(
    '/dual-track/:comparison_id/decide',
    ({ caller, comparison, change, body }) => change(200, (tx) => decideComparison(tx, caller, comparison, body.winner)),
    operation('comparison', 'member', {
      id: 'decideComparison',
      summary: 'Decide a comparison',
      description:
        '`created`, `compared` or `failed` → `decided`. Also possible without running the comparison. Cannot be changed later.',
      body: Decision,
      responses: { 200: Comparison },
      errors: ['invalid_transition'],
    }),
  )
  .post(
    '/dual-track/:comparison_id/cancel',
    ({ caller, comparison, change }) => change(200, (tx) => cancelComparison(tx, caller, comparison)),
    operation('comparison', 'member', {
      id: 'cancelComparison',
      summary: 'Cancel a comparison',
      description:
        'Every state except `decided` and `cancelled` → `cancelled`. The outcome of a running comparison is discarded; the cost of the model remains charged.',
      body: Nothing,
      responses: { 200: Comparison },
      errors: ['invalid_transition'],
    }),
  )
