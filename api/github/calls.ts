/** Asks GitHub while a person waits. */
import { type GitHubAnswer, GitHubAway, limitedFor, messageOf } from '../../core/github/client.ts'
import { Problem } from '../problems.ts'

const unavailable = (why: string, seconds = 60): Problem =>
  new Problem('github_unavailable', `${why} Try again in a minute.`, undefined, { 'Retry-After': String(seconds) })

/** What GitHub answered, as the end of a sentence. */
export function answeredText(answer: GitHubAnswer): string {
  const said = messageOf(answer)
  return `${answer.status}${said === '' ? '' : `: ${said}`}`
}

/** @returns an answer that is about the request @throws Problem `github_unavailable` */
export async function askGitHub(answering: Promise<GitHubAnswer>): Promise<GitHubAnswer> {
  let answer: GitHubAnswer
  try {
    answer = await answering
  } catch (error) {
    if (!(error instanceof GitHubAway)) throw error
    throw unavailable(error.reason.detail)
  }
  const limited = limitedFor(answer)
  if (limited !== null || answer.status >= 500) throw unavailable(`GitHub answered ${answeredText(answer)}.`, limited ?? 60)
  return answer
}
