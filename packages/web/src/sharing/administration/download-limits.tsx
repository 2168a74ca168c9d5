// The daily download limits ([R284], [R285]), and today's use by user.
import type { DownloadLimit } from '@cloudoc/contract'
import { Add16Regular, Delete16Regular, Edit16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { downloadAudit, downloadLimits, refetchLinks } from './link-admin-queries.ts'
import './links.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

interface DownloadLimitsProps {
  readonly head: ReactNode
  readonly mayChange: boolean
}

export function DownloadLimits({ head, mayChange }: DownloadLimitsProps): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery(downloadLimits)
  const today = useQuery(downloadAudit)
  const list = data?.list ?? []
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
  return (
    <AdminBody
      title={t('company.links')}
      note={t('company.links.limit.note')}
      actions={
        mayChange && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void openWindow('company-download-limit', {})}>
            {t('company.links.limit.new')}
          </Button>
        )
      }
    >
      <div className="co-page">
        {head}
        <div className="co-main cl-limits">
          {error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : list.length === 0 ? (
            <StatePage title={t('company.links.limit.none')} text={t('company.links.limit.none.more')} />
          ) : (
            <table className="co-table" aria-label={t('company.links.tab.limits')}>
              <thead>
                <tr>
                  <th scope="col">{t('company.links.policy.whom')}</th>
                  <th scope="col">{t('company.links.limit.perDay')}</th>
                  {mayChange && <th aria-label={t('company.links.limit.change')} />}
                </tr>
              </thead>
              <tbody>
                {list.map((one) => (
                  <tr key={one.limitId}>
                    <td>
                      {whom(one)} <small>{t(`company.links.type.${one.subjectType}`)}</small>
                    </td>
                    <td>
                      {one.perDay === 0 ? t('company.unlimited') : t('company.links.limit.files', { n: one.perDay })}
                    </td>
                    {mayChange && (
                      <td>
                        <IconButton
                          size="small"
                          label={t('company.links.limit.change')}
                          icon={<Edit16Regular />}
                          onClick={() => void openWindow('company-download-limit', { limit: one })}
                        />
                        <IconButton
                          size="small"
                          label={t('company.links.limit.remove')}
                          icon={<Delete16Regular />}
                          onClick={() => void remove(one)}
                        />
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <h2>{t('company.links.today')}</h2>
          {today.data === undefined || today.data.list.length === 0 ? (
            <p className="co-label">{t('company.links.today.none')}</p>
          ) : (
            <table className="co-table" aria-label={t('company.links.today')}>
              <thead>
                <tr>
                  <th scope="col">{t('company.links.today.who')}</th>
                  <th scope="col" className="is-number">
                    {t('company.links.column.downloads')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {today.data.list.map(({ accountId, accountName, groupName, count }) => (
                  <tr key={accountId}>
                    <td>
                      {accountName} <small>{groupName}</small>
                    </td>
                    <td className="is-number">{count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      </div>
    </AdminBody>
  )
}
