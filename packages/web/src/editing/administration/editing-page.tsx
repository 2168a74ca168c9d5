// The files being edited now, and by whom. A system administrator can end the editing ([R181], [R182]).
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError, mainServer } from '../../core/call/api.ts'

import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { CursorPager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'

type EditedFile = Answer<typeof calls.getEditedFiles>['list'][number]

const atOnce = 100
const lookEveryMs = 10_000

export function EditingPage(): ReactNode {
  const t = useT()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['company', 'editing'],
    queryFn: ({ pageParam }) => api.getEditedFiles({ from: pageParam, rows: atOnce }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * atOnce < total ? pages.length * atOnce : undefined),
    refetchInterval: lookEveryMs,
  })
  const list = data?.pages.flatMap((page) => page.list) ?? []
  const end = async (fileId: number, name: string, editors: readonly string[]): Promise<void> => {
    const { button } = await messageBox({
      text: t('company.editing.ask', { name, who: isolated(editors.join('、')) }),
      icon: 'question',
      buttons: [
        { id: 'cancel', text: t('box.cancel') },
        { id: 'end', text: t('company.editing.end'), kind: 'danger' },
      ],
    })
    if (button !== 'end') return
    try {
      await api.of(mainServer).endEditing({ fileId }, { quiet: true })
      toast({ kind: 'success', text: t('company.editing.ended', { name }) })
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') })
    }
    void refetch()
  }
  const columns: readonly Column<EditedFile>[] = [
    { id: 'file', head: t('company.editing.file'), renderCell: ({ fName }) => <TableName>{fName}</TableName> },
    { id: 'library', head: t('company.editing.library'), renderCell: ({ libraryName }) => libraryName },
    { id: 'way', head: t('company.editing.way'), renderCell: ({ way }) => t(`company.editing.way.${way}`) },
    { id: 'who', head: t('company.editing.who'), text: 'wrap', renderCell: ({ editors }) => editors.join('、') },
    { id: 'since', head: t('company.editing.since'), renderCell: ({ since }) => fullTime(since) },
    {
      id: 'end',
      head: t('company.editing.more'),
      renderCell: ({ fileId, fName, editors }) => (
        <Button
          size="small"
          aria-label={t('company.editing.endOf', { name: fName })}
          onClick={() => void end(fileId, fName, editors)}
        >
          {t('company.editing.end')}
        </Button>
      ),
    },
  ]
  return (
    <ListPage
      title={t('company.editing')}
      note={data && t('company.rows', { n: data.pages[0]?.total ?? 0 })}
      foot={
        hasNextPage && <CursorPager hasNext onNext={() => void fetchNextPage()} label={t('company.editing.next')} />
      }
    >
      <Table
        label={t('company.editing')}
        columns={columns}
        rows={data && list}
        keyOf={({ fileId }) => fileId}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('company.editing.nothing')} />}
      />
    </ListPage>
  )
}
