/** GitHub's refusals, with the words that it uses. */

/** An answer that refuses a request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly extra: { errors?: unknown[] | string; headers?: Record<string, string>; documentation?: string; body?: object } = {},
  ) {
    super(message)
  }

  /** The same refusal with further headers. */
  with(headers: Record<string, string>): Refusal {
    return new Refusal(this.status, this.message, { ...this.extra, headers: { ...headers, ...this.extra.headers } })
  }
}

export const notFound = () => new Refusal(404, 'Not Found')
export const requiresAuthentication = () => new Refusal(401, 'Requires authentication')
export const badCredentials = () => new Refusal(401, 'Bad credentials')
export const noWebToken = () => new Refusal(401, 'A JSON web token could not be decoded')
export const suspended = () => new Refusal(403, 'This installation has been suspended')

/** @param needs the permissions that the operation accepts, as `X-Accepted-GitHub-Permissions` lists them */
export const notAccessible = (needs?: string) =>
  new Refusal(403, 'Resource not accessible by integration', needs ? { headers: { 'X-Accepted-GitHub-Permissions': needs } } : {})

export const unprocessable = (message: string) => new Refusal(422, message)

export interface FieldError {
  resource: string
  field: string
  code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom'
  message?: string
  value?: unknown
}

export const validationFailed = (...errors: FieldError[]) => new Refusal(422, 'Validation Failed', { errors })

export const noCommit = (ref: string) => unprocessable(`No commit found for SHA: ${ref}`)

const invalidReview = (errors: string) => new Refusal(422, 'Validation Failed', { errors })

/**
 * GitHub documents no error of the review of a custom deployment protection rule. The first three are what apps report to get;
 * of the limits only the numbers are documented, so rely on no words of the last two.
 */
export const gateProblems = {
  reviewed: () => invalidReview('Deployment protection rule has already been reviewed'),
  none: () => invalidReview('No pending deployment requests to approve or reject'),
  /** Reviews of the same run and environment at the same time. */
  concurrent: () => invalidReview('There was a problem approving one of the gates'),
  tooManyReports: () => invalidReview('The maximum of 10 status reports has been reached for this deployment'),
  tooLong: () => invalidReview('Comment is too long (maximum is 1024 characters)'),
}

/** The body of a refusal. */
export function bodyOf(refusal: Refusal, documentation: string): object {
  const { message, status, extra } = refusal
  return {
    message,
    ...(extra.errors ? { errors: extra.errors } : {}),
    ...extra.body,
    documentation_url: extra.documentation ?? documentation,
    status: String(status),
  }
}
