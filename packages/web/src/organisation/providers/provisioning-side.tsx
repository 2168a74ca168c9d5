// What a provisioning system has sent: its token, who waits to be disabled, its groups with their roles, its requests.
import type { Answer, calls } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Copy16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import type { Provider } from './drafts.ts'
import { providersKey, refetchProviders } from './provider-side.tsx'
import './provisioning-texts.ts'

type Shown = Answer<typeof calls.getProvisioning>
type Request = Shown['changes'][number]
type Group = Shown['groups'][number]

const tokenDays = 365
const pollMs = 10_000

function useProvisioning({ providerId }: Provider) {
  return useQuery({
    queryKey: [...providersKey, 'provisioning', providerId],
    queryFn: () => api.getProvisioning({ providerId }),
    refetchInterval: pollMs,
  })
}

/** The token of a provisioning system: a new one is shown once. */
export function ProvisioningToken({ provider }: { readonly provider: Provider }): ReactNode {
  const t = useT()
  const { data } = useProvisioning(provider)
  const [secret, setSecret] = useState<string>()
  const { settings, name } = provider
  if (settings.kind !== 'scim') return null
  const make = async (): Promise<void> => {
    const made = await api.createServiceProgram({
      ...{ userId: settings.serviceAccountId, name, scopes: ['provisioning'], days: tokenDays },
    })
    setSecret(made.clientSecret)
    await refetchProviders()
    await queryClient.invalidateQueries({ queryKey: ['admin', 'programs'] })
  }
  return (
    <>
      <h2>{t('scim.token')}</h2>
      {data !== undefined && <p>{data.tokens === 0 ? t('scim.noTokens') : t('scim.tokens', { n: data.tokens })}</p>}
      {secret === undefined ? (
        <Button onClick={() => void make().catch(() => undefined)}>{t('scim.makeToken')}</Button>
      ) : (
        <div className="pv-secret" role="status">
          <p>{t('scim.shown')}</p>
          <code>{secret}</code>
          <Button
            icon={<Copy16Regular />}
            onClick={() => void copyText(secret).then(() => toast({ kind: 'success', text: t('scim.copied') }))}
          >
            {t('scim.copy')}
          </Button>
          <Button kind="primary" onClick={() => setSecret(undefined)}>
            {t('scim.done')}
          </Button>
        </div>
      )}
      <p className="k-help">{t('scim.manage')}</p>
    </>
  )
}

/** People whom the system wants to have disabled, more than usual: an administrator decides. */
export function WaitingLeavers({ provider }: { readonly provider: Provider }): ReactNode {
  const t = useT()
  const { data } = useProvisioning(provider)
  const { providerId } = provider
  if (data === undefined || data.waitingTotal === 0) return null
  const decide = async (freeze: boolean): Promise<void> => {
    const done = await api.decideProvisionedLeavers({ providerId, freeze, total: data.waitingTotal })
    const text = freeze ? t('scim.frozen', { n: done.frozen }) : t('scim.kept', { n: done.kept })
    toast({ kind: 'success', text })
    await refetchProviders()
  }
  return (
    <section className="pv-waiting" role="alert">
      <h2>{t('scim.waiting', { n: data.waitingTotal })}</h2>
      <p>{t('scim.waitingMore')}</p>
      <ul>
        {data.waiting.map(({ userId, account, accountName }) => (
          <li key={userId}>
            {accountName} <small>{account}</small>
          </li>
        ))}
        {data.waitingTotal > data.waiting.length && (
          <li>{t('scim.andMore', { n: data.waitingTotal - data.waiting.length })}</li>
        )}
      </ul>
      <footer>
        <Button kind="danger" onClick={() => void decide(true).catch(() => undefined)}>
          {t('scim.freeze', { n: data.waitingTotal })}
        </Button>
        <Button onClick={() => void decide(false).catch(() => undefined)}>{t('scim.keep')}</Button>
      </footer>
    </section>
  )
}

interface Role {
  readonly roleId: number
  readonly roleName: string
}

/** The groups that were sent, and the requests. */
export function ProvisioningReceived(props: {
  readonly provider: Provider
  readonly roles: readonly Role[]
}): ReactNode {
  const t = useT()
  const { data, error, refetch } = useProvisioning(props.provider)
  if (error !== null && data === undefined) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined) return <Spinner />
  return (
    <>
      <h2>{t('scim.groups')}</h2>
      {data.groups.length === 0 ? (
        <p className="k-help">{t('scim.noGroups')}</p>
      ) : (
        <GroupTable groups={data.groups} roles={props.roles} />
      )}
      <h2>{t('scim.requests')}</h2>
      {data.changes.length === 0 ? (
        <p className="k-help">{t('scim.noRequests')}</p>
      ) : (
        <RequestTable requests={data.changes} />
      )}
    </>
  )
}

function GroupTable({
  groups,
  roles,
}: {
  readonly groups: readonly Group[]
  readonly roles: readonly Role[]
}): ReactNode {
  const t = useT()
  const nameOf = (id: number): string => roles.find(({ roleId }) => roleId === id)?.roleName ?? t('scim.noRole')
  /** Shows who would gain and lose a role before it is changed. */
  const choose = async ({ groupId, name }: Group, roleId: number): Promise<void> => {
    const { gain, lose } = await api.setProvisionedGroupRole({ groupId, roleId, dry: true })
    const isSure = await confirmBox({
      text: t('scim.roleAsk', { group: name, role: nameOf(roleId) }),
      detail: t('scim.roleMore', { gain, lose }),
      ok: t('scim.change'),
    })
    if (!isSure) return
    await api.setProvisionedGroupRole({ groupId, roleId })
    await refetchProviders()
  }
  const columns: readonly Column<Group>[] = [
    { id: 'group', head: t('scim.group'), renderCell: ({ name }) => name },
    { id: 'members', head: t('scim.members'), align: 'number', renderCell: ({ members }) => members },
    {
      id: 'role',
      head: t('scim.role'),
      renderCell: (group) => (
        <Select
          size="small"
          label={`${t('scim.role')}: ${group.name}`}
          value={group.roleId}
          options={[
            { value: 0, label: t('scim.noRole') },
            ...roles.map(({ roleId, roleName }) => ({ value: roleId, label: roleName })),
          ]}
          onChange={(roleId) => void choose(group, roleId).catch(() => undefined)}
        />
      ),
    },
  ]
  return <Table label={t('scim.groups')} columns={columns} rows={groups} keyOf={({ groupId }) => groupId} />
}

function RequestTable({ requests }: { readonly requests: readonly Request[] }): ReactNode {
  const t = useT()
  const columns: readonly Column<Request>[] = [
    { id: 'time', head: t('scim.time'), renderCell: ({ time }) => minuteTime(time) },
    { id: 'what', head: t('scim.what'), renderCell: ({ what }) => t(`scim.what.${what}`) },
    { id: 'whom', head: t('scim.whom'), renderCell: ({ name }) => name || '—' },
    { id: 'detail', head: t('scim.detail'), text: 'wrap', renderCell: ({ detail }) => detail },
    {
      id: 'result',
      head: t('scim.result'),
      renderCell: ({ status }) => (
        <StatusChip tone={status < 300 ? 'success' : status === 503 ? 'warning' : 'danger'}>
          {status < 300 ? t('scim.ok') : status}
        </StatusChip>
      ),
    },
  ]
  return <Table label={t('scim.requests')} columns={columns} rows={requests} keyOf={({ changeId }) => changeId} />
}
