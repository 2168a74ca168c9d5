// Administrators (decisions E1): three powers held by different users, and delegated departments.
import type { Answer, calls } from '@cloudoc/contract'
import type { SeparatedPower } from '@cloudoc/domain'
import { Checkmark12Regular, Dismiss12Regular, Info16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
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
      {data.first.length > 0 && (
        <p className="or-notice" role="note">
          <Info16Regular />
          <span>
            {t('org.admins.first', { names: data.first.map(({ accountName }) => accountName).join('、') })}
            {!isAdmin && ` ${t('org.admins.byFirst')}`}
          </span>
        </p>
      )}
      <div className="or-admins-three">
        {data.separated.map((one) => (
          <Power key={one.power} {...one} maySet={isAdmin} />
        ))}
      </div>
      <Delegates list={data.delegated} />
    </div>
  )
}

function Power({
  power,
  people,
  maySet,
}: AdministratorsAnswer['separated'][number] & {
  readonly maySet: boolean
}): ReactNode {
  const t = useT()
  const name = t(`admin.power.${power}`)
  const set = async (): Promise<void> => {
    const picked = await openWindow('people-pick', { title: name, ok: t('org.save'), picked: people })
    if (picked === undefined) return
    await api.setPowerHolders({ power, userIds: picked.map(({ userId }) => userId) })
    void refetchOrganisation()
    toast({ kind: 'success', text: t('org.admins.saved', { power: name }) })
  }
  return (
    <section className="ad-card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {maySet && (
          <Button size="small" onClick={() => void set()}>
            {t(people.length === 0 ? 'org.admins.give' : 'org.admins.change')}
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
