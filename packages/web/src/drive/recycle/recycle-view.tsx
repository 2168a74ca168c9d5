// The recycle bin ([R243]-[R246]): the items that the user deleted, by time, to restore or delete permanently.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { fanOut, fanOutOptions } from '../../core/session/fan-out.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { SheetPicture, StatePage } from '../../items/lists/list-states.tsx'
import { binOf, refetchBin } from '../../items/lists/lists.ts'
import { missingReason, namesOf } from '../../items/lists/missing-servers.tsx'
import { nothingSelected } from '../../items/lists/selection.ts'
import { Button } from '../../kit/button.tsx'
import { type FixedColumns, itemColumns } from '../files/grid/columns.ts'
import { ItemList } from '../files/grid/item-list.tsx'
import type { ListSource } from '../files/grid/list-source.ts'
import { useListActions } from '../files/grid/use-list-actions.ts'
import { useListRows } from '../files/grid/use-list-rows.ts'
import type { BinPage } from './menu.tsx'
import '../../items/lists/ranges.css'

/** Today, 7 days, 30 days, all (X26). */
const ranges = [1, 2, 3, 4] as const
type Range = (typeof ranges)[number]

/** The original folder, the time, the user who deleted it, and the size. */
const columns: FixedColumns = {
  columns: [
    {
      id: 'place',
      label: 'drive.column.place',
      text: ({ pathString }: ItemRecord) => pathString.replaceAll('/', ' › '),
      title: ({ pathString }) => pathString,
    },
    { ...itemColumns.time, label: 'drive.column.deleted' },
    { ...itemColumns.by, label: 'drive.column.deleter' },
    itemColumns.size,
  ],
  template: '36px minmax(180px, 3fr) minmax(0, 2fr) 96px 100px 92px',
}

/** The page /doc/folder/recycle. */
export function RecycleView(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const root = useRef<HTMLElement>(null)
  const [range, setRange] = useState<Range>(4)
  const source: ListSource = { rows: binOf(range), module: 'recycle', label: t('drive.recycle'), columns }
  const rows = useListRows(source)
  const { state, count, setSelection } = rows

  const onRange = (next: Range): void => {
    setRange(next)
    setSelection(nothingSelected)
  }
  const refetch = (): void => void refetchBin()
  const settle = (): void => {
    setSelection(nothingSelected)
    refetch()
    void queryClient.invalidateQueries({ queryKey: ['drive', 'space'] })
  }
  const actions = useListActions<BinPage>({ source, rows, root, context, page: { settle, refetch } })
  const { able } = actions
  const empty = async (): Promise<void> => {
    const yes = await confirmBox({
      title: t('drive.empty.title'),
      text: t('drive.empty.text', { n: state.total }),
      ok: t('drive.empty.ok'),
      danger: true,
    })
    if (!yes) return
    try {
      // The bins of linked servers are emptied as well; what was not emptied is named ([R245]).
      const { answers, missing } = await fanOut((on) => api.of(on).recycleClean({}, fanOutOptions))
      const gone = answers.reduce((sum, { answer }) => sum + answer.count, 0)
      const kept = answers.reduce((sum, { answer }) => sum + answer.kept, 0)
      if (kept > 0) toast({ kind: 'info', text: t('drive.empty.kept', { n: gone, kept }) })
      else toast({ kind: 'success', text: t('drive.empty.done', { n: gone }) })
      if (missing.length > 0) {
        const names = namesOf(missing, t)
        toast({ kind: 'warning', text: t('linked.cleaned', { names, reason: missingReason(missing, t) }) })
      }
      settle()
    } catch (error) {
      notifyFailure(error)
    }
  }

  return (
    <section className="dr-files dr-recycle" ref={root} aria-label={t('drive.recycle')} onKeyDown={actions.onKeyDown}>
      <div className="dr-path-bar">
        <h1>{t('drive.recycle')}</h1>
        <div className="dr-ranges" role="radiogroup" aria-label={t('drive.recycle.range')}>
          {ranges.map((one) => (
            <button
              key={one}
              type="button"
              role="radio"
              aria-checked={one === range}
              className={one === range ? 'is-on' : ''}
              onClick={() => onRange(one)}
            >
              {t(`drive.recycle.range${one}`)}
            </button>
          ))}
        </div>
      </div>
      {state.total > 0 && (
        <div className="dr-tools" role="toolbar" aria-label={t('drive.tools')}>
          {able.actions
            .filter(({ tool }) => tool === 'button')
            .map((action, i) => (
              <Button
                key={action.id}
                {...(i === 0 && { kind: 'primary' as const })}
                title={count === 0 ? t('drive.recycle.chooseFirst') : undefined}
                icon={action.icon}
                disabled={!able.verdict(action).enabled}
                onClick={() => able.run(action, 'button')}
              >
                {t(action.label)}
              </Button>
            ))}
          <span className="dr-order">
            <Button kind="danger" onClick={() => void empty()}>
              {t('drive.empty')}
            </Button>
          </span>
        </div>
      )}
      <ItemList
        key={range}
        source={source}
        rows={rows}
        actions={actions}
        context={context}
        onRetry={refetch}
        onLeave={refetch}
        failedTitle={t('drive.state.listFailed')}
        bareWhenEmpty
        empty={
          <StatePage
            picture={<SheetPicture sign="bin" />}
            title={t(range === 4 ? 'drive.recycle.nothing' : 'drive.recycle.nothingInRange')}
            text={t('drive.recycle.hint')}
          >
            {range !== 4 && (
              <Button kind="primary" onClick={() => onRange(4)}>
                {t('drive.recycle.showAll')}
              </Button>
            )}
            <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
          </StatePage>
        }
      />
    </section>
  )
}
