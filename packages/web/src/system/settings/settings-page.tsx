// The settings of one administrator power: what each does, its saved value, who changed it, and unsaved changes.
import { administered, type SettingName, type SettingValue, settingGroups, settingNames } from '@cloudoc/contract'
import { fullTime, type Power, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useStore } from 'zustand'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type PlainTextKey, useLocale, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { ArrowUndo16Regular, Search16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { LogoPart } from './logo-part.tsx'
import { MailPart } from './mail-part.tsx'
import { OcrPart } from './ocr-part.tsx'
import { OfficePart } from './office-part.tsx'
import { draftSetting, draftStore, dropDrafts } from './setting-drafts.ts'
import { problemOf, SettingField } from './setting-field.tsx'
import { matchesSearch, settingLabel, valueLabel } from './setting-labels.ts'
import { SmsPart } from './sms-part.tsx'
import { SyslogPart } from './syslog-part.tsx'
import './settings.css'

type Answer = Awaited<ReturnType<typeof loadSettings>>
type SettingInfo = Answer['list'][number]

const settingsKey = ['admin', 'settings'] as const
const loadSettings = () => api.getAdministeredSettings({})

/** Loads the shown settings again. */
export function refetchSettings(): void {
  void queryClient.invalidateQueries({ queryKey: settingsKey })
}

interface SettingsPageProps {
  readonly power: Exclude<Power, 'audit'>
  readonly title: PlainTextKey
  /** Shown above the settings. */
  readonly children?: ReactNode
}

/** All settings of one power. */
export function SettingsPage({ power, title, children }: SettingsPageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [sought, setSought] = useState('')
  const { data, error, refetch, dataUpdatedAt } = useQuery({ queryKey: settingsKey, queryFn: loadSettings })
  const names = settingNames.filter((name) => administered[name].power === power)
  const found = names.filter((name) => matchesSearch(t, name, sought.trim(), locale))
  return (
    <AdminBody
      title={t(title)}
      note={t('admin.set.count', { n: names.length })}
      actions={
        <span className="k-input ad-search">
          <Search16Regular />
          <input
            type="search"
            aria-label={t('admin.set.search')}
            placeholder={t('admin.set.search')}
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
        </span>
      }
    >
      {data === undefined ? (
        error === null ? (
          <Spinner label={t('admin.loading')} />
        ) : (
          <StatePage title={t('admin.notLoaded')} text={error.message}>
            <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
          </StatePage>
        )
      ) : (
        <div className="ad-settings">
          <div className="ad-set-list">
            {sought === '' && children}
            {found.length === 0 ? (
              <StatePage title={t('admin.set.notFound', { what: sought.trim() })}>
                <Button onClick={() => setSought('')}>{t('admin.set.showAll')}</Button>
              </StatePage>
            ) : (
              <Groups names={found} told={data.list} now={dataUpdatedAt} />
            )}
          </div>
          <Recent names={names} recent={data.recent} now={dataUpdatedAt} />
          <SaveBar power={power} names={names} answer={data} />
        </div>
      )}
    </AdminBody>
  )
}

interface GroupsProps {
  readonly names: readonly SettingName[]
  readonly told: readonly SettingInfo[]
  /** When the settings were loaded. */
  readonly now: number
}

function Groups({ names, told, now }: GroupsProps): ReactNode {
  const t = useT()
  return settingGroups.map((group) => {
    const here = names.filter((name) => administered[name].group === group)
    if (here.length === 0) return undefined
    return (
      <section key={group} aria-label={t(`admin.setGroup.${group}`)}>
        <h2>{t(`admin.setGroup.${group}`)}</h2>
        {here.map((name) => {
          const one = told.find((each) => each.name === name)
          return one === undefined ? undefined : <Row key={name} name={name} told={one} now={now} />
        })}
        {group === 'files' && here.includes('office_server') && (
          <OfficePart address={String(told.find(({ name }) => name === 'office_server')?.value ?? '')} />
        )}
        {group === 'files' && here.includes('search_ocr') && (
          <OcrPart isOn={told.find(({ name }) => name === 'search_ocr')?.value === true} />
        )}
        {group === 'site' && here.includes('company_name') && <LogoPart />}
        {group === 'mail' && <MailPart />}
        {group === 'sms' && <SmsPart />}
        {group === 'audit' && (
          <SyslogPart host={String(told.find(({ name }) => name === 'syslog_host')?.value ?? '')} />
        )}
      </section>
    )
  })
}

interface RowProps extends Pick<GroupsProps, 'now'> {
  readonly name: SettingName
  readonly told: SettingInfo
}

function Row({ name, told, now }: RowProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const drafted = useStore(draftStore, ({ drafts }) => drafts[name])
  const value = drafted ?? told.value
  const problem = drafted === undefined ? undefined : problemOf(t, name, drafted)
  const { changed, fallback } = told
  return (
    <div className="ad-set" data-drafted={drafted !== undefined || undefined}>
      <div className="ad-set-words" id={id}>
        <b>{settingLabel(name, locale)}</b>
        <p>
          {administered[name].note[locale]}
          {drafted !== undefined && <em> {t('admin.set.was', { value: valueLabel(t, name, told.value) })}</em>}
        </p>
        <small>
          {t('admin.set.fallback', { value: valueLabel(t, name, fallback) })}
          {changed !== undefined && (
            <span title={fullTime(changed.at)}>
              {' · '}
              {t('admin.set.changed', {
                who: changed.by || t('admin.system'),
                when: shortTime(changed.at, now, locale),
              })}
            </span>
          )}
          {JSON.stringify(value) !== JSON.stringify(fallback) && (
            <Button kind="link" onClick={() => draftSetting(name, fallback, told.value)}>
              {t('admin.set.toFallback')}
            </Button>
          )}
        </small>
        {problem !== undefined && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <SettingField
        name={name}
        value={value}
        disabled={false}
        describedBy={id}
        onChange={(next: SettingValue) => draftSetting(name, next, told.value)}
      />
    </div>
  )
}

interface RecentProps extends Pick<GroupsProps, 'now'> {
  readonly names: readonly SettingName[]
  readonly recent: Answer['recent']
}

function Recent({ names, recent, now }: RecentProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const own = recent.flatMap((change) => {
    const name = names.find((each) => each === change.name)
    return name === undefined ? [] : [{ ...change, name }]
  })
  return (
    <aside className="ad-card ad-set-recent" aria-label={t('admin.set.recent')}>
      <h2>{t('admin.set.recent')}</h2>
      {own.length === 0 && <p>{t('admin.set.noRecent')}</p>}
      <ol>
        {own.slice(0, 8).map(({ name, at, by, before, after }) => (
          <li key={`${at}${name}`}>
            {t('admin.set.didChange', {
              who: by || t('admin.system'),
              what: settingLabel(name, locale),
              before: valueLabel(t, name, before),
              after: valueLabel(t, name, after),
            })}
            <small title={fullTime(at)}>{shortTime(at, now, locale)}</small>
          </li>
        ))}
      </ol>
    </aside>
  )
}

interface SaveBarProps extends Omit<SettingsPageProps, 'title'> {
  readonly names: readonly SettingName[]
  readonly answer: Answer
}

/** The bar with unsaved changes, at the bottom of the page. */
function SaveBar({ power, names, answer }: SaveBarProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const drafts = useStore(draftStore, (state) => state.drafts)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const drafted = names.filter((name) => name in drafts)
  if (drafted.length === 0) return undefined
  const broken = drafted.some((name) => problemOf(t, name, drafts[name] ?? '') !== undefined)
  const save = async (): Promise<void> => {
    if (busy || broken) return
    setBusy(true)
    setRefused(undefined)
    const given = Object.fromEntries(drafted.map((name) => [name, drafts[name]]))
    const input = { ...given, seen: answer.seen }
    try {
      if (power === 'system') await api.setServerSetting(input)
      else await api.setSafeStrategy(input)
      // With the state of mail, text messages and forwarding, which depends on these settings.
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
      dropDrafts(drafted)
      toast({ kind: 'success', text: t('admin.set.saved', { n: drafted.length }) })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRefused(error.message)
      // A value changed by another administrator in the meantime is shown next to the entered one.
      if (error.code === 'settingChanged') refetchSettings()
    } finally {
      setBusy(false)
    }
  }
  return (
    <footer className="ad-save" aria-label={t('admin.set.unsavedBar')}>
      <b>{t('admin.set.unsaved', { n: drafted.length })}</b>
      <span
        className="ad-save-names"
        role={refused === undefined ? undefined : 'alert'}
        data-refused={refused !== undefined || undefined}
      >
        {refused ?? drafted.map((name) => settingLabel(name, locale)).join(t('admin.set.comma'))}
      </span>
      <Button icon={<ArrowUndo16Regular />} disabled={busy} onClick={() => dropDrafts(drafted)}>
        {t('admin.set.drop')}
      </Button>
      <Button kind="primary" disabled={busy || broken} onClick={() => void save()}>
        {t('admin.set.save', { n: drafted.length })}
      </Button>
    </footer>
  )
}

export const ServerSettings = (): ReactNode => <SettingsPage power="system" title="admin.page.settings" />
export const SafeStrategy = (): ReactNode => <SettingsPage power="security" title="admin.page.safety" />
