// One user in a drawer: profile, permissions, and sessions.

import { ClientType, codes, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss20Regular, Warning16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { changedFields, useDraft } from '../../kit/use-draft.ts'
import { InitialsAvatar } from '../../people/index.ts'
import { useAdministrationScope } from '../shared/administration-scope.ts'
import { isAhead, relativeTime, StateTag, stateOf } from '../shared/form-parts.tsx'
import { type PersonInfo, refetchOrganisation, useRoles } from '../shared/organisation-queries.ts'
import { removeFactor } from '../shared/second-factor.ts'
import { endSessions, handOutLinks, handOver, remove, setState, unlock } from './people-actions.ts'
import { draftOf, inputOf, type PersonDraft } from './person-draft.ts'
import { BasicFields, RoleFields } from './person-fields.tsx'

interface DrawerProps {
  readonly userId: number
  readonly onClose: () => void
}

const tabs = ['basic', 'roles', 'sessions'] as const

export function PersonDrawer({ userId, onClose }: DrawerProps): ReactNode {
  const t = useT()
  const id = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]>('basic')
  const { whole } = useAdministrationScope()
  const query = useQuery({ queryKey: ['organisation', 'person', userId], queryFn: () => api.getPerson({ userId }) })
  const dirty = useRef(false)
  const person = query.data
  const leave = async (): Promise<void> => {
    const sure =
      !dirty.current ||
      (await confirmBox({
        title: t('box.discard.title'),
        text: t('box.discard.text'),
        ok: t('box.discard.ok'),
        danger: true,
      }))
    if (sure) onClose()
  }
  return (
    <aside
      className="or-drawer"
      aria-label={person?.accountName ?? t('org.open')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) void leave()
      }}
    >
      {query.error !== null ? (
        <StatePage title={t('org.failed')} text={query.error.message}>
          <Button onClick={onClose}>{t('org.close')}</Button>
        </StatePage>
      ) : person === undefined ? (
        <Spinner />
      ) : (
        <>
          <header className="or-drawer-head">
            <InitialsAvatar id={userId} name={person.accountName} size="large" />
            <div>
              <b title={person.accountName}>{person.accountName}</b> <StateTag {...person} />
              <small>
                {person.account} · {person.groupName}
              </small>
            </div>
            <IconButton label={t('org.close')} icon={<Dismiss20Regular />} onClick={() => void leave()} />
          </header>
          <Tabs
            id={id}
            className="or-drawer-tabs"
            label={person.accountName}
            tabs={tabs
              .filter((one) => whole || one !== 'roles')
              .map((one) => ({
                tab: one,
                text: t(`org.tab.${one}`),
                count: one === 'sessions' ? person.sessions.length || undefined : undefined,
              }))}
            chosen={tab}
            onChoose={setTab}
          />
          {tab === 'sessions' ? (
            <Sessions id={id} person={person} />
          ) : (
            <Editor
              id={id}
              person={person}
              tab={tab}
              onDirty={(isDirty) => {
                dirty.current = isDirty
              }}
            />
          )}
          <Doings person={person} />
        </>
      )}
    </aside>
  )
}

/** The actions for the user, at the bottom. */
function Doings({ person }: { readonly person: PersonInfo }): ReactNode {
  const t = useT()
  const may = useAdministrationScope()
  const own = useSession().account.accountId === person.userId
  if (own || person.isAdmin || person.powers.length > 0)
    return <p className="or-drawer-foot is-note">{t(own ? 'org.own' : 'org.isAdmin')}</p>
  if (!may.people) return undefined
  const people = [{ ...person, roles: person.roles.map(({ roleName }) => roleName) }]
  const isIn = person.state === 'normal'
  return (
    <footer className="or-drawer-foot">
      {person.state !== 'disabled' && may.whole && (
        <>
          <Button size="small" kind="danger" onClick={() => void remove(people)}>
            {t('org.do.disabled')}
          </Button>
          <Button size="small" onClick={() => void handOver(person)}>
            {t('org.leaver')}
          </Button>
        </>
      )}
      <Button size="small" onClick={() => void handOutLinks([person])}>
        {t('org.links.make')}
      </Button>
      <span className="or-grow" />
      {person.sessions.length > 0 && (
        <Button size="small" onClick={() => void endSessions(people)}>
          {t('org.do.end')}
        </Button>
      )}
      <Button
        size="small"
        {...(isIn ? {} : { kind: 'primary' as const })}
        onClick={() => void setState(people, isIn ? 'frozen' : 'normal')}
      >
        {t(isIn ? 'org.do.frozen' : 'org.do.normal')}
      </Button>
    </footer>
  )
}

function Editor({
  id,
  person,
  tab,
  onDirty,
}: {
  id: string
  person: PersonInfo
  tab: 'basic' | 'roles'
  onDirty: (isDirty: boolean) => void
}): ReactNode {
  const t = useT()
  const roles = useRoles().data?.list ?? []
  const before = draftOf(person)
  const { values: draft, changes, edit, discard, settle } = useDraft(before, inputOf)
  const [problem, setProblem] = useState<{ field: 'account' | 'form'; text: string }>()
  const [busy, setBusy] = useState(false)
  const isChanged = Object.keys(changes).length > 0
  useEffect(() => onDirty(isChanged))

  const set = (part: Partial<PersonDraft>): void => {
    edit(part)
    setProblem(undefined)
  }
  const save = async (): Promise<void> => {
    if (draft.accountName.trim() === '' || draft.account.trim() === '')
      return setProblem({ field: 'form', text: t('org.missingNames') })
    setBusy(true)
    try {
      await api.modifyAccount({ userId: person.userId, ...changes })
      await refetchOrganisation()
      settle(draft)
      const back = { userId: person.userId, ...changedFields(inputOf(draft), inputOf(before)) }
      const undo = (): void => void api.modifyAccount(back).then(refetchOrganisation)
      toast({
        kind: 'success',
        text: t('org.saved', { name: draft.accountName }),
        action: { text: t('org.undo'), run: undo },
      })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === 'alreadyExists') setProblem({ field: 'account', text: t('org.account.taken') })
      else if (error.code === 'illegalName') setProblem({ field: 'account', text: t('org.account.illegal') })
      else setProblem({ field: 'form', text: error.message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <TabPanel id={id} chosen={tab} className="or-drawer-body">
        {tab === 'basic' && <Notices person={person} />}
        {tab === 'basic' ? (
          <BasicFields
            person={person}
            draft={draft}
            set={set}
            accountProblem={problem?.field === 'account' ? problem.text : undefined}
          />
        ) : (
          <RoleFields draft={draft} set={set} roles={roles} />
        )}
      </TabPanel>
      {(isChanged || problem !== undefined) && (
        <div className="or-unsaved" role="status">
          <span className={problem?.field === 'form' ? 'k-problem' : ''}>
            {problem?.field === 'form' ? problem.text : t('org.unsaved')}
          </span>
          <span className="or-grow" />
          <Button size="small" onClick={discard}>
            {t('org.discard')}
          </Button>
          <Button size="small" kind="primary" disabled={busy} onClick={() => void save()}>
            {t('org.save')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Problems of the account, and the action that resolves each. */
function Notices({ person }: { readonly person: PersonInfo }): ReactNode {
  const t = useT()
  const { failures } = person
  const state = stateOf(person)
  if (failures !== null && isAhead(failures.until))
    return (
      <div className="or-notice is-bad" role="note">
        <Warning16Regular />
        <p>
          <b>{t('org.locked', { n: failures.count })}</b>
          <br />
          {t('org.locked.until', { until: fullTime(failures.until) })}
        </p>
        <Button size="small" onClick={() => void unlock([person])}>
          {t('org.do.unlock')}
        </Button>
      </div>
    )
  if (state === 'waiting')
    return (
      <div className="or-notice" role="note">
        <p>{t('org.waiting')}</p>
        <Button size="small" onClick={() => void handOutLinks([person])}>
          {t('org.links.make')}
        </Button>
      </div>
    )
  if (state === 'expired')
    return (
      <div className="or-notice is-bad" role="note">
        <Warning16Regular />
        <p>{t('org.expired', { since: fullTime(person.expireTime) })}</p>
      </div>
    )
  return null
}

const clients: Readonly<Record<number, 'web' | 'mobile' | 'qrCode'>> = {
  [ClientType.web]: 'web',
  [ClientType.mobile]: 'mobile',
  [ClientType.qrCode]: 'qrCode',
}

/** The user's sessions, with a button to end them. */
function Sessions({ id, person }: { readonly id: string; readonly person: PersonInfo }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { account, permission } = useSession()
  const mayRemoveFactor = permission.powers.includes('security') && account.accountId !== person.userId
  const end = async (sessionId: number, wipe: boolean): Promise<void> => {
    const sure = await confirmBox(
      wipe
        ? { text: t('org.wipe.ask'), detail: t('org.wipe.more'), ok: t('org.wipe'), danger: true }
        : { text: t('org.session.ask'), ok: t('org.session.end') },
    )
    if (!sure) return
    try {
      await api.endPersonSession({ userId: person.userId, sessionId, wipe })
      toast({ kind: 'success', text: t(wipe ? 'org.wipe.done' : 'org.session.done') })
    } catch (error) {
      // The session has already ended.
      if (!(error instanceof CallError) || error.number !== codes.notFound.code) throw error
    }
    void refetchOrganisation()
  }
  const endVisitor = async (): Promise<void> => {
    const sure = await confirmBox({
      text: t('org.visitor.ask', { name: person.accountName }),
      detail: t('org.visitor.more'),
      ok: t('org.visitor.end'),
      danger: true,
    })
    if (!sure) return
    await api.endVisitorPassword({ userId: person.userId })
    toast({ kind: 'success', text: t('org.visitor.done') })
    void refetchOrganisation()
  }
  return (
    <TabPanel id={id} chosen="sessions" className="or-drawer-body">
      {person.visitorUntil > 0 && (
        <div className="or-notice" role="note">
          <p>{t('org.visitor.until', { time: fullTime(person.visitorUntil) })}</p>
          <Button size="small" onClick={() => void endVisitor()}>
            {t('org.visitor.end')}
          </Button>
        </div>
      )}
      {person.secondFactor && (
        <div className="or-notice" role="note">
          <p>{t('org.factor.has')}</p>
          {mayRemoveFactor && (
            <Button size="small" onClick={() => void removeFactor(person).catch(() => undefined)}>
              {t('org.factor.remove')}
            </Button>
          )}
        </div>
      )}
      <p className="k-help">
        {person.signedInTime === 0
          ? t('org.session.never')
          : t('org.session.last', { time: fullTime(person.signedInTime) })}
      </p>
      {person.sessions.length === 0 && <p className="or-none">{t('org.session.none')}</p>}
      <ul className="or-lines">
        {person.sessions.map((session) => (
          <li key={session.sessionId}>
            <span>
              {clients[session.clientType]
                ? t(`org.client.${clients[session.clientType] ?? 'web'}`)
                : t('org.client.other', { n: session.clientType })}
              <small>
                {session.address} · {t('org.session.used', { time: relativeTime(session.usedTime, locale) })}
              </small>
            </span>
            {session.wiped ? (
              <small>{t('org.wipe.waits')}</small>
            ) : (
              <>
                <Button size="small" onClick={() => void end(session.sessionId, false)}>
                  {t('org.session.end')}
                </Button>
                <Button size="small" kind="danger" onClick={() => void end(session.sessionId, true)}>
                  {t('org.wipe')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </TabPanel>
  )
}
