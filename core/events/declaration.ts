/** How an event is declared: once, with everything that is derived from it. Each event decides every part by itself, so that none is forgotten. */
import type { NotificationType } from '../notifications/types.ts'
import type { NotifiedResource } from '../tenants/links.ts'
import type { Scope } from '../tenants/scopes.ts'
import type { Subjects } from './subjects.ts'

/** Names by user id; `actor` is who caused the event, and absent if that was Signalbox. */
export type People = Record<string, string>

/** What a pending gate asks about; read when a message is made. */
export interface Asked {
  acceptance_criteria: string[]
  cost_usd: number | null
  /** Of the execution before; null if there is none that reported any. */
  previous_metrics?: Record<string, number> | null
}

export type NotificationText = { title: string; body: string }

export interface ScopeNames {
  organization_name: string
  workspace_name: string | null
  project_name: string | null
}

/** The keys of `data`, and what each holds. */
export type Holds = Record<string, keyof Subjects>

/** The `data` of an event that holds these subjects; of an event that is not known, anything. */
export type DataOf<Held extends Holds> = string extends keyof Held
  ? Record<string, unknown>
  : { [Key in keyof Held]: Subjects[Held[Key]] }

/** Values for an example: any fields of the resources. */
type Sample<Data> = {
  [Key in keyof Data]?: Data[Key] extends object | null ? (Data[Key] extends string | null ? Data[Key] : object) : Data[Key]
}

export type Severity = 'info' | 'good' | 'warning' | 'bad'

/** What a message says about one event. All texts may contain user-supplied names; they are limited in length, and not escaped. */
export interface Description {
  /** For a subject line. */
  subject: string | null
  /** Its first letter becomes a capital. */
  sentence: string
  /** What speaks against what it asks for; messages say it first. */
  warning?: string | null
  /** `url`: where the value leads, written by users. */
  facts: [name: string, value: string | null, url?: string | null][]
  /** User-supplied text, such as a comment or an error. */
  quote?: string | null
  /** Messages with the same value belong to one conversation. */
  thread?: string | null
  /** Whether it asks for a decision, for which people need the acceptance criteria. */
  asks?: boolean
}

export interface MessageSpec<Data> {
  /** Fixed text, such as "Gate pending". */
  title: string
  severity: Severity
  /** What to do next; null if there is nothing to do. */
  next: string | null
  describe: (data: Data, people: People, asked: Asked | null) => Description
}

/** Makes messages that differ in what happened. @param describe gets that as the second argument */
export const messagesOf =
  <Data, What = string>(describe: (data: Data, what: What, people: People) => Description) =>
  (title: string, severity: Severity, what: What, next: string | null = null): MessageSpec<Data> => ({
    title,
    severity,
    next,
    describe: (data, people) => describe(data, what, people),
  })

export interface ToldEvent<Data> extends Scope, ScopeNames {
  data: Data
}

interface NotificationContent {
  type: NotificationType
  resource: [type: NotifiedResource, id: string]
  /** The fields of the event that the notification contains. */
  data: Record<string, unknown>
  /** @param people those in `mentions` */
  text: (user_id: string, people: People) => NotificationText
  /** Users whom the text names. */
  mentions?: (string | null)[]
  /** Users who have already done what the notification asks for. */
  except?: string[]
}

interface Recipients {
  /** Whether to notify the admins of the workspace; without a workspace, the owner and admins of the organization. */
  admins?: boolean
  /** Whether to notify the owner and admins of the organization, also about what happens in a workspace. */
  organizationAdmins?: boolean
  groups?: string[]
  owner?: boolean
  people?: (string | null)[]
  requirement_id?: string
  /** The dispatches of which to notify those who caused them; without any who has access, the admins. */
  dispatch_ids?: string[]
}

/** At least one of the fields. */
type OneOrMore<Fields> = { [Field in keyof Fields]-?: Fields & Required<Pick<Fields, Field>> }[keyof Fields]

/** An in-app notification about an event, and who gets it. Only users who have access at that moment get it. */
export type NotificationSpec = NotificationContent & OneOrMore<Recipients>

export interface Declaration<Held extends Holds, Hooks extends string | null = string | null> {
  /** When it is emitted, for the documentation. */
  when: string
  data: Held
  /** `data` holds only one of its keys. */
  eitherKey?: true
  /** The example in the documentation, merged into one that is made from the schemas. */
  sample: Sample<DataOf<Held>>
  /** What it concerns: the example has a project, a workspace or neither. */
  scope: 'organization' | 'workspace' | 'project'
  /** The path of the page that it leads to; null if there is none. Ids may be malformed. Default: the page of the workspace or organization. */
  page?: (data: DataOf<Held>, scope: Scope) => string | null
  /** Which deployment hooks receive it, besides those of a trigger, as a sentence. */
  hooks: Hooks
  message: MessageSpec<DataOf<Held>>
  /**
   * How it appears in the Slack thread of its execution: as a reply; as a reply that is also shown in the channel; or as that with
   * buttons that decide its gate.
   */
  slack: 'reply' | 'broadcast' | 'decision'
  /** Who is notified in the app; null if no one is. */
  notifies: ((event: ToldEvent<DataOf<Held>>) => NotificationSpec | null) | null
  /** Written only if a subscription matches it at that moment: each dispatch emits some of these. */
  onlyIfSubscribed?: true
}

/** Declares an event. The type of its data follows from `data`. */
export const declare = <const Held extends Holds, const Hooks extends string | null>(
  declaration: Declaration<Held, Hooks>,
): Declaration<Held, Hooks> => declaration
