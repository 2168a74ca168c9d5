// Sends files and cards of items to a conversation.
import { limits } from '@cloudoc/domain'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { sendMessage } from '../state/outbox.ts'
import { measured } from '../state/pictures.ts'

/** Pictures lose their metadata, except where they are sent as files. */
export async function sendFiles(conversationId: number, files: readonly File[], asFiles = false): Promise<void> {
  for (const content of files) {
    if (content.size > limits.largestTalkFile) {
      toast({ text: t('im.tooLarge'), kind: 'error', key: 'im-too-large' })
      continue
    }
    const isPicture = !asFiles && content.size <= limits.largestTalkPicture
    const size = isPicture ? await measured(content) : undefined
    sendMessage(conversationId, { type: size === undefined ? 'file' : 'img', value: '' }, { content, ...size })
  }
}

/** Sends cards of items that the person picks. */
export async function sendCards(conversationId: number): Promise<void> {
  const items = await openWindow('drive-item-pick', { title: t('im.card'), hint: '', what: 'both', multiple: true })
  for (const { fType, fId } of items ?? []) sendMessage(conversationId, { type: 'share', value: '', fType, fId })
}
