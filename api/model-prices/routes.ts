import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { listModelPrices, ModelPrice, ModelPricesInput, setModelPrices } from './model-prices.ts'

export const modelPrices = new Elysia({ name: 'model-prices', prefix: '/api/v1/organizations', tags: ['Budgets'] })
  .use(access)
  .get(
    '/:org_id/model-prices',
    ({ organization }) => listModelPrices(sql, organization.id),
    operation('organization', 'admin', {
      id: 'listModelPrices',
      summary: 'List the prices of models',
      responses: { 200: Type.Array(ModelPrice) },
    }),
  )
  .put(
    '/:org_id/model-prices',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => setModelPrices(tx, caller, organization, request, body)),
    operation('organization', 'admin', {
      id: 'setModelPrices',
      summary: 'Replace the prices of models',
      description:
        'The whole list, at most 200. They compute the cost of usage that is reported without one. Of the prices that have begun when a model is used, the one with its exact name counts, else the one with the longest prefix of its name (`gpt-5*`); of several, the latest. A price is no longer used when a later one begins: to change it, add one. Usage that is already recorded keeps its cost.',
      body: ModelPricesInput,
      responses: { 200: Type.Array(ModelPrice) },
    }),
  )
