// The daily download limits ([R284], [R285]), and today's use by user.
import type { Answer, calls, DownloadLimit } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { downloadAudit, downloadLimits, refetchLinks } from './link-admin-queries.ts'
import { ruleButtons } from './rule-buttons.tsx'
import './links.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

type DownloadCount = Answer<typeof calls.getDownloadAudit>['list'][number]

interface DownloadLimitsProps {
  readonly head: ReactNode
  readonly mayChange: boolean
}

export function DownloadLimits({ head, mayChange }: DownloadLimitsProps): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery(downloadLimits)
  const today = useQuery(downloadAudit)
  const whom = ({ subjectType, subjectName }: DownloadLimit): string =>
    subjectType === 'everybody' ? t('company.links.everybody') : subjectName
  const remove = async (limit: DownloadLimit): Promise<void> => {
    const sure = await confirmBox({
      text: t('company.links.limit.remove.ask', { name: whom(limit) }),
      ok: t('company.links.limit.remove'),
      danger: true,
    })
    if (!sure) return
    try {
      await api.removeDownloadLimit({ limitId: limit.limitId })
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') })
    }
    refetchLinks()
  }
  const limits: readonly Column<DownloadLimit>[] = [
    {
      id: 'whom',
      head: t('company.links.policy.whom'),
      renderCell: (one) => (
        <>
          {whom(one)} <small>{t(`company.links.type.${one.subjectType}`)}</small>
        </>
      ),
    },
    {
      id: 'perDay',
      head: t('company.links.limit.perDay'),
      renderCell: ({ perDay }) =>
        perDay === 0 ? t('company.unlimited') : t('company.links.limit.files', { n: perDay }),
    },
    ...(mayChange
      ? [
          ruleButtons<DownloadLimit>({
            changeLabel: t('company.links.limit.change'),
            removeLabel: t('company.links.limit.remove'),
            onChange: (limit) => void openWindow('company-download-limit', { limit }),
            onRemove: (limit) => void remove(limit),
          }),
        ]
      : []),
  ]
  const used: readonly Column<DownloadCount>[] = [
    {
      id: 'who',
      head: t('company.links.today.who'),
      renderCell: ({ accountName, groupName }) => (
        <>
          {accountName} <small>{groupName}</small>
        </>
      ),
    },
    { id: 'downloads', head: t('company.links.column.downloads'), align: 'number', renderCell: ({ count }) => count },
  ]
  return (
    <ListPage
      title={t('company.links')}
      note={t('company.links.limit.note')}
      tools={
        mayChange && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void openWindow('company-download-limit', {})}>
            {t('company.links.limit.new')}
          </Button>
        )
      }
      tabs={head}
    >
      <Table
        label={t('company.links.tab.limits')}
        columns={limits}
        rows={data?.list}
        keyOf={({ limitId }) => limitId}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('company.links.limit.none')} text={t('company.links.limit.none.more')} />}
      />
      <h2 className="cl-title">{t('company.links.today')}</h2>
      <Table
        label={t('company.links.today')}
        columns={used}
        rows={today.data?.list ?? []}
        keyOf={({ accountId }) => accountId}
        empty={<p className="cl-order">{t('company.links.today.none')}</p>}
      />
    </ListPage>
  )
}
