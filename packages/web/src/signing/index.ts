// The page of who signs without an account. It is shown without a session, before the areas are joined, so it brings the
// texts of the area itself.
import { joinArea } from '../core/area/area.ts'
import { textsLoaded } from '../core/i18n/i18n.ts'
import { zh } from './texts.zh.ts'

joinArea({ texts: { zh, en: () => import('./texts.en.ts').then(({ en }) => en) } })

/** Loads the page with its texts in the language of the reader. */
export async function loadSignFromEmail() {
  const [page] = await Promise.all([import('./external/sign-from-email.tsx'), textsLoaded()])
  return page
}
