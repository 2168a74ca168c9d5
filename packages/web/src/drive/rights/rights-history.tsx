// The history of permission changes of an item: who, when and what. A change can be undone.

import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { refOf } from './rights-draft.ts'
import { rightsLabel } from './rights-labels.ts'

type Change = Answer<typeof calls.getShareHistory>['list'][number]

interface RightsHistoryProps {
  readonly item: Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>
  /** There are unsaved changes, which an undo would discard. */
  readonly dirty: boolean
  readonly onUndone: () => void
}

export function RightsHistory({ item, dirty, onUndone }: RightsHistoryProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const printRights = useSession().setting.print_rights
  const [now] = useState(Date.now)
  const { data, error } = useQuery({
    queryKey: ['drive', 'rights', 'history', keyOf(item)],
    queryFn: () => api.of(item).getShareHistory({ ...refOf(item), rows: 100 }, { quiet: true }),
    staleTime: 0,
  })
  const undo = async (changeId: number): Promise<void> => {
    try {
      await api
        .of(item)
        .undoShareChange({ ...refOf(item), changeId }, { texts: { alreadyExists: t('rights.history.changedSince') } })
      toast({ kind: 'success', text: t('rights.history.undone') })
      onUndone()
    } catch (failure) {
      notifyFailure(failure)
    }
  }
  if (error !== null) return <p className="dr-rights-note">{error.message}</p>
  if (data === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  if (data.list.length === 0) return <p className="dr-rights-note">{t('rights.history.none')}</p>
  const columns: readonly Column<Change>[] = [
    {
      id: 'time',
      head: t('rights.history.time'),
      renderCell: ({ createTime }) => shortTime(createTime, now, locale),
    },
    { id: 'who', head: t('rights.history.who'), renderCell: ({ operatorName }) => operatorName },
    {
      id: 'what',
      head: t('rights.history.what'),
      text: 'wrap',
      renderCell: (change) => (
        <>
          <b>{t(`rights.history.${change.what}`)}</b> {differences(change, printRights, t).join('；')}
        </>
      ),
    },
    {
      id: 'undo',
      head: t('rights.history.undo'),
      isHeadHidden: true,
      renderCell: ({ what, changeId }) =>
        what !== 'approve' &&
        what !== 'revoke' && (
          <Button kind="link" size="small" disabled={dirty} onClick={() => void undo(changeId)}>
            {t('rights.history.undo')}
          </Button>
        ),
    },
  ]
  return (
    <div className="dr-rights-main">
      <div className="dr-rights-entries">
        <Table columns={columns} rows={data.list} keyOf={({ changeId }) => changeId} />
      </div>
      <p className="dr-rights-hint">{t('rights.history.hint')}</p>
    </div>
  )
}

/** Returns the differences of a change as text. */
function differences({ before, after }: Change, printRights: boolean, t: Translate): string[] {
  const keyOf = (entry: Change['before']['entries'][number]): string =>
    `${entry.subjectType}:${entry.subjectId}:${entry.kind}`
  const had = new Map(before.entries.map((entry) => [keyOf(entry), entry]))
  const told: string[] = []
  if (before.inherit !== after.inherit)
    told.push(t(after.inherit ? 'rights.history.inherits' : 'rights.history.closed'))
  if (before.restricted !== after.restricted)
    told.push(t(after.restricted ? 'rights.history.restricted' : 'rights.history.open'))
  for (const entry of after.entries) {
    const one = had.get(keyOf(entry))
    had.delete(keyOf(entry))
    if (one?.rights === entry.rights && one.expireTime === entry.expireTime) continue
    const to = rightsLabel(entry.rights, printRights, t)
    told.push(
      one === undefined
        ? t('rights.history.added', { name: entry.subjectName, to })
        : t('rights.history.changed', { name: entry.subjectName, from: rightsLabel(one.rights, printRights, t), to }),
    )
  }
  for (const { subjectName } of had.values()) told.push(t('rights.history.removed', { name: subjectName }))
  return told
}
