// Link policies for everybody, departments, roles and users. The most specific one applies.
import type { LinkPolicy } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { policies, refetchLinks } from './link-admin-queries.ts'
import { ruleButtons } from './rule-buttons.tsx'
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
  const days = (n: number): string => t('company.links.days', { n })
  const columns: readonly Column<LinkPolicy>[] = [
    {
      id: 'whom',
      head: t('company.links.policy.whom'),
      renderCell: (one) => (
        <>
          {policySubjectLabel(t, one)} <small>{t(`company.links.type.${one.subjectType}`)}</small>
        </>
      ),
    },
    { id: 'create', head: t('company.links.policy.create'), renderCell: (one) => yes(one.mayCreate) },
    { id: 'days', head: t('company.links.policy.days'), renderCell: (one) => days(one.defaultDays) },
    {
      id: 'longest',
      head: t('company.links.policy.longest'),
      renderCell: (one) => (one.longestDays === 0 ? t('company.unlimited') : days(one.longestDays)),
    },
    { id: 'password', head: t('company.links.policy.password'), renderCell: (one) => yes(one.needsPassword) },
    { id: 'download', head: t('company.links.policy.download'), renderCell: (one) => yes(one.mayDownload) },
    {
      id: 'approval',
      head: t('company.links.policy.approval'),
      text: 'wrap',
      renderCell: (one) => (
        <>
          {yes(one.needsApproval)}{' '}
          <small>{one.approvers.map(({ accountName }) => accountName).join(t('company.links.and'))}</small>
        </>
      ),
    },
    {
      id: 'domains',
      head: t('company.links.policy.domains'),
      text: 'wrap',
      renderCell: (one) => (one.domains.length === 0 ? t('company.unlimited') : one.domains.join(' ')),
    },
    ...(mayChange
      ? [
          ruleButtons<LinkPolicy>({
            changeLabel: t('company.links.policy.change'),
            removeLabel: t('company.links.policy.remove'),
            onChange: (policy) => void openWindow('company-link-policy', { policy }),
            onRemove: (policy) => void remove(policy),
          }),
        ]
      : []),
  ]
  return (
    <ListPage
      title={t('company.links')}
      note={t('company.links.policy.note')}
      tools={
        mayChange && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void openWindow('company-link-policy', {})}>
            {t('company.links.policy.new')}
          </Button>
        )
      }
      tabs={head}
    >
      <Table
        label={t('company.links.tab.policies')}
        columns={columns}
        rows={data?.list}
        keyOf={({ policyId }) => policyId}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('company.links.policy.none')} text={t('company.links.policy.none.more')} />}
      />
      <p className="cl-order">{t('company.links.policy.order')}</p>
    </ListPage>
  )
}
