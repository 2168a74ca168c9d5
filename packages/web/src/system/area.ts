// How the company's installation is kept: libraries and space, the overview, the reports, and the first set-up.
import type { PushReactions, StartedFor } from '../core/area/area.ts'
import { queryClient } from '../core/call/query.ts'
import { leadToSetup } from './setup/lead.ts'
import { zh } from './texts.zh.ts'

export const texts = { zh, en: () => import('./texts.en.ts').then(({ en }) => en) }
export { notices } from './notices.tsx'
export { adminPages, routes } from './pages.tsx'
export { companyWindows as windows } from './windows.ts'

const fetchAgain = (): void => void queryClient.invalidateQueries({ queryKey: ['company'] })

export const pushes = {
  settingsChanged: fetchAgain,
  downloadAudit: fetchAgain,
  linkReported: fetchAgain,
} satisfies PushReactions
export const refetch = fetchAgain

export function start({ navigate }: StartedFor): () => void {
  leadToSetup(navigate)
  return () => undefined
}
