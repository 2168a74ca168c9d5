// The administration page of approvers: who decides requests of every kind, for whom they wait, and who stands in.
import type { Answer, ApproverKind, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import './texts.ts'
import './approvers.css'

type Approvers = Answer<typeof calls.getApprovers>
type Rule = Approvers['rules'][number]
type Approver = Approvers['list'][number]

const key = ['admin', 'approvers'] as const
const refreshMs = 30_000

/** The page on which the rules of a kind are changed. */
const pages: Partial<Record<ApproverKind, string>> = {
  downloads: '/doc/admin/links',
  operations: '/doc/admin/operations',
  sensitive: '/doc/admin/sensitive',
  exchange: '/doc/admin/exchange',
}

export function ApproversPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.getApprovers({}),
    refetchInterval: refreshMs,
  })
  const failure = error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null
  const pick = async (title: string, ok: string) => (await openWindow('people-pick', { title, ok, picked: [] }))?.[0]
  const setFor = async ({ userId, accountName }: Pick<Approver, 'userId' | 'accountName'>): Promise<void> => {
    const other = await pick(t('approvers.setOf', { name: accountName }), t('approvers.ok'))
    if (other === undefined) return
    await api.setStandInOf({ userId, standInId: other.userId })
    toast({ kind: 'success', text: t('approvers.saved', { name: accountName, other: other.accountName }) })
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const setForOther = async (): Promise<void> => {
    const person = await pick(t('approvers.otherTitle'), t('approvers.next'))
    if (person !== undefined) await setFor(person)
  }
  const end = async ({ userId, accountName }: Approver): Promise<void> => {
    await api.setStandInOf({ userId, standInId: 0 })
    toast({ kind: 'success', text: t('approvers.ended', { name: accountName }) })
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const whoOf = ({ by, people, roles }: Rule): string => {
    if (by !== 'people' && by !== 'role') return t(`approvers.by.${by}`)
    const names = [...people.map(({ accountName }) => accountName), ...roles]
    return names.length === 0 ? t('approvers.by.gone') : names.join(t('admin.set.comma'))
  }
  const ruleColumns: readonly Column<Rule>[] = [
    {
      id: 'kind',
      head: t('approvers.kind'),
      renderCell: ({ kind }) => <TableName>{t(`approvers.kind.${kind}`)}</TableName>,
    },
    { id: 'rule', head: t('approvers.rule'), renderCell: ({ name }) => (name === '' ? t('approvers.usual') : name) },
    { id: 'who', head: t('approvers.who'), text: 'wrap', renderCell: whoOf },
    {
      id: 'where',
      head: t('approvers.where'),
      isHeadHidden: true,
      align: 'end',
      renderCell: ({ kind }) => {
        const page = pages[kind]
        return (
          page && (
            <Link to={page} aria-label={t('approvers.whereOf', { name: t(`approvers.kind.${kind}`) })}>
              {t('approvers.where')}
            </Link>
          )
        )
      },
    },
  ]
  const columns: readonly Column<Approver>[] = [
    {
      id: 'person',
      head: t('approvers.person'),
      renderCell: ({ accountName }) => <TableName>{accountName}</TableName>,
    },
    { id: 'group', head: t('approvers.group'), renderCell: ({ groupName }) => groupName },
    {
      id: 'waiting',
      head: t('approvers.waiting'),
      renderCell: ({ waiting, oldestTime }) =>
        waiting === 0
          ? t('approvers.waitingNone')
          : t('approvers.waitingOf', { n: waiting, time: fullTime(oldestTime) }),
    },
    {
      id: 'standIn',
      head: t('approvers.standIn'),
      text: 'wrap',
      renderCell: ({ standIn }) => {
        if (standIn === null) return ''
        const { accountName: name, from, until } = standIn
        return until === null
          ? t('approvers.standInOf', { name, from: fullTime(from) })
          : t('approvers.standInUntil', { name, from: fullTime(from), time: fullTime(until) })
      },
    },
    {
      id: 'actions',
      head: t('approvers.set'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => (
        <span className="ap-approvers-tools">
          <Button
            size="small"
            aria-label={t('approvers.setOf', { name: one.accountName })}
            onClick={() => void setFor(one)}
          >
            {t('approvers.set')}
          </Button>
          {one.standIn !== null && (
            <Button
              size="small"
              aria-label={t('approvers.endOf', { name: one.accountName })}
              onClick={() => void end(one)}
            >
              {t('approvers.end')}
            </Button>
          )}
        </span>
      ),
    },
  ]
  return (
    <ListPage
      title={t('approversPage.title')}
      tools={<Button onClick={() => void setForOther()}>{t('approvers.other')}</Button>}
    >
      <div className="ap-approvers">
        <section>
          <h2>{t('approvers.rules')}</h2>
          <Table
            label={t('approvers.rules')}
            columns={ruleColumns}
            rows={data?.rules}
            keyOf={(rule) => JSON.stringify(rule)}
            failure={failure}
            loading={<Spinner />}
            empty={null}
          />
        </section>
        <section>
          <h2>{t('approvers.people')}</h2>
          <Table
            label={t('approvers.people')}
            columns={columns}
            rows={data?.list}
            keyOf={({ userId }) => userId}
            failure={failure}
            loading={<Spinner />}
            empty={<StatePage title={t('approvers.none')} />}
          />
        </section>
      </div>
    </ListPage>
  )
}
