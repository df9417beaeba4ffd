/** Every error that a caller can meet: its code, its status, and its title. The API docs list this catalogue. */

export const PROBLEMS = {
  malformed_json: [400, 'The body is not JSON'],
  malformed_encoding: [400, 'The body is not UTF-8'],
  incomplete_body: [400, 'The body did not arrive completely'],
  nested_too_deep: [400, 'The body is nested too deep'],
  malformed_query: [400, 'The query cannot be decoded'],
  malformed_header: [400, 'A header is malformed'],
  unauthenticated: [401, 'A valid access token is needed'],
  invalid_credentials: [401, 'The e-mail address or the password is wrong'],
  invalid_refresh_token: [401, 'The refresh token does not work'],
  forbidden: [403, 'The role is too low'],
  read_only_token: [403, 'The token may only read'],
  session_required: [403, 'This needs a session, not a token'],
  registration_closed: [403, 'Only those who are invited may register'],
  not_found: [404, 'Not found'],
  invitation_not_found: [404, 'The invitation does not work'],
  method_not_allowed: [405, 'The path does not support this method'],
  not_acceptable: [406, 'None of the accepted types can be had'],
  already_exists: [409, 'It exists already'],
  email_taken: [409, 'The e-mail address is taken'],
  invalid_transition: [409, 'The state does not allow this'],
  already_member: [409, 'They are a member already'],
  already_owner: [409, 'The owner is who they are to become'],
  owner_cannot_be_removed: [409, 'The owner cannot be removed'],
  owner_role_fixed: [409, 'The role of the owner cannot be changed'],
  owns_organizations: [409, 'The user owns an organization'],
  member_limit_reached: [409, 'The organization has all the members that its limit allows'],
  invitation_limit_reached: [409, 'The organization has sent all the invitations of a day'],
  workspace_limit_reached: [409, 'The organization has all the workspaces that its limit allows'],
  budget_exhausted: [409, 'The budget of this month is used up'],
  hook_limit_reached: [409, 'The project has all the hooks that it can have'],
  hook_disabled: [409, 'The hook is switched off'],
  hook_paused: [409, 'The hook is paused'],
  channel_limit_reached: [409, 'The workspace has all the notification channels that it can have'],
  subscription_limit_reached: [409, 'The channel has all the subscriptions that it can have'],
  generation_limit_reached: [409, 'The project has all the documents in the making that it can have'],
  deliverable_not_ready: [409, 'There is no document yet'],
  gate_limit_reached: [409, 'The execution has all the gates that it can have'],
  token_limit_reached: [409, 'The user has all the tokens that they can have'],
  idempotency_in_progress: [409, 'The first request under this key is still running'],
  precondition_failed: [412, 'It was changed meanwhile'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body is not of a type that is read here'],
  validation_failed: [422, 'A field is wrong'],
  secrets_must_be_resent: [422, 'Stored secrets do not go to another server'],
  not_a_member: [422, 'The user is no member of the organization'],
  idempotency_key_reused: [422, 'The key was used for another request'],
  invalid_token: [422, 'The link does not work'],
  rate_limited: [429, 'Too many requests'],
  internal: [500, 'Something broke on our side'],
  database_unavailable: [503, 'The database is away'],
  too_busy: [503, 'Too many passwords are being checked at once'],
  shutting_down: [503, 'This process is shutting down'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof PROBLEMS

/** One wrong field: where it stands (RFC 6901), a stable code, and what to change. */
export interface FieldError {
  pointer: string
  code: string
  detail: string
}

/** A problem as it goes over the wire (RFC 9457). */
export interface ProblemDocument {
  type: string
  title: string
  status: number
  detail: string
  instance?: string
  code: ProblemCode
  request_id: string
  /** For `validation_failed`: the fields. */
  errors?: FieldError[]
}

/** A refusal that its reader can act on. Thrown anywhere, answered in one place as RFC 9457 asks. */
export class Problem extends Error {
  readonly status: number

  /**
   * @param code of the catalogue
   * @param detail a sentence about this very case: what is wrong, and what to change
   * @param errors for `validation_failed`: the fields
   * @param headers that the answer carries
   */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly errors?: FieldError[],
    readonly headers: Record<string, string> = {},
  ) {
    super(detail)
    this.status = PROBLEMS[code][0]
  }
}

/** A 422 that names one field. */
export const invalidField = (pointer: string, code: string, detail: string): Problem =>
  new Problem('validation_failed', `${pointer}: ${detail}`, [{ pointer, code, detail }])

/** The one answer for what is absent and for what belongs to others: the two cannot be told apart. */
export const notFound = (what: string): Problem =>
  new Problem('not_found', `There is no such ${what}, or you have no access to it.`)

/** A noun with its indefinite article. Spelling decides, which is right for every noun of this service. */
const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'An' : 'A'} ${noun}`

/** A state machine's refusal, naming both states. */
export const invalidTransition = (what: string, from: string, to: string): Problem =>
  new Problem('invalid_transition', `${withArticle(what)} that is ${from} cannot become ${to}.`)
