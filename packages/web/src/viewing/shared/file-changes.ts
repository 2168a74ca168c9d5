/*
 * The notice of a changed file for whoever has it open in the previewer ([R314]). Push 7 brings it at once. It is not kept:
 * whoever follows the file has push 6 in the notification centre as well. It is switched off with the setting of
 * file-change notices.
 */
import { OperateType } from '@cloudoc/domain'
import { t } from '../../core/i18n/i18n.ts'
import { localFlag } from '../../core/session/local-state.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'

/** What the notice needs of a push of type 7. */
export interface FileChange {
  readonly serverId: number
  readonly fId: number
  readonly fType: 1 | 2
  readonly fName: string
  readonly operateType: number
  readonly operatorId: number
  readonly operatorName: string
}

/** The file in the previewer, and what shows its newest version. */
interface Shown {
  readonly serverId: number
  readonly fId: number
  readonly fName: string
  readonly showNewest: () => void
}

const shownFiles = new Set<Shown>()

/** Tells of changes to the file until the returned function is called. */
export function noticeChangesOf(shown: Shown): () => void {
  shownFiles.add(shown)
  return () => void shownFiles.delete(shown)
}

/** Handles a push of type 7. */
export function onFileChange({ serverId, fId, fType, fName, operateType, operatorId, operatorName }: FileChange): void {
  const shown = [...shownFiles].find((one) => fType === 1 && one.serverId === serverId && one.fId === fId)
  const isOwn = operatorId === sessionStore.getState().session?.account.accountId
  if (shown === undefined || isOwn || !localFlag('fileChangeNotice')) return
  const notice = { kind: 'info', key: `changed ${serverId} ${fId}` } as const
  const who = { who: operatorName, name: shown.fName }
  if (operateType === OperateType.edit)
    toast({
      ...notice,
      text: t('drive.preview.changed.edit', who),
      action: { text: t('drive.preview.changed.show'), run: shown.showNewest },
    })
  else if (operateType === OperateType.delete) toast({ ...notice, text: t('drive.preview.changed.gone', who) })
  else if (operateType === OperateType.rename)
    toast({ ...notice, text: t('drive.preview.changed.rename', { ...who, to: fName }) })
  else if (operateType === OperateType.move) toast({ ...notice, text: t('drive.preview.changed.move', who) })
}
