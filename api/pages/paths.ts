/** Which requests get problems as pages. */

/** The paths of pages outside of `/app`, with their methods. */
const pagePaths = new Set<string>()

/** Adds the path of a page. */
export const addPagePath = (method: 'GET' | 'POST', path: string): void => void pagePaths.add(`${method} ${path}`)

/** Whether a problem of a request is shown as a page: below `/app`, and at the paths of other pages. */
export const isPagePath = (method: string, path: string): boolean =>
  path === '/app' || path.startsWith('/app/') || pagePaths.has(`${method === 'HEAD' ? 'GET' : method} ${path}`)
