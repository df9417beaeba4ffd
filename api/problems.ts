/** The catalogue of errors: code, status and title, and other statuses that the code can have. The API docs list it. */
import { Maybe, OneOf, Shape, type Static, Type } from '../core/values/schema.ts'

export const PROBLEMS = {
  malformed_json: [400, 'The body is not valid JSON'],
  malformed_encoding: [400, 'The body is not valid UTF-8'],
  incomplete_body: [400, 'The body is incomplete'],
  nested_too_deep: [400, 'The body is nested too deeply'],
  too_many_values: [400, 'The body has too many values'],
  malformed_query: [400, 'The query string is malformed'],
  malformed_header: [400, 'A header is malformed'],
  malformed_export: [400, 'The body is not an OTLP export'],
  invalid_interaction: [400, 'The body is not an interaction'],
  slack_not_added: [400, 'Slack was not added'],
  slack_not_linked: [400, 'The Slack account was not linked'],
  sso_refused: [400, 'The sign-in was refused'],
  github_not_connected: [400, 'GitHub was not connected'],
  unauthenticated: [401, 'A valid access token is required'],
  invalid_credentials: [401, 'Wrong e-mail address or password'],
  invalid_refresh_token: [401, 'The refresh token is invalid'],
  invalid_second_factor: [401, 'The second factor is wrong'],
  invalid_ticket: [401, 'The sign-in has expired'],
  invalid_signature: [401, 'The signature is invalid'],
  forbidden: [403, 'Insufficient role'],
  read_only_token: [403, 'The token is read-only'],
  insufficient_scope: [403, 'A scope is missing'],
  session_required: [403, 'A session is required'],
  person_required: [403, 'A person has to do this'],
  second_factor_required: [403, 'A second factor is required', 401, 409],
  recent_sign_in_required: [403, 'A recent sign-in is required'],
  passkey_invalid: [403, 'The passkey was refused', 401],
  sso_required: [403, 'Single sign-on is required', 409],
  sso_not_allowed: [403, 'You are not allowed to sign in'],
  sso_groups_overage: [403, 'Too many groups'],
  sso_email_unverified: [403, 'Your address is not verified'],
  registration_closed: [403, 'Registration is by invitation only'],
  address_not_verified: [403, 'Your e-mail address is not verified'],
  self_approval: [403, 'Self-approval is not allowed'],
  github_identity_required: [403, 'A linked GitHub account is required'],
  passkey_required: [403, 'A passkey is required'],
  decision_not_allowed_here: [403, 'The gate cannot be decided this way'],
  not_found: [404, 'Not found'],
  invitation_not_found: [404, 'Invitation not found'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'No acceptable media type'],
  other_account: [409, 'You are signed in as another account'],
  edited_meanwhile: [409, 'The form is older than what it changes'],
  already_exists: [409, 'Already exists'],
  email_taken: [409, 'The e-mail address is in use'],
  invalid_transition: [409, 'Not possible in the current state'],
  already_approved: [409, 'You have already approved this gate'],
  identity_mismatch: [409, 'The Slack account is not proven to be yours'],
  sso_identity_conflict: [409, 'Another account is linked'],
  identity_taken: [409, 'The account is linked to another user'],
  sso_not_tested: [409, 'Not tested yet'],
  managed_by_sso: [409, 'The provider manages this'],
  domain_not_proven: [409, 'The domain is not proven'],
  domain_taken: [409, 'The domain is of another organization'],
  domain_limit_reached: [409, 'Domain limit reached'],
  name_taken: [409, 'The name is in use'],
  group_in_use: [409, 'The group is in use'],
  already_member: [409, 'Already a member'],
  already_owner: [409, 'This user is already the owner'],
  owner_cannot_be_removed: [409, 'The owner cannot be removed'],
  owner_role_fixed: [409, 'The role of the owner is fixed'],
  owns_organizations: [409, 'The user owns an organization'],
  member_limit_reached: [409, 'Member limit reached'],
  group_limit_reached: [409, 'Group limit reached'],
  group_member_limit_reached: [409, 'The group is full'],
  workspace_limit_reached: [409, 'Workspace limit reached'],
  budget_exhausted: [409, 'The monthly budget is exhausted'],
  hook_limit_reached: [409, 'Hook limit reached'],
  hook_disabled: [409, 'The hook is disabled'],
  hook_paused: [409, 'The hook is paused'],
  environment_frozen: [409, 'The environment is frozen'],
  approval_required: [409, 'An approval is required'],
  not_a_pull_hook: [409, 'Not a pull hook'],
  lease_lost: [409, 'The lease was lost'],
  channel_limit_reached: [409, 'Notification channel limit reached'],
  installation_limit_reached: [409, 'Installation limit reached'],
  installation_taken: [409, 'The installation is connected to another organization'],
  repository_linked: [409, 'The repository is linked to another project'],
  github_app_in_use: [409, 'The GitHub App is in use'],
  subscription_limit_reached: [409, 'Subscription limit reached'],
  generation_limit_reached: [409, 'Too many documents are being generated'],
  deliverable_not_ready: [409, 'The document is not ready'],
  gate_limit_reached: [409, 'Gate limit reached'],
  gate_open: [409, 'A gate for this subject is pending'],
  subject_changed: [409, 'The gate is about another subject'],
  password_recently_reset: [409, 'The password was reset recently'],
  token_limit_reached: [409, 'Token limit reached'],
  trust_limit_reached: [409, 'Trust limit reached'],
  service_account_limit_reached: [409, 'Service account limit reached'],
  key_limit_reached: [409, 'Key limit reached'],
  passkey_limit_reached: [409, 'Passkey limit reached'],
  idempotency_in_progress: [409, 'A request with this key is still running'],
  link_expired: [410, 'The link is used or has expired'],
  precondition_failed: [412, 'The resource was changed'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  validation_failed: [422, 'Validation failed'],
  secrets_must_be_resent: [422, 'Secrets must be sent again'],
  not_a_member: [422, 'The user is not a member of the organization'],
  idempotency_key_reused: [422, 'The idempotency key was used for another request'],
  invalid_token: [422, 'The link is invalid'],
  github_refused: [422, 'GitHub refused it'],
  repository_not_accessible: [422, 'No installation reaches the repository'],
  rate_limited: [429, 'Too many requests'],
  invitation_limit_reached: [429, 'Daily invitation limit reached'],
  internal: [500, 'Internal error'],
  database_unavailable: [503, 'The database is not available'],
  secret_unreadable: [503, 'A stored secret cannot be decrypted'],
  too_busy: [503, 'Too busy'],
  sso_unavailable: [503, 'The provider does not answer'],
  github_unavailable: [503, 'GitHub does not answer'],
  shutting_down: [503, 'Shutting down'],
} as const satisfies Record<string, readonly [status: number, title: string, ...others: number[]]>

export type ProblemCode = keyof typeof PROBLEMS

/** A code with a status that is not its usual one. */
export type OtherStatus = {
  [Code in ProblemCode]: (typeof PROBLEMS)[Code] extends readonly [number, string, ...infer Others extends number[]]
    ? readonly [code: Code, status: Others[number]]
    : never
}[ProblemCode]

/** One invalid field: its JSON pointer (RFC 6901), a stable code, and what to change. */
const FieldError = Shape({ pointer: Type.String(), code: Type.String(), detail: Type.String() })
export type FieldError = Static<typeof FieldError>

/** The JSON of a problem. */
export const ProblemDocument = Shape(
  'Problem',
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Maybe(Type.String()),
    code: OneOf(Object.keys(PROBLEMS) as ProblemCode[]),
    request_id: Type.String(),
    errors: Maybe(
      Type.Array(FieldError, {
        description: 'For 422, and for a 409 that one field causes: the fields, with JSON pointers.',
      }),
    ),
    methods: Maybe(
      Type.Array(Type.String(), {
        description: 'For `second_factor_required` at sign-in: the second factors of the account.',
      }),
    ),
    sign_in_url: Maybe(Type.String({ description: 'For `sso_required` in an organization: the page on which to sign in.' })),
    ticket: Maybe(Type.String({ description: 'For `second_factor_required` at sign-in: identifies the sign-in for 5 minutes.' })),
  },
  { description: 'RFC 9457. `code` is stable; `detail` explains what to change.' },
)
export type ProblemDocument = Static<typeof ProblemDocument>

/** The `Retry-After` of a 503 that names no other: all of them pass by themselves. */
const RETRY_SECONDS = '2'

export const statusOf = (code: ProblemCode | OtherStatus): number => (typeof code === 'string' ? PROBLEMS[code][0] : code[1])

/** An error that is shown to the caller. Thrown anywhere; `plugins/problems.ts` makes the response. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly headers: Record<string, string>

  /**
   * @param code also with another of its statuses
   * @param detail what is wrong in this case, and what to change
   * @param errors for `validation_failed`, and where one field causes a conflict: the fields
   * @param headers for the response; a 503 always has a `Retry-After`
   * @param more further members of the response
   */
  constructor(
    code: ProblemCode | OtherStatus,
    readonly detail: string,
    readonly errors?: FieldError[],
    headers: Record<string, string> = {},
    readonly more: Pick<ProblemDocument, 'methods' | 'ticket' | 'sign_in_url'> = {},
  ) {
    super(detail)
    this.code = typeof code === 'string' ? code : code[0]
    this.status = statusOf(code)
    this.headers = this.status === 503 ? { 'Retry-After': RETRY_SECONDS, ...headers } : headers
  }
}

export const invalidField = (pointer: string, code: string, detail: string): Problem => invalidFields([{ pointer, code, detail }])

/** A problem of the state that one field causes. Forms show it there. */
export const conflictAt = (
  pointer: string,
  code: 'email_taken' | 'already_member' | 'name_taken',
  detail: string,
  ofField: string,
): Problem => new Problem(code, detail, [{ pointer, code, detail: ofField }])

/** A group cannot be deleted. @param why what names it, and what to do first */
export const groupInUse = (
  why = 'The policy of an environment requires approvals of this group. Change the policy first.',
): Problem => new Problem('group_in_use', why)

/** The same problem for absent resources and those of other tenants, so that callers cannot tell them apart. */
export const notFound = (what: string): Problem =>
  new Problem('not_found', `This ${what.replaceAll('_', ' ')} does not exist, or you have no access to it.`)

const MAX_POINTER = 500

/** Without the end of a very long pointer: the names of unknown fields can take most of a body. */
const shortened = (error: FieldError): FieldError =>
  error.pointer.length > MAX_POINTER ? { ...error, pointer: `${error.pointer.slice(0, MAX_POINTER)}…` } : error

export function invalidFields(given: FieldError[]): Problem {
  const errors = given.map(shortened)
  const detail = errors.map((error) => `${error.pointer || 'The body'} ${error.detail}`).join('; ')
  return new Problem('validation_failed', detail, errors)
}

/** Rethrows an error of other work, such as the request that a form stands for. @param fieldOf an invalid field as it is known here */
export function atOtherFields(error: unknown, fieldOf: (error: FieldError) => FieldError): never {
  if (!(error instanceof Problem && error.code === 'validation_failed' && error.errors)) throw error
  throw invalidFields(error.errors.map(fieldOf))
}

export const insufficientRole = (required: string, role: string, where: 'organization' | 'workspace'): Problem =>
  new Problem('forbidden', `This requires the role ${required} in the ${where}; your role is ${role}.`)

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const secondFactorMissing = (): Problem =>
  new Problem(
    'second_factor_required',
    'This organization requires a second factor. Set up an authenticator app or a passkey in your account, then try again.',
  )

/** Where people sign in with the provider of the instance alone. */
export const onlySignOn = (): Problem =>
  new Problem('sso_required', 'People sign in here with single sign-on: open /sign-in. Passwords are switched off.')

export const invalidTransition = (what: string, from: string, to: string): Problem =>
  new Problem('invalid_transition', `The ${what} is ${from} and cannot become ${to}.`)
