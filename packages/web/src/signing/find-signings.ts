// Signing processes for the search of everything (Ctrl+K).
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import type { Command } from '../core/menu/commands.ts'
import { openAddress } from '../core/page/open-address.ts'

/** What the person signs or has launched and whose title, file or launcher has these words; what waits for them first. */
export async function findSignings(keyword: string, most: number): Promise<Command[]> {
  const query = { keyword, rows: most }
  const [toSign, launched] = await Promise.all([
    api.getSignReviewList(query, { quiet: true }),
    api.getSignCreationList(query, { quiet: true }),
  ])
  const own = toSign.list.map((one) => ({ ...one, page: 'sign-review' }))
  const known = new Set(own.map(({ activityId }) => activityId))
  const others = launched.list
    .filter(({ activityId }) => !known.has(activityId))
    .map((one) => ({ ...one, page: 'sign-creation' }))
  return [...own, ...others].slice(0, most).map(({ activityId, activityTitle, launcherName, isTurn, page }) => ({
    id: `signing-${activityId}`,
    label: activityTitle,
    hint: isTurn ? t('sign.find.yourTurn') : launcherName,
    run: () => openAddress(`/doc/folder/cooperate/${page}?activityId=${activityId}`),
  }))
}
