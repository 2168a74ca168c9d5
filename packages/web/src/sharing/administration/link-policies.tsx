// Link policies for everybody, departments, roles and users. The most specific one applies.
import type { LinkPolicy } from '@cloudoc/contract'
import { Add16Regular, Delete16Regular, Edit16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { policies, refetchLinks } from './link-admin-queries.ts'
import './links.css'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import './texts.ts'

interface LinkPoliciesProps {
  readonly head: ReactNode
  readonly mayChange: boolean
}

/** Whom a policy applies to. */
const policySubjectLabel = (
  t: Translate,
  { subjectType, subjectName }: Pick<LinkPolicy, 'subjectType' | 'subjectName'>,
): string => (subjectType === 'everybody' ? t('company.links.everybody') : subjectName)

export function LinkPolicies({ head, mayChange }: LinkPoliciesProps): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery(policies)
  const list = data?.list ?? []
  const remove = async (policy: LinkPolicy): Promise<void> => {
    const sure = await confirmBox({
      text: t('company.links.policy.remove.ask', { name: policySubjectLabel(t, policy) }),
      detail: t('company.links.policy.remove.more'),
      ok: t('company.links.policy.remove'),
      danger: true,
    })
    if (!sure) return
    try {
      await api.removeLinkPolicy({ policyId: policy.policyId })
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') })
    }
    refetchLinks()
  }
  const yes = (is: boolean): string => t(is ? 'company.links.yes' : 'company.links.no')
  return (
    <AdminBody
      title={t('company.links')}
      note={t('company.links.policy.note')}
      actions={
        mayChange && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void openWindow('company-link-policy', {})}>
            {t('company.links.policy.new')}
          </Button>
        )
      }
    >
      <div className="co-page">
        {head}
        <div className="co-main">
          {error !== null ? (
            <LoadFailure error={error} retry={refetch} />
          ) : data === undefined ? (
            <Spinner />
          ) : list.length === 0 ? (
            <StatePage title={t('company.links.policy.none')} text={t('company.links.policy.none.more')} />
          ) : (
            <table className="co-table" aria-label={t('company.links.tab.policies')}>
              <thead>
                <tr>
                  {(['whom', 'create', 'days', 'longest', 'password', 'download', 'approval', 'domains'] as const).map(
                    (one) => (
                      <th key={one} scope="col">
                        {t(`company.links.policy.${one}`)}
                      </th>
                    ),
                  )}
                  {mayChange && <th aria-label={t('company.links.policy.change')} />}
                </tr>
              </thead>
              <tbody>
                {list.map((one) => (
                  <tr key={one.policyId}>
                    <td>
                      {policySubjectLabel(t, one)} <small>{t(`company.links.type.${one.subjectType}`)}</small>
                    </td>
                    <td>{yes(one.mayCreate)}</td>
                    <td>{t('company.links.days', { n: one.defaultDays })}</td>
                    <td>
                      {one.longestDays === 0 ? t('company.unlimited') : t('company.links.days', { n: one.longestDays })}
                    </td>
                    <td>{yes(one.needsPassword)}</td>
                    <td>{yes(one.mayDownload)}</td>
                    <td>
                      {yes(one.needsApproval)}{' '}
                      <small>{one.approvers.map(({ accountName }) => accountName).join(t('company.links.and'))}</small>
                    </td>
                    <td>{one.domains.length === 0 ? t('company.unlimited') : one.domains.join(' ')}</td>
                    {mayChange && (
                      <td>
                        <IconButton
                          size="small"
                          label={t('company.links.policy.change')}
                          icon={<Edit16Regular />}
                          onClick={() => void openWindow('company-link-policy', { policy: one })}
                        />
                        <IconButton
                          size="small"
                          label={t('company.links.policy.remove')}
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
          <p className="co-label cl-order">{t('company.links.policy.order')}</p>
        </div>
      </div>
    </AdminBody>
  )
}
