// The next step after the server refused a download: an application filled in with its items, or why it was refused.
import { formatItemIdStr, mainServerId } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { explainRefusal, liftingOf, sceneOf } from '../../items/actions/refusals.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { Button } from '../../kit/button.tsx'
import type { DownloadSource } from '../engine/task.ts'
import { downloadItems } from '../tasks/menu.tsx'

/** The items of a download that still exist for the user. */
async function itemsOf({ serverId = mainServerId, fileIdArray, folderIdArray }: DownloadSource) {
  const refs = [
    ...fileIdArray.map((fId) => ({ serverId, fType: 1, fId }) as const),
    ...folderIdArray.map((fId) => ({ serverId, fType: 2, fId }) as const),
  ]
  const found = await Promise.allSettled(
    refs.map((ref) => api.of(ref).getFileItemInfo({ itemIdStr: formatItemIdStr(ref) }, { quiet: true })),
  )
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

const refusal = { action: downloadItems, reason: 'noPermission', selectOne: () => undefined } as const

export function RefusedDownload({ source }: { readonly source: DownloadSource }): ReactNode {
  const t = useT()
  const context = useActionContext()
  const { data: items = [] } = useQuery({
    queryKey: ['drive', 'refused', source.serverId, source.fileIdArray, source.folderIdArray],
    queryFn: () => itemsOf(source),
    staleTime: 0,
  })
  const [first] = items
  if (first === undefined) return null
  const lifting = liftingOf({ ...refusal, items, context })
  return (
    <Button
      size="small"
      onClick={() => {
        if (lifting === undefined) explainRefusal({ ...refusal, items, context })
        else void lifting.run({ ...sceneOf(first), items, withAll: (act) => void act(items) })
      }}
    >
      {lifting === undefined ? t('drive.next.why') : t(lifting.label)}
    </Button>
  )
}
