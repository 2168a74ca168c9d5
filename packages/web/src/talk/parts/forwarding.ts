// Forwarding messages: the receivers are picked, and each one has a result of its own.
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { showMessage } from '../state/conversation.ts'
import { newUuid } from '../state/uuid.ts'
import { targetsOf } from './targets.ts'

/** Asks for receivers and forwards to each of them. Returns whether something was sent. */
export async function forwardMessages(from: number, numbers: readonly number[], merged = false): Promise<boolean> {
  const picked = await openWindow('im-share-pick', { broadcastType: 'forward' })
  if (picked === undefined || picked.length === 0) return false
  const failed: string[] = []
  let sent = 0
  for (const target of picked) {
    try {
      const conversationId = await targetsOf(target)
      const { list } = await api.imForward(
        { conversationId, from, numbers: [...numbers], merged, uuid: newUuid() },
        { quiet: true },
      )
      for (const message of list) showMessage(message)
      sent += 1
    } catch {
      failed.push(target.name)
    }
  }
  if (sent > 0) toast({ text: t('im.sentTo', { n: sent }), kind: 'success' })
  if (failed.length > 0) toast({ text: t('im.notSentTo', { names: failed.join(t('im.and')) }), kind: 'error' })
  return sent > 0
}
