/** The pages generated from the catalogues of problems and events. */
import { ALL_EVENTS, hooksOf } from '../../core/events/catalogue.ts'
import { FOCUSABLE } from '../../core/markdown/markdown.tsx'
import { PROBLEMS } from '../problems.ts'
import { layout } from './layout.tsx'
import { Markdown } from './markdown.tsx'
import type { Webhooks } from './webhooks.ts'

/** Every problem with its status and title. */
export function problemsPage(): string {
  return layout(
    '/docs/problems',
    'Problems',
    <>
      <h1>Problems</h1>
      <p>
        Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes. <code>detail</code> explains what
        to change; <code>request_id</code> identifies the request in the logs.
      </p>
      <div class="wide" {...FOCUSABLE}>
        <table>
          <thead>
            <tr>
              <th>code</th>
              <th>status</th>
              <th>meaning</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(PROBLEMS).map(([code, [status, title, ...others]]) => (
              <tr id={code}>
                <td>
                  <code>{code}</code>
                </td>
                <td>{[status, ...others].join(', ')}</td>
                <td>{title}.</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>,
  )
}

const ABOUT = `An event is written in the transaction of the change that it describes. Deployment hooks receive the events marked **hooks**;
notification channels receive all events that they subscribe to, except \`manual.trigger\` (and \`test.ping\`, which goes to the channel
that is tested).

The payload is \`{ id, event, created_at, url, organization, workspace, project, data }\`; to hooks it also has \`hook\`, \`environment\` and
\`sequence\`. \`data\` contains the resources that the event is about, as the API returns them. \`url\` is
the page of what the event is about, for links; it is null if there is none. How to verify and answer a request: [receivers](/docs/receivers).`

/**
 * Every event with its time, receivers and an example payload.
 *
 * @param webhooks of the OpenAPI document
 */
export function eventsPage(webhooks: Webhooks): string {
  const events = Object.entries(ALL_EVENTS).map(([name, { when }]) => {
    const hooks = hooksOf(name)
    const example = webhooks[name]?.post.requestBody.content['application/json'].example
    return (
      <section id={name}>
        <h2>
          <code>{name}</code>
          {hooks && (
            <>
              {' '}
              <span class="mark">hooks</span>
            </>
          )}
        </h2>
        <p>{when}</p>
        {hooks && (
          <div class="hint">
            <Markdown text={hooks} />
          </div>
        )}
        <details>
          <summary>
            Payload<span class="skip"> of {name}</span>
          </summary>
          <pre>
            <code>{JSON.stringify(example, null, 2)}</code>
          </pre>
        </details>
      </section>
    )
  })
  return layout(
    '/docs/events',
    'Events',
    <>
      <h1>Events</h1>
      <Markdown text={ABOUT} />
      {events}
    </>,
  )
}
