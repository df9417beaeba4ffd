/** Actions in words, as pages show them. */

/** More words than an action has. */
const MOST_WORDS = 10

/**
 * The actions that words mean, as a filter takes them: `Deployment hook created` means `deployment_hook.created`, and
 * `deployment hook` all of that noun. Anything but words is an action already.
 */
export function actionsOf(text: string): string | string[] {
  if (!/^[a-z]+( +[a-z]+)*$/i.test(text)) return text
  const words = text.toLowerCase().split(/ +/).slice(0, MOST_WORDS)
  const actions = words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('_')}.${words.slice(index + 1).join('_')}`)
  return [...actions, `${words.join('_')}.*`]
}
