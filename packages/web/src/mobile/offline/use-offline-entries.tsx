import type { ItemRecord } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useT } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { dismissToastOf, toast } from '../../core/toast/toast.ts'
import { evaluate, rules } from '../../items/actions/actions.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { ArrowDownload20Regular, DismissCircle20Regular } from '../../kit/icons.ts'
import { canBeMarked, dropOffline, keepOffline, largestMarked, type Marked, markedStore } from './marked-copies.ts'

/** Keeps a file on this device, and says how that went. */
export function useKeep(): (file: Marked) => Promise<void> {
  const t = useT()
  return async (file) => {
    const key = `keep offline ${file.fId}`
    toast({ key, text: t('mobile.keeping') })
    try {
      const refusal = await keepOffline(file)
      if (refusal === undefined) toast({ key, kind: 'success', text: t('mobile.kept', { name: file.fName }) })
      else toast({ key, kind: 'error', text: t(`mobile.keep.${refusal}`, { size: formatSize(largestMarked) }) })
    } catch (error) {
      dismissToastOf(key)
      notifyFailure(error)
    }
  }
}

/** The entries that make a file available offline or end it. The server decides whether it may be kept. */
export function useOfflineEntries(item: ItemRecord): readonly MenuEntry[] {
  const t = useT()
  const context = useActionContext()
  const keep = useKeep()
  const isKept = markedStore(({ files }) => files.some(({ fileId }) => fileId === item.fId))
  if (!canBeMarked(item)) return []
  if (isKept)
    return [
      {
        id: 'keepEnd',
        label: t('mobile.keepEnd'),
        icon: <DismissCircle20Regular />,
        run: () => void dropOffline(item.fId),
      },
    ]
  const { enabled } = evaluate(rules.download, [item], context)
  if (!enabled) return []
  return [
    {
      id: 'keep',
      label: t('mobile.keep'),
      icon: <ArrowDownload20Regular />,
      run: () => void keep(item),
    },
  ]
}
