// Who edits a file now, for lists, panels and dialogs: one person exclusively, or several together.
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'

type Edited = Pick<ItemRecord, 'editorList' | 'editorNames' | 'itemStatus'>

const shownNames = 3

/** The names of those who edit the file, joined as the language does; empty if nobody is named. */
export function editorNames({ editorList }: Edited): string {
  const names = editorList.map(({ name }) => isolated(name))
  const shown = names.slice(0, shownNames).join(currentLocale() === 'zh' ? '、' : ', ')
  return names.length > shownNames ? t('drive.edits.more', { names: shown, n: names.length }) : shown
}

/** “陈晓、林夏 正在编辑”; empty if nobody edits the file. */
export function editorsText(item: Edited): string {
  if (item.editorList.length > 0)
    return t(item.editorList.length === 1 ? 'drive.edits' : 'drive.edits.several', { name: editorNames(item) })
  return hasStatus(itemStatus(item.itemStatus), 'editMulti') ? t('drive.edits.unnamed') : ''
}
