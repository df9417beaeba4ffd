/**
 * For whom an acceptance criterion is written. A manual is for users, so
 *
 * - criteria about the work (tests, reviews, the changelog) are left out: they say nothing about the product;
 * - criteria in the words of developers (endpoints, tables, status codes, names in code) never become steps: they say what it does;
 * - all others may be steps, if they instruct, or say what a user does.
 */

const WORK =
  /^(?:all |the |existing |new )*(?:(?:unit|integration|regression|e2e|end-to-end|acceptance|automated) )*(?:tests?|test suites?|build|pipeline|lint(?:er|ing)?|type ?checks?|coverage|ci|docs|documentation|readme|changelog|code|change|migration) (?:(?:is|are|must|should|still|all|be|has|have|been|stays?|remains?) )*(?:pass(?:es|ed|ing)?|green|succeeds?|run|runs|covered|clean|written|updated|reviewed|merged|documented|described|above|at least)\b|^(?:add|write|update|extend|fix|run) (?:the |a |an |all |more |new |unit |integration |regression )*(?:tests?|specs?|docs|documentation|readme|changelog|migrations?)\b|\b(?:test|code) coverage\b|\b(?:code|pull request|peer) review(?:ed)?\b/iu

const TECHNICAL =
  /\b(?:endpoints?|api calls?|https? (?:status|requests?|responses?)|status codes?|json schema|sql|databases?|foreign keys?|migrations?|cach(?:e|es|ed|ing)|webhooks?|payloads?|idempot\w*|mutex|cron|latency|environment variables?|feature flags?|unit tests?|mocks?|stack ?traces?|exceptions?|returns? (?:an? )?[1-5]\d\d)\b/u

/** Names in code. */
const CODE = /\b[a-z]+_[a-z_]+\b|\b[a-z]{3,}(?:[A-Z][a-z]+)+\b|\w\(\)/u

/** A call of an API, in code or not. */
const CALL = /\b(?:GET|POST|PUT|PATCH|DELETE) \//

/** Whether a criterion is about how the work is done, not about the product. */
export const isAboutTheWork = (criterion: string): boolean => WORK.test(criterion.trim())

/** Whether a criterion uses words of developers. What is in quotes or code is what a user sees or enters. */
export function isTechnical(criterion: string): boolean {
  const words = criterion.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/gu, '')
  return CALL.test(criterion) || TECHNICAL.test(words.toLowerCase()) || CODE.test(words)
}
