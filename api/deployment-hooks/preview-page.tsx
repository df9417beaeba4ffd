/** The page that previews a hook: what it would send for the newest event of a kind, or for a sample. */

import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { DispatchQuery } from '../dispatches/schema.ts'
import { Filters } from '../pages/components/lists.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { excerptOf, headerLines, indented, Verbatim } from '../pages/components/verbatim.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { Problem } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { getHook } from './hooks.ts'
import { previewHook } from './preview.ts'
import type { Preview } from './template-schema.ts'

const BODY_BYTES = 40_960
const HEADER_BYTES = 8_192
const CONDITION_BYTES = 2_048

const EVENTS: [value: string, text: string][] = [
  ['', 'what triggers the hook'],
  ...(DispatchQuery.properties.event as unknown as { enum: string[] }).enum.map((event): [string, string] => [event, event]),
]

/** The preview; the problem, if the body would be too large. */
async function previewOrProblem(...given: Parameters<typeof previewHook>): Promise<Preview | Problem> {
  try {
    return await previewHook(...given)
  } catch (error) {
    if (error instanceof Problem && error.status === 422) return error
    throw error
  }
}

const json = (value: unknown) => <code>{excerptOf(JSON.stringify(value), CONDITION_BYTES).text}</code>

function Decision({ of: { matches, failed_condition } }: { of: Preview }) {
  if (matches || failed_condition === null) return <Notice tone="good">This event would make a dispatch.</Notice>
  const { pointer, condition, value } = failed_condition
  return (
    <>
      <Notice tone="warn">The filter leaves this event out, so there would be no dispatch.</Notice>
      <Facts
        of={[
          ['Condition on', <code>{pointer}</code>],
          ['Requires', json(condition)],
          ['The event has', json(value)],
        ]}
      />
    </>
  )
}

function Rendered({ of, whole }: { of: Preview; whole: string }) {
  const { method, url, headers, body } = of
  return (
    <>
      <Decision of={of} />
      <Section title="Body">
        <p class="hint">Indented for reading. Secrets are masked.</p>
        <Verbatim label="Body" excerpt={excerptOf(indented(body), BODY_BYTES)} whole={whole} />
      </Section>
      <Section title="Headers">
        {url !== null && (
          <p>
            <code>
              {method} {url}
            </code>
          </p>
        )}
        <Verbatim label="Headers" excerpt={excerptOf(headerLines(headers), HEADER_BYTES)} whole={whole} />
      </Section>
    </>
  )
}

const previewPage = page(
  '/app/deployment-hooks/:hook_id/preview',
  { hook: 'member' },
  async ({ hook, url, query: { event } }) => {
    const [{ id, name }, preview] = await Promise.all([getHook(sql, hook), previewOrProblem(sql, hook, { event })])
    return {
      title: 'Preview',
      crumbs: [tabCrumb(hook.project_id, 'deployment-hooks'), { href: `/app/deployment-hooks/${id}`, text: name }],
      main: (
        <>
          <p>
            What the hook would send for the newest event of this kind in the project, or for a sample if there was none. Nothing
            is sent or stored.
          </p>
          <Filters url={url} fields={[{ name: 'event', label: 'Event', options: EVENTS }]} button="Preview" />
          {preview instanceof Problem ? (
            <Notice tone="bad">The body of this event would be larger than 1 MiB, so it would not be sent.</Notice>
          ) : (
            <Rendered of={preview} whole={`POST /api/v1/deployment-hooks/${id}/preview`} />
          )}
        </>
      ),
    }
  },
  Shape({ event: DispatchQuery.properties.event }),
)

export const previewPages = pageRoutes('preview-pages', previewPage)
