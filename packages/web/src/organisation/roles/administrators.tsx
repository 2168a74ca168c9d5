// Administrators (decisions E1): three powers held by different users, and delegated departments.
import type { Answer, calls } from '@cloudoc/contract'
import { type SeparatedPower, separatedPowers } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminPages } from '../../core/area/area.ts'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import {
  Checkmark12Regular,
  CheckmarkCircle16Filled,
  Circle16Regular,
  Dismiss12Regular,
  Info16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { relativeTime } from '../shared/form-parts.tsx'
import { refetchOrganisation } from '../shared/organisation-queries.ts'
import './administrators.css'

type AdministratorsAnswer = Answer<typeof calls.getAdministrators>
type Delegate = AdministratorsAnswer['delegated'][number]
type Holder = AdministratorsAnswer['first'][number]

/** What each of the three powers permits, and what it does not. */
const powerLabels = {
  system: { does: ['organisation', 'space'], not: ['noContent', 'noPolicy', 'noAudit'] },
  security: { does: ['levels', 'signIn'], not: ['noOrganisation', 'noContent', 'noAudit'] },
  audit: { does: ['logs', 'watches'], not: ['noChange', 'noOrganisation', 'noContent'] },
} as const satisfies Readonly<Record<SeparatedPower, object>>

export async function delegate(person?: Delegate): Promise<void> {
  const done = await openWindow('organisation-delegation', person === undefined ? {} : { person })
  if (done !== undefined) void refetchOrganisation()
}

export function Administrators(): ReactNode {
  const t = useT()
  const { isAdmin } = useSession().permission
  const { data, error, refetch } = useQuery({
    queryKey: ['organisation', 'administrators'],
    queryFn: () => api.getAdministrators({}),
  })
  if (error !== null)
    return (
      <StatePage title={t('org.failed')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
      </StatePage>
    )
  if (data === undefined) return <Spinner />
  return (
    <div className="or-admins">
      {isAdmin ? (
        <HandOver separated={data.separated} />
      ) : (
        <p className="or-notice" role="note">
          <Info16Regular />
          <span>
            {data.first.length > 0
              ? `${t('org.admins.first', { names: data.first.map(({ accountName }) => accountName).join('、') })} ${t('org.admins.byFirst')}`
              : t('org.admins.byTwo')}
          </span>
        </p>
      )}
      <Proposals list={data.proposals} />
      <div className="or-admins-three">
        {data.separated.map((one) => (
          <Power key={one.power} {...one} changes={isAdmin ? 'sets' : data.first.length > 0 ? 'none' : 'proposes'} />
        ))}
      </div>
      <PagesOfPowers />
      <Delegates list={data.delegated} />
    </div>
  )
}

/** Guides the first administrator: three people, each has signed in, then the powers are given up. */
function HandOver({ separated }: Pick<AdministratorsAnswer, 'separated'>): ReactNode {
  const t = useT()
  const missing = separated.filter(({ people }) => people.every(({ usedTime }) => usedTime === 0))
  const giveUp = async (): Promise<void> => {
    const sure = await confirmBox({
      text: t('org.admins.giveUpAsk'),
      detail: t('org.admins.giveUpMore'),
      ok: t('org.admins.giveUp'),
      danger: true,
    })
    if (!sure) return
    await api.giveUpPowers({})
    location.assign('/doc/folder/files')
  }
  return (
    <section className="ad-card or-handover" aria-label={t('org.admins.handOver')}>
      <h2>{t('org.admins.handOver')}</h2>
      <p>{t('org.admins.handOverWhy')}</p>
      <ol>
        {separated.map(({ power, people }) => {
          const isHeld = people.length > 0
          const isReady = people.some(({ usedTime }) => usedTime > 0)
          return (
            <li key={power} data-done={isReady || undefined}>
              {isReady ? <CheckmarkCircle16Filled /> : <Circle16Regular />}
              <b>{t(`admin.power.${power}`)}</b>
              <span>
                {isReady
                  ? people.map(({ accountName }) => accountName).join('、')
                  : t(isHeld ? 'org.admins.notSignedIn' : 'org.admins.chooseBelow')}
              </span>
            </li>
          )
        })}
      </ol>
      <div className="or-handover-end">
        <Button kind="danger" disabled={missing.length > 0} onClick={() => void giveUp()}>
          {t('org.admins.giveUp')}
        </Button>
        <span>{t(missing.length > 0 ? 'org.admins.notYet' : 'org.admins.thenTwo')}</span>
      </div>
    </section>
  )
}

/** Changes of holders that wait for a second administrator. */
function Proposals({ list }: { readonly list: AdministratorsAnswer['proposals'] }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { userId } = useSession().account
  if (list.length === 0) return null
  const decide = async (proposalId: number, agree: boolean, said: string): Promise<void> => {
    try {
      await api.decidePowerProposal({ proposalId, agree })
    } finally {
      await refetchOrganisation()
    }
    toast({ kind: 'success', text: said })
  }
  return (
    <ul className="or-proposals" aria-label={t('org.admins.proposals')}>
      {list.map(({ proposalId, power, people, proposerId, proposerName, createTime, mayDecide }) => (
        <li key={proposalId}>
          <span>
            {t('org.admins.proposal', {
              who: proposerName,
              power: t(`admin.power.${power}`),
              names: people.map(({ accountName }) => accountName).join('、'),
            })}
            <small>{relativeTime(createTime, locale)}</small>
          </span>
          {mayDecide && (
            <Button size="small" kind="primary" onClick={() => void decide(proposalId, true, t('org.admins.agreed'))}>
              {t('org.admins.agree')}
            </Button>
          )}
          {mayDecide && (
            <Button size="small" onClick={() => void decide(proposalId, false, t('org.admins.declined'))}>
              {t('org.admins.decline')}
            </Button>
          )}
          {proposerId === userId && (
            <Button size="small" onClick={() => void decide(proposalId, false, t('org.admins.withdrawn'))}>
              {t('org.admins.withdraw')}
            </Button>
          )}
          {!mayDecide && proposerId !== userId && <small>{t('org.admins.otherDecides')}</small>}
        </li>
      ))}
    </ul>
  )
}

/** Which power opens which page of the administration, also of features that came later. */
function PagesOfPowers(): ReactNode {
  const t = useT()
  const { data: pages = [] } = useQuery({ queryKey: ['organisation', 'pagesOfPowers'], queryFn: adminPages })
  return (
    <section className="ad-card or-pages" aria-label={t('org.admins.pages')}>
      <h2>{t('org.admins.pages')}</h2>
      <dl>
        {separatedPowers.map((power) => (
          <div key={power}>
            <dt>{t(`admin.power.${power}`)}</dt>
            <dd>
              {pages
                .filter((page) => [page.power].flat().includes(power))
                .map(({ label }) => t(label))
                .join(t('admin.set.comma'))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Power({
  power,
  people,
  changes,
}: AdministratorsAnswer['separated'][number] & {
  /** Whether the user sets the holders, or proposes them to another administrator. */
  readonly changes: 'sets' | 'proposes' | 'none'
}): ReactNode {
  const t = useT()
  const name = t(`admin.power.${power}`)
  const set = async (): Promise<void> => {
    const picked = await openWindow('people-pick', { title: name, ok: t('org.save'), picked: people })
    if (picked === undefined) return
    const userIds = picked.map(({ userId }) => userId)
    if (changes === 'proposes') {
      if (userIds.length === 0) {
        toast({ kind: 'error', text: t('org.admins.needsOne') })
        return
      }
      await api.proposePowerHolders({ power, userIds })
      void refetchOrganisation()
      toast({ kind: 'success', text: t('org.admins.proposed') })
      return
    }
    await api.setPowerHolders({ power, userIds })
    void refetchOrganisation()
    toast({ kind: 'success', text: t('org.admins.saved', { power: name }) })
  }
  return (
    <section className="ad-card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {changes !== 'none' && (
          <Button size="small" onClick={() => void set()}>
            {t(
              changes === 'proposes'
                ? 'org.admins.propose'
                : people.length === 0
                  ? 'org.admins.give'
                  : 'org.admins.change',
            )}
          </Button>
        )}
      </header>
      {people.length === 0 ? <p className="or-admins-none">{t('org.admins.none')}</p> : <Holders people={people} />}
      <ul className="or-admins-may">
        {powerLabels[power].does.map((what) => (
          <li key={what}>
            <Checkmark12Regular />
            {t(`org.admins.${what}`)}
          </li>
        ))}
        {powerLabels[power].not.map((what) => (
          <li key={what} data-no>
            <Dismiss12Regular />
            {t(`org.admins.${what}`)}
          </li>
        ))}
      </ul>
      <p className="or-admins-watch">{t(power === 'audit' ? 'org.admins.watched.audit' : 'org.admins.watched')}</p>
    </section>
  )
}

function Holders({ people }: { readonly people: readonly Holder[] }): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <ul className="or-admins-who">
      {people.map((person) => (
        <li key={person.userId}>
          <InitialsAvatar id={person.userId} name={person.accountName} size="large" />
          <span>
            <b title={person.accountName}>{person.accountName}</b>
            <small>
              {[
                person.account,
                ...(person.address === '' ? [] : [person.address]),
                person.usedTime === 0 ? t('org.never') : relativeTime(person.usedTime, locale),
              ].join(' · ')}
            </small>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Delegates({ list }: { readonly list: readonly Delegate[] }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const maySet = useSession().permission.powers.includes('system')
  const end = async (person: Delegate): Promise<void> => {
    const sure = await confirmBox({
      text: t('org.admins.endAsk', { name: person.accountName }),
      detail: t('org.admins.endMore'),
      ok: t('org.admins.end'),
      danger: true,
    })
    if (!sure) return
    await api.setDelegation({ userId: person.userId, groupIds: [], tasks: [] })
    void refetchOrganisation()
    const back = { groupIds: person.groups.map(({ groupId }) => groupId), tasks: person.tasks }
    const undo = (): void => void api.setDelegation({ userId: person.userId, ...back }).then(refetchOrganisation)
    toast({
      kind: 'success',
      text: t('org.admins.ended', { name: person.accountName }),
      action: { text: t('org.undo'), run: undo },
    })
  }
  const columns: readonly Column<Delegate>[] = [
    {
      id: 'person',
      head: t('org.admins.column.person'),
      renderCell: ({ userId, accountName, account }) => (
        <TableName icon={<InitialsAvatar id={userId} name={accountName} />} title={account}>
          {accountName}
        </TableName>
      ),
    },
    {
      id: 'parts',
      head: t('org.admins.column.parts'),
      text: 'wrap',
      title: ({ groups }) => groups.map(({ path }) => path).join('\n'),
      renderCell: ({ groups }) =>
        groups
          .map(({ groupName, people }) => t('org.admins.part', { name: groupName, n: people }))
          .join(t('admin.set.comma')),
    },
    {
      id: 'tasks',
      head: t('org.admins.column.tasks'),
      text: 'wrap',
      renderCell: ({ tasks }) => tasks.map((task) => t(`org.task.${task}`)).join(t('admin.set.comma')),
    },
    { id: 'since', head: t('org.admins.column.since'), renderCell: ({ since }) => relativeTime(since, locale) },
    {
      id: 'used',
      head: t('org.admins.column.used'),
      renderCell: ({ usedTime }) => (usedTime === 0 ? t('org.never') : relativeTime(usedTime, locale)),
    },
    ...(maySet
      ? [
          {
            id: 'do',
            head: t('org.admins.column.do'),
            isHeadHidden: true,
            align: 'end',
            renderCell: (person) => (
              <>
                <Button size="small" onClick={() => void delegate(person)}>
                  {t('org.admins.change')}
                </Button>
                <Button size="small" kind="ghost" onClick={() => void end(person)}>
                  {t('org.admins.end')}
                </Button>
              </>
            ),
          } satisfies Column<Delegate>,
        ]
      : []),
  ]
  return (
    <section aria-label={t('admin.power.department')}>
      <h2 className="or-admins-title">
        {t('admin.power.department')} <small>{t('org.admins.delegated')}</small>
      </h2>
      {list.length === 0 ? (
        <p className="or-admins-none">{t(maySet ? 'org.admins.noDelegates' : 'org.admins.noDelegatesYet')}</p>
      ) : (
        <Table label={t('admin.power.department')} columns={columns} rows={list} keyOf={({ userId }) => userId} />
      )}
    </section>
  )
}
