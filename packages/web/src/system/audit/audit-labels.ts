// Audit entries as readable text.
import { administered, type SettingName, type SettingValue } from '@cloudoc/contract'
import { actionTitle, type SettingChange } from '@cloudoc/contract/audit-words'
import { type CodeName, codes, codeText, type Locale } from '@cloudoc/domain'
import type { api } from '../../core/call/api.ts'
import type { Translate } from '../../core/i18n/i18n.ts'
import { settingLabel, valueLabel } from '../settings/setting-labels.ts'
import { titles } from './call-titles.ts'

export type AuditEntry = Awaited<ReturnType<typeof api.getAuditList>>['list'][number]
export type AuditDetail = Readonly<Record<string, unknown>>

export const detailOf = ({ detail }: AuditEntry): AuditDetail => JSON.parse(detail) as AuditDetail

/** The action in words. */
export function actionLabel(entry: AuditEntry, locale: Locale): string {
  return actionTitle(entry.call, detailOf(entry)['log'], locale, titles) ?? entry.call
}

/** The result of the action. */
export function resultLabel(t: Translate, { refused }: AuditEntry, locale: Locale): string {
  if (refused === '') return t('admin.audit.success')
  return refused in codes ? codeText(codes[refused as CodeName].code, locale) : refused
}

/** The actor and the actor's department. */
export function actorLabel(t: Translate, entry: AuditEntry): { name: string; place: string } {
  if (entry.outsider !== null) return { name: entry.outsider, place: t('admin.audit.outside') }
  if (entry.by !== null) return { name: entry.by.accountName || entry.by.account, place: entry.by.groupName }
  const { account } = detailOf(entry)
  return { name: typeof account === 'string' ? account : t('admin.system'), place: '' }
}

/** The object of the action: the items, and other details worth showing in the row. */
export function subjectLabel(t: Translate, entry: AuditEntry, locale: Locale): string {
  const names = entry.items.map(({ fName, fId }) => fName || t('admin.audit.item', { id: fId }))
  const items =
    entry.itemCount > names.length
      ? t('admin.audit.andMore', { names: names.join(t('admin.set.comma')), n: entry.itemCount })
      : names.join(t('admin.set.comma'))
  const persons = entry.people.map(({ accountName, account }) => accountName || account)
  const people =
    entry.peopleCount > persons.length
      ? t('admin.audit.andMore', { names: persons.join(t('admin.set.comma')), n: entry.peopleCount })
      : persons.join(t('admin.set.comma'))
  const objects = entry.items.length > 0 ? '' : entry.objects.join(t('admin.set.comma'))
  const settings = changedSettingsLabel(t, detailOf(entry)['settings'], locale)
  return [items, people, objects, settings].filter((words) => words !== '').join(' · ')
}

function changedSettingsLabel(t: Translate, settings: unknown, locale: Locale): string {
  if (typeof settings !== 'string') return ''
  const changes = JSON.parse(settings) as SettingChange[]
  if (!Array.isArray(changes)) return ''
  return changes.flatMap((one) => settingChangeLabel(t, one, locale) ?? []).join(t('admin.set.comma'))
}

/** A changed setting in words; undefined for a setting that is not administered. */
export function settingChangeLabel(t: Translate, change: SettingChange, locale: Locale): string | undefined {
  if (!(change.name in administered)) return undefined
  const setting = change.name as SettingName
  return t('admin.audit.setTo', {
    what: settingLabel(setting, locale),
    before: valueLabel(t, setting, change.before as SettingValue),
    after: valueLabel(t, setting, change.after as SettingValue),
  })
}
