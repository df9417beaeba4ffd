/** The question whether something may be sent again: operators ask it in the database, so it is written there as the API asks it. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { redeliveryRefusal } from '../../core/dispatches/approval.ts'
import type { Fragment } from '../../sql/index.ts'

const FILE = join(import.meta.dir, '../../sql/ops/80_refusals.sql')

/** A fragment as text, with its parameters as literals. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  const { strings, args } = value as { strings?: string[]; args?: unknown[] }
  if (!strings || !args) throw new Error(`No literal is known for ${JSON.stringify(value)}`)
  return strings.map((text, index) => `${index === 0 ? '' : textOf(args[index - 1])}${text}`).join('')
}

/** Its lines, indented alike. */
const linesOf = (fragment: Fragment): string =>
  textOf(fragment)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `          ${line}`)
    .join('\n')

const function_ = `-- Made from core/dispatches/approval.ts by \`bun run generate\`: the question of the API, for operators.
create or replace function ops.refusal_of(work_id uuid) returns text
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      tenant uuid := (select organization_id from dispatches where dispatches.id = work_id);
    begin
      return (
        select
${linesOf(redeliveryRefusal(true))}
        from dispatches as dispatch
        join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
        where dispatch.id = work_id
          and dispatch.organization_id = tenant
      );
    end
  $$;

comment on function ops.refusal_of(uuid) is 'Why a dispatch must not be sent again: approval_revoked, not_approved or not_promoted; null if it may be. ops.retry asks it.';
`

test('operators ask what the API asks before it sends something again (`bun run generate` writes it)', async () => {
  if (process.env.UPDATE_GOLDEN) await Bun.write(FILE, function_)
  expect(await Bun.file(FILE).text()).toBe(function_)
})
