/** Every component in every state, for people who work on Signalbox, and for the pictures of the browser tests. */
import type { ComponentChildren } from 'preact'
import { config } from '../../core/platform/config.ts'
import { Maybe, OneOf, Shape } from '../../core/values/schema.ts'
import { notFound } from '../problems.ts'
import { BarChart, Figures, LineChart } from './components/charts.tsx'
import { Checkbox, Checkboxes } from './components/checkboxes.tsx'
import { Choice, Field, Form, RefusedForm, Select, Submit, SubmitTo, TextArea } from './components/forms.tsx'
import { Filters as Choices, WebLink } from './components/links.tsx'
import { Filters, Tabs } from './components/lists.tsx'
import { Bar, Duration, Milliseconds, Size, TimingBar, TimingLegend } from './components/measures.tsx'
import { Empty, Facts, Pager, Section, Table, Timeline } from './components/structure.tsx'
import { EventName, Money, MoneyOf, Notice, Prose, State, Time, TONES } from './components/text.tsx'
import { excerptOf, Verbatim } from './components/verbatim.tsx'
import { page, pageRoutes } from './page.tsx'

const PATH = '/app/-/components'
const AT = '2026-11-26T09:30:00.000Z'
const LONG = 'A name that is as long as names may be, and is written without much thought for the room that it takes '
  .repeat(2)
  .slice(0, 200)

/** Names that need care: of other directions, with emoji, and with markup. */
const NAMES = ['Checkout', LONG, 'متجر الويب', 'חנות רשת', '🚀 Launch 👩‍👩‍👧', '<b>Bold</b> & "quoted"']

const refused = (action: string, errors: Record<string, string>, message: string | null, isOutdated = false) => ({
  action,
  values: new URLSearchParams({ name: 'Entered', note: 'Entered\nin two lines', kind: 'other', way: 'slow' }),
  typed: [],
  errors,
  message,
  isOutdated,
  isShown: false,
})

function Fields({ id }: { id: string }) {
  return (
    <Form action={`${PATH}#${id}`} others={[`${PATH}#other`]}>
      <Field name="name" label="Name" required value="Stored" hint="One line, up to 120 characters." />
      <Field name="secret" label="Secret" type="password" />
      <Field name="fixed" label="Address" readOnly value="https://signalbox.example.com" />
      <TextArea name="note" label="Note" value="Stored" />
      <Select name="kind" label="Kind" value="one" options={Object.entries({ one: 'The first', other: 'The second' })} />
      <Choice name="way" label="Way" value="fast" options={Object.entries({ fast: 'Fast', slow: 'Slow' })} />
      <Checkbox name="on" label="Switched on" checked />
      <Checkboxes name="ways" label="Decide in" checked={['app']} options={Object.entries({ app: 'the app', slack: 'Slack' })} />
      <div class="buttons">
        <Submit>Save</Submit>
        <SubmitTo action={`${PATH}#other`}>Test</SubmitTo>
        <SubmitTo kind="danger" action={`${PATH}#other`} confirm="Delete it?">
          Delete
        </SubmitTo>
        <button type="button" disabled>
          Sending
        </button>
      </div>
    </Form>
  )
}

/** The states of a form. Their ids are the same, so the page shows one of them. */
const FORMS: Record<string, [title: string, refused: ReturnType<typeof refused> | null]> = {
  fresh: ['As opened', null],
  refused: [
    'Refused',
    refused(`${PATH}#refused`, { name: 'must not be empty', way: 'must be fast', ways: 'must name one' }, null),
  ],
  outdated: ['Changed meanwhile', refused(`${PATH}#outdated`, {}, 'This was changed while you were editing it.', true)],
}

const texts = (
  <>
    <Section title="States" count={Object.keys(TONES).length}>
      <p class="buttons">
        {Object.keys(TONES).map((word) => (
          <State of={word} />
        ))}
        <State of="no limit" />
      </p>
    </Section>
    <Section title="Notices">
      <Notice tone="good">Saved.</Notice>
      <Notice tone="warn">The environment is frozen until Monday.</Notice>
      <Notice tone="bad">The last rollout failed. {LONG}</Notice>
    </Section>
    <Section title="Texts" aside={<a href={PATH}>A link next to a heading</a>}>
      <Facts
        of={[
          ['Time', <Time at={AT} />],
          ['To the minute', <Time at={AT} exact />],
          ['To the second', <Time at={AT} exact="seconds" />],
          ['Money', <Money usd={1234.5} />],
          ['No money', <Money usd={null} />],
          ['Of a limit', <MoneyOf usd={12} limit={100} />],
          ['Event', <EventName of="gate.changes_requested" />],
          ['Duration', <Duration from={AT} to="2026-11-26T11:35:00.000Z" />],
          ['Milliseconds', <Milliseconds of={1840} />],
          ['Size', <Size of={'x'.repeat(3_000)} />],
          ['Elsewhere', <WebLink href="https://ci.example.com/runs/1">the run</WebLink>],
          ['Absent', null],
          ['Key', <kbd>Ctrl K</kbd>],
        ]}
      />
      <Prose>{`Lines of a user.\nThe second.`}</Prose>
      <Verbatim
        label="A body"
        excerpt={excerptOf('{"event": "gate.approved"}'.repeat(8), 150)}
        whole="GET /api/v1/dispatches/{id}"
      />
    </Section>
  </>
)

const lists = (url: URL) => (
  <>
    <Section title="Tables" count={NAMES.length}>
      <Choices
        label="By status"
        of={[
          { href: PATH, text: 'All', count: 1_234, isShown: true },
          { href: `${PATH}?status=open`, text: 'Open', count: 12, isShown: false },
        ]}
      />
      <Table
        label="Names"
        columns={[
          { head: 'Name', main: true, cell: (name: string) => <a href={PATH}>{<bdi>{name}</bdi>}</a> },
          { head: 'State', cell: () => <State of="running" /> },
          { head: 'When', cell: () => <Time at={AT} /> },
          { head: 'Spend', numeric: true, cell: (name: string) => <Money usd={name.length} /> },
        ]}
        rows={NAMES}
      />
      <Pager url={url} page={2} page_size={20} total={60} />
    </Section>
    <Section title="Nothing">
      <Empty>No gate waits for you. A gate appears here when an execution in one of your workspaces opens it.</Empty>
    </Section>
    <Section title="Tabs and filters">
      <Tabs
        label="Parts"
        path={PATH}
        tabs={[
          [PATH, 'Components'],
          [`${PATH}/more`, 'More'],
        ]}
      />
      <Filters
        url={url}
        fields={[
          { name: 'words', label: 'Words', type: 'search' },
          { name: 'since', label: 'Since', type: 'date' },
        ]}
      />
    </Section>
    <Section title="What happened">
      <Timeline
        of={[
          { at: AT, content: 'Started' },
          { at: '2026-11-26T09:30:20.000Z', content: <EventName of="gate.opened" /> },
        ]}
      />
    </Section>
  </>
)

const charts = (
  <>
    <Section title="Bars">
      <BarChart
        label="Deployments of six days"
        names={['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']}
        series={['Succeeded', 'Failed']}
        values={[
          [3, 0],
          [5, 1],
          [0, 0],
          [2, 2],
          [7, 1],
          [0, 1],
        ]}
        text={String}
        failures
      />
      <BarChart
        label="Five series, and a limit"
        names={['Jan', 'Feb', 'Mar']}
        series={['opus', 'sonnet', 'gpt', LONG, 'Others']}
        values={[
          [5, 4, 3, 2, 1],
          [1, 2, 3, 4, 5],
          [2, 0, 2, 0, 2],
        ]}
        text={(usd) => <Money usd={usd} />}
        limit={12}
      />
    </Section>
    <Section title="Lines">
      <LineChart
        label="Lead times of three environments"
        names={['1', '2', '3', '4', '5']}
        series={['production', 'staging', 'preview']}
        values={[
          [90, 40, 10],
          [70, null, 12],
          [80, 30, 8],
          [60, 35, null],
          [65, 20, 9],
        ]}
        text={(value) => `${value} min`}
      />
      <Figures>
        <Empty>Its table.</Empty>
      </Figures>
    </Section>
    <Section title="Bars of one value">
      <TimingBar dns_ms={20} first_byte_ms={180} duration_ms={260} longest={400} />
      <TimingBar dns_ms={null} first_byte_ms={null} duration_ms={400} longest={400} />
      <TimingLegend />
      <Bar part={0.7} tone="one" />
      <Bar part={0.3} tone="other" />
    </Section>
  </>
)

const Links = ({ of, name, shown }: { of: string[]; name: string; shown: string }) => (
  <nav class="choices" aria-label={name}>
    {of.map((each) => (
      <a href={`${PATH}?${new URLSearchParams({ [name]: each })}`} aria-current={each === shown ? 'true' : undefined}>
        {each}
      </a>
    ))}
  </nav>
)

const SCHEMES = ['light', 'dark'] as const
const STATES = ['fresh', 'refused', 'outdated'] as const

const componentsPage = page(
  PATH,
  { signedIn: true },
  ({ url, query: { scheme, form = 'fresh' } }) => {
    if (config.DEVELOPMENT !== 'on') throw notFound('page')
    const [title, state] = FORMS[form] ?? ['', null]
    const main: ComponentChildren = (
      <>
        <Links name="scheme" of={[...SCHEMES]} shown={scheme ?? ''} />
        <Links name="form" of={[...STATES]} shown={form} />
        {texts}
        {lists(url)}
        <Section title={`A form: ${title}`}>
          <div class="card">
            <RefusedForm.Provider value={state}>
              <Fields id={form} />
            </RefusedForm.Provider>
          </div>
        </Section>
        {charts}
      </>
    )
    return { title: 'Components', scheme, main }
  },
  Shape({ scheme: Maybe(OneOf(SCHEMES)), form: Maybe(OneOf(STATES)) }),
  'nothing',
)

export const componentsPages = pageRoutes('components-pages', componentsPage)
