/**
 * The user that a page was made for. In one browser another person may sign in while a tab still shows the page of the first: its forms must
 * not act as the second.
 */
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

/** The hidden field of forms that names the account. */
export const MADE_FOR = 'made_for'

/** Takes the account out of a form for which its page was made; null if the form does not say. */
export function takeMadeFor(form: URLSearchParams): string | null {
  const account = form.get(MADE_FOR)
  form.delete(MADE_FOR)
  return account
}

/** @throws Problem `other_account` if the page of a form was made for another account than that of the caller */
export function requireSameAccount(caller: Pick<SignedIn, 'id' | 'name' | 'email'> | null, made_for: string | null): void {
  if (!caller || made_for === null || made_for === caller.id) return
  throw new Problem(
    'other_account',
    `You are signed in as ${caller.name} (${caller.email}) now, and this page was made for another account. Nothing was changed.`,
  )
}
