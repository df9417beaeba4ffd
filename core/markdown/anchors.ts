/** Anchors of headings in documents, as GitHub makes them, so that a link such as `#orders` works there and on our pages. */

/** The function gets the headings of a document in their order, as plain text. Of equal ones, the later get a number. */
export function anchors(): (heading: string) => string {
  // Browsers may take `#top` for the top of the page.
  const taken = new Map([['top', 0]])
  return (heading) => {
    const letters = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const name = letters || 'section'
    let anchor = name
    for (let number = taken.get(name) ?? 0; taken.has(anchor); ) {
      number += 1
      taken.set(name, number)
      anchor = `${name}-${number}`
    }
    taken.set(anchor, 0)
    return anchor
  }
}
