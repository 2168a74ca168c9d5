// Which addresses are ours before the areas that show them have come ([R048]-[R060]).
import { matchPath } from 'react-router'

/** Documented addresses of modules that are not there yet; each says so ([R051]-[R058], [R394]). */
export const plannedFramePages = ['share/*', 'cooperate/*', 'security/*', 'recently/*', 'email']
export const plannedPages = ['/im/*', '/modal/*', '/messagebox/alert', '/empty']

/** Pages alone, and everything in the frame. */
const ours = [
  '/doc/folder/*',
  '/doc/admin/*',
  '/doc/personal-setting',
  '/doc/improve-information',
  '/doc/module-select-page',
  '/progress',
  '/notify/list',
  '/window/:name',
  '/watermark/:url/:options',
  ...plannedPages,
]

/** Whether an address needs a session; any other leads to the login page and is forgotten ([R059]). */
export function needsSession(pathname: string): boolean {
  return ours.some((path) => matchPath(path, pathname) !== null)
}
