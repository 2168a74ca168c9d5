// Sends items of the drive into conversations. A card gives no rights: it shows each reader what they may see (X73).
import type { ItemRecord } from '@cloudoc/contract'
import { api, mainServer } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { withTexts } from './page-texts.ts'
import { targetsOf } from './parts/targets.ts'
import { newUuid } from './state/uuid.ts'

/** Asks for receivers and sends each of them the cards. Every receiver has a result of its own. */
export async function sendCards(items: readonly ItemRecord[]): Promise<void> {
  const picked = await openWindow('im-share-pick', { broadcastType: 'share' })
  if (picked === undefined || picked.length === 0) return
  await withTexts(() => Promise.resolve())
  const failed = new Map<string, string>()
  for (const target of picked)
    try {
      const conversationId = await targetsOf(target)
      for (const { fType, fId } of items)
        await api.of(mainServer).imSend({ conversationId, uuid: newUuid(), type: 'share', fType, fId }, { quiet: true })
    } catch (error) {
      failed.set(target.name, error instanceof Error ? error.message : '')
    }
  const sent = picked.length - failed.size
  if (sent > 0) toast({ text: t('im.sentTo', { n: sent }), kind: 'success' })
  if (failed.size === 0) return
  const [reason] = failed.values()
  toast({
    text: `${t('im.notSentTo', { names: [...failed.keys()].join(t('im.and')) })} ${reason ?? ''}`,
    kind: 'error',
  })
}
