// The administration page of retention rules: what they remove, when they run next, and what they did last.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './retention.css'

export type RetentionRule = Answer<typeof calls.getRetentionRules>['list'][number]

const rulesKey = ['admin', 'retention'] as const
const refreshMs = 30_000

export function RetentionPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: rulesKey,
    queryFn: () => api.getRetentionRules({}),
    refetchInterval: refreshMs,
  })
  const fetchAgain = () => queryClient.invalidateQueries({ queryKey: rulesKey })
  const edit = async (rule: RetentionRule | undefined): Promise<void> => {
    if ((await openWindow('cloudoc-retention', { rule })) !== undefined) await fetchAgain()
  }
  const run = async (rule: RetentionRule): Promise<void> => {
    const { ruleId, name, placeId, exts, levelFrom, levelTo, days, forGood } = rule
    const preview = await api.previewRetention({ placeId, exts, levelFrom, levelTo, days, forGood })
    if (preview.count === 0) {
      toast({ kind: 'info', text: t('retention.runNothing', { name }) })
      return
    }
    const text = t('retention.runAsk', { name, n: preview.count, size: formatSize(preview.bytes) })
    if (!(await confirmBox({ text, ok: t('retention.runNow'), danger: true }))) return
    await api.runRetentionRule({ ruleId })
    toast({ kind: 'success', text: t('retention.started', { name }) })
    await fetchAgain()
  }
  const remove = async ({ ruleId, name }: RetentionRule): Promise<void> => {
    if (!(await confirmBox({ text: t('retention.removeAsk', { name }), ok: t('retention.remove'), danger: true })))
      return
    await api.removeRetentionRule({ ruleId })
    await fetchAgain()
  }
  const columns: readonly Column<RetentionRule>[] = [
    {
      id: 'name',
      head: t('retention.name'),
      renderCell: ({ name, placeId, placeName, isPlaceThere }) => (
        <TableName
          note={
            placeId === 0
              ? t('retention.everywhere')
              : isPlaceThere
                ? placeName.replaceAll('/', ' › ')
                : t('retention.gone')
          }
        >
          {name}
        </TableName>
      ),
    },
    {
      id: 'what',
      head: t('retention.what'),
      renderCell: ({ days, exts, levelFrom, levelTo }) =>
        [
          t('retention.daysOf', { n: days }),
          exts.join(' '),
          levelFrom > 0 || levelTo < 100 ? t('retention.levelsOf', { from: levelFrom, to: levelTo }) : '',
        ]
          .filter(Boolean)
          .join(' · '),
    },
    {
      id: 'action',
      head: t('retention.action'),
      renderCell: ({ forGood }) => (
        <StatusChip tone={forGood ? 'danger' : 'neutral'}>
          {t(forGood ? 'retention.forGood' : 'retention.toBin')}
        </StatusChip>
      ),
    },
    {
      id: 'next',
      head: t('retention.next'),
      renderCell: ({ nextRun }) => (nextRun === 0 ? t('retention.off') : fullTime(nextRun)),
    },
    {
      id: 'last',
      head: t('retention.last'),
      renderCell: ({ lastRun, lastCount, lastBytes }) =>
        lastRun === 0
          ? t('retention.never')
          : t('retention.lastOf', { time: fullTime(lastRun), n: lastCount, size: formatSize(lastBytes) }),
    },
    {
      id: 'actions',
      head: t('retention.open'),
      isHeadHidden: true,
      renderCell: (rule) => (
        <span className="rt-tools">
          <Button size="small" aria-label={t('retention.openOf', { name: rule.name })} onClick={() => void edit(rule)}>
            {t('retention.open')}
          </Button>
          {rule.enabled && (
            <Button size="small" aria-label={t('retention.runOf', { name: rule.name })} onClick={() => void run(rule)}>
              {t('retention.runNow')}
            </Button>
          )}
          <Button
            size="small"
            aria-label={t('retention.removeOf', { name: rule.name })}
            onClick={() => void remove(rule)}
          >
            {t('retention.remove')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <ListPage
      title={t('retentionPage.title')}
      note={data && t('retention.note', { n: data.list.length })}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => void edit(undefined)}>
          {t('retention.create')}
        </Button>
      }
    >
      <Table
        label={t('retentionPage.title')}
        columns={columns}
        rows={data?.list}
        keyOf={({ ruleId }) => ruleId}
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('retention.none')} text={t('retention.noneMore')} />}
      />
    </ListPage>
  )
}
