// The addresses of the product, known before the areas that show them are loaded ([R048]-[R060]).
import { matchPath } from 'react-router'

/**
 * Documented addresses of modules that are not available yet. Each shows a page that says so ([R051]-[R058], [R394]).
 */
export const plannedFramePages = ['share/*', 'cooperate/*', 'security/*', 'recently/*', 'email']

/** A page without any content: a window that the desktop program keeps ready for its next content ([R058], [R364]). */
export const emptyPath = '/empty'

/** Addresses that the client serves: standalone pages, and all pages inside the shell. */
const ours = [
  '/doc/folder/*',
  '/doc/admin/*',
  '/doc/personal-setting',
  '/doc/improve-information',
  '/doc/module-select-page',
  '/progress',
  '/notify/list',
  '/window/:name',
  '/modal/:name',
  '/watermark/:url/:options',
  '/im/*',
  '/m/*',
  '/doc/im-download',
  '/messagebox/alert',
  emptyPath,
]

/** Whether an address needs a session. Any other address leads to the login page and is discarded ([R059]). */
export function needsSession(pathname: string): boolean {
  return ours.some((path) => matchPath(path, pathname) !== null)
}
