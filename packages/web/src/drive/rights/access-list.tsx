// The users who may see an item, and why: everybody covered by an entry, and the managers of the library.

import type { ItemRecord } from '@cloudoc/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { CursorPager } from '../../kit/pager.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { SubjectAvatar } from '../../people/index.ts'
import { refOf } from './rights-draft.ts'
import { rightsLabel } from './rights-labels.ts'

const pageRows = 100

interface AccessListProps {
  readonly item: Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>
  readonly printRights: boolean
}

export function AccessList({ item, printRights }: AccessListProps): ReactNode {
  const t = useT()
  const found = useInfiniteQuery({
    queryKey: ['drive', 'rights', 'access', keyOf(item)],
    queryFn: ({ pageParam }) =>
      api.of(item).getAccessList({ ...refOf(item), from: pageParam, rows: pageRows }, { quiet: true }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * pageRows < total ? pages.length * pageRows : undefined),
    staleTime: 0,
  })
  const pages = found.data?.pages
  if (found.error !== null) return <p className="dr-rights-note">{found.error.message}</p>
  if (pages === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  const columns: readonly Column<(typeof pages)[number]['list'][number]>[] = [
    {
      id: 'who',
      head: t('rights.effect.who'),
      isHeadHidden: true,
      renderCell: ({ userId, accountName, groupName }) => (
        <TableName icon={<SubjectAvatar type="user" id={userId} name={accountName} />} note={groupName}>
          {accountName}
        </TableName>
      ),
    },
    {
      id: 'rights',
      head: t('rights.column.rights'),
      isHeadHidden: true,
      renderCell: ({ isManager, rights }) =>
        isManager ? t('rights.access.manager') : rightsLabel(rights, printRights, t),
    },
    {
      id: 'why',
      head: t('rights.why'),
      isHeadHidden: true,
      align: 'end',
      renderCell: ({ userId }) => (
        <Button kind="link" size="small" onClick={() => void openWindow('drive-why', { item, userId })}>
          {t('rights.why')}
        </Button>
      ),
    },
  ]
  return (
    <div className="dr-rights-main">
      <p className="dr-rights-lead">{t('rights.access.lead', { n: pages[0]?.total ?? 0 })}</p>
      <div className="dr-rights-entries">
        <Table columns={columns} rows={pages.flatMap(({ list }) => list)} keyOf={({ userId }) => userId} />
        <CursorPager
          hasNext={found.hasNextPage}
          busy={found.isFetchingNextPage}
          onNext={() => void found.fetchNextPage()}
          label={t('rights.access.more')}
        />
      </div>
    </div>
  )
}
