// The files being edited now, and by whom. A system administrator can end the editing ([R181], [R182]).
import { fullTime } from '@cloudoc/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import '../../admin/shared/company.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

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
  return (
    <AdminBody title={t('company.editing')} note={data && t('company.rows', { n: data.pages[0]?.total ?? 0 })}>
      <div className="co-page">
        <div className="co-main">
          {error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : list.length === 0 ? (
            <StatePage title={t('company.editing.nothing')} />
          ) : (
            <table className="co-table" aria-label={t('company.editing')}>
              <thead>
                <tr>
                  {(['file', 'library', 'way', 'who', 'since'] as const).map((column) => (
                    <th key={column} scope="col">
                      {t(`company.editing.${column}`)}
                    </th>
                  ))}
                  <th scope="col">{t('company.editing.more')}</th>
                </tr>
              </thead>
              <tbody>
                {list.map(({ fileId, fName, libraryName, way, editors, since }) => (
                  <tr key={fileId}>
                    <td>{fName}</td>
                    <td>{libraryName}</td>
                    <td>{t(`company.editing.way.${way}`)}</td>
                    <td>{editors.join('、')}</td>
                    <td>{fullTime(since)}</td>
                    <td>
                      <Button
                        size="small"
                        aria-label={t('company.editing.endOf', { name: fName })}
                        onClick={() => void end(fileId, fName, editors)}
                      >
                        {t('company.editing.end')}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('company.editing.next')}</Button>}
        </div>
      </div>
    </AdminBody>
  )
}
