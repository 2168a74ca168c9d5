// The groups of the company.
import type { Answer, calls } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { ExportForm } from './export-form.tsx'

type Group = Answer<(typeof calls)['getTalkGroups']>['list'][number]
const key = ['talk-admin', 'groups']
const pageRows = 50

export function GroupsTab(): ReactNode {
  const t = useT()
  const { powers } = useSession().permission
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState<Group>()
  const keyword = useDeferredValue(typed.trim())
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...key, keyword],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => api.getTalkGroups({ keyword, from: pageParam, rows: pageRows }),
    getNextPageParam: (page, pages) => (page.more ? pages.length * pageRows : undefined),
  })
  const end = async ({ conversationId, name }: Group): Promise<void> => {
    const text = t('talkAdmin.groups.endAsk', { name })
    if (!(await confirmBox({ text, ok: t('talkAdmin.groups.end'), danger: true }))) return
    await api.endTalkGroup({ conversationId })
    toast({ kind: 'success', text: t('talkAdmin.groups.ended') })
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const columns: readonly Column<Group>[] = [
    { id: 'name', head: t('talkAdmin.groups.name'), renderCell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'owner',
      head: t('talkAdmin.groups.owner'),
      renderCell: ({ owner, libraryId, dissolved }) =>
        [owner, libraryId > 0 && t('talkAdmin.groups.library'), dissolved && t('talkAdmin.groups.dissolved')]
          .filter(Boolean)
          .join(' · '),
    },
    { id: 'members', head: t('talkAdmin.groups.members'), align: 'number', renderCell: ({ members }) => members },
    { id: 'messages', head: t('talkAdmin.groups.messages'), align: 'number', renderCell: ({ messages }) => messages },
    { id: 'time', head: t('talkAdmin.groups.time'), renderCell: ({ time }) => minuteTime(time) },
    {
      id: 'ways',
      head: t('talkAdmin.groups.more'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (group) => (
        <span className="ta-row">
          {(powers.includes('security') || powers.includes('audit')) && (
            <Button size="small" onClick={() => setAsking(group)}>
              {t('talkAdmin.groups.export')}
            </Button>
          )}
          {powers.includes('security') && !group.dissolved && (
            <Button size="small" onClick={() => void end(group).catch(notifyFailure)}>
              {t('talkAdmin.groups.end')}
            </Button>
          )}
        </span>
      ),
    },
  ]
  if (error !== null)
    return (
      <StatePage title={t('talkAdmin.failed')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('talkAdmin.retry')}</Button>
      </StatePage>
    )
  const rows = data?.pages.flatMap(({ list }) => list)
  return (
    <div className="ta-tab">
      <div className="ta-form">
        <SearchField label={t('talkAdmin.groups.search')} value={typed} onChange={setTyped} />
      </div>
      {asking !== undefined && (
        <ExportForm
          key={asking.conversationId}
          group={{ id: asking.conversationId, name: asking.name }}
          onEnd={() => setAsking(undefined)}
        />
      )}
      {rows?.length === 0 ? (
        <StatePage title={t('talkAdmin.groups.none')} />
      ) : (
        <Table
          label={t('talkAdmin.tab.groups')}
          columns={columns}
          rows={rows}
          keyOf={({ conversationId }) => conversationId}
        />
      )}
      {hasNextPage && (
        <div className="ta-form">
          <Button onClick={() => void fetchNextPage()}>{t('talkAdmin.groups.more')}</Button>
        </div>
      )}
    </div>
  )
}
